//! Several executions at a time: counted by their number, and as they finish.

use super::{Effort, SEED, claim, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_property::decide::{
    CheckCourse, CheckVerdict, ExecutionOutcome, Method, ProportionQuestion, VacuousRule,
};
use fathom_stats::proportion::{Horizon, Rule};
use rand_core::Rng;

const WIDTH: usize = 8;
const BUDGET: usize = 1000;

/// p, the verdict that is wrong there, how long executions take that satisfy, and that violate.
const SCENES: [(f64, CheckVerdict, f64, f64); 6] = [
    (0.85, CheckVerdict::True, 1.0, 1.0),
    (0.85, CheckVerdict::True, 1.0, 3.0),
    (0.85, CheckVerdict::True, 1.0, 30.0),
    (0.92, CheckVerdict::False, 1.0, 1.0),
    (0.92, CheckVerdict::False, 3.0, 1.0),
    (0.92, CheckVerdict::False, 30.0, 1.0),
];

/// In which order outcomes are fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Number,
    Finish,
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let claim = claim(0.9, 0.9)?;
    let question = ProportionQuestion {
        probability: claim.proportion,
        confidence: claim.confidence,
        method: Method::Anytime,
    };
    let horizon = Horizon::new(Rule::anytime(claim), BUDGET);
    let rows = parallel::map(SCENES.len(), |cell| {
        let (p, wrong, if_true, if_false) = SCENES[cell];
        let rate = |order: Order| -> Result<f64, String> {
            let mut rng = generator(SEED, 1000 + cell as u64);
            let mut errors = 0_u32;
            for _ in 0..effort.trials {
                let mut course = CheckCourse::new(question, BUDGET, VacuousRule::True)
                    .map_err(|error| error.to_string())?;
                let mut launch = || {
                    let is_true = ((rng.next_u64() >> 11) as f64) < p * (1_u64 << 53) as f64;
                    // No two executions take quite the same time.
                    let jitter = 0.9 + 0.2 * (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                    (is_true, jitter * if is_true { if_true } else { if_false })
                };
                errors += u32::from(check(&mut course, order, &mut launch) == wrong);
            }
            Ok(f64::from(errors) / effort.trials as f64)
        };
        let by_number = rate(Order::Number)?;
        let exact = horizon.error(p).by_horizon;
        let slack = 4.0 * (exact * (1.0 - exact) / effort.trials as f64).sqrt() + 1e-3;
        if (by_number - exact).abs() > slack {
            return Err(format!("by number, p = {p}: {by_number}, exactly {exact}"));
        }
        Ok([
            p.to_string(),
            format!("{if_true} / {if_false}"),
            percent(exact),
            percent(by_number),
            percent(rate(Order::Finish)?),
        ])
    });
    let mut table = MarkdownTable::new([
        "p",
        "time if true / if false",
        "one at a time, exact",
        "by number",
        "as they finish",
    ]);
    for row in rows {
        table.row(row?);
    }
    Ok(format!(
        "\n## {WIDTH} at a time\n\n\
         Simulated, {} checks per row, F = C = 0.9, at most {BUDGET} samples, {WIDTH} executions \
         at a time whose duration depends on whether they satisfy the property. Errors in %. \
         Counted in launch order, outcomes decide as if executions ran one at a time. Counted as \
         they finish, the quick ones come first, and the error exceeds its level.\n\n\
         {}",
        effort.trials,
        table.render()
    ))
}

/// One check: as many executions under way as may be, until there is a verdict.
fn check(
    course: &mut CheckCourse,
    order: Order,
    launch: &mut dyn FnMut() -> (bool, f64),
) -> CheckVerdict {
    let outcome = |is_true| if is_true { ExecutionOutcome::True } else { ExecutionOutcome::False };
    // (when it ends, its number, its outcome)
    let mut under_way: Vec<(f64, usize, bool)> = Vec::new();
    let mut done = std::collections::BTreeMap::new();
    let (mut now, mut launched, mut fed) = (0.0, 0, 0);
    loop {
        if let Some(verdict) = course.verdict() {
            return verdict;
        }
        while under_way.len() < WIDTH {
            let (is_true, time) = launch();
            under_way.push((now + time, launched, is_true));
            launched += 1;
        }
        let first = (0..under_way.len()).min_by(|&a, &b| under_way[a].0.total_cmp(&under_way[b].0));
        let (end, number, is_true) = under_way.swap_remove(first.unwrap_or(0));
        now = end;
        match order {
            Order::Finish => {
                course.feed(outcome(is_true));
            }
            Order::Number => {
                done.insert(number, is_true);
                while let Some(is_true) = done.remove(&fed) {
                    course.feed(outcome(is_true));
                    fed += 1;
                }
            }
        }
    }
}
