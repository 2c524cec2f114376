//! Outcomes that are unknown, in ways that do and do not depend on the truth.

use super::{Effort, SEED, claim, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_property::decide::{
    CheckCourse, CheckVerdict, ExecutionOutcome, Method, ProportionQuestion, VacuousRule,
};
use rand_core::Rng;

const BUDGET: usize = 500;

/// How often the outcome of an execution is unknown, if the property is true of it and if not.
const HIDDEN: [(f64, f64); 5] = [(0.0, 0.0), (0.05, 0.05), (0.2, 0.2), (0.0, 0.5), (0.2, 0.0)];

/// p, and the verdict that is wrong there.
const QUESTIONS: [(f64, CheckVerdict); 2] =
    [(0.89, CheckVerdict::True), (0.9, CheckVerdict::False)];

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let cells: Vec<_> =
        QUESTIONS.iter().flat_map(|question| HIDDEN.map(|hidden| (*question, hidden))).collect();
    let rows = parallel::map(cells.len(), |cell| {
        let ((p, wrong), hidden) = cells[cell];
        let ours = simulate(effort, cell, p, hidden, ExecutionOutcome::Unknown)?;
        let dropped = simulate(effort, cell, p, hidden, ExecutionOutcome::Skipped)?;
        let is = |verdicts: &[CheckVerdict], which: CheckVerdict| {
            verdicts.iter().filter(|&&verdict| verdict == which).count() as f64
                / verdicts.len() as f64
        };
        let error = is(&ours, wrong);
        // 1 − C, and three standard errors of the simulation.
        if error > 0.1 + 3.0 * (0.09 / effort.trials as f64).sqrt() {
            return Err(format!("with unknowns {hidden:?} at p = {p} the error is {error}"));
        }
        Ok([
            p.to_string(),
            format!("{:.0}% / {:.0}%", 100.0 * hidden.0, 100.0 * hidden.1),
            percent(error),
            format!("{:.0}", 100.0 * is(&ours, CheckVerdict::Inconclusive)),
            percent(is(&dropped, wrong)),
        ])
    });
    let mut table = MarkdownTable::new([
        "p",
        "unknown if true / if false",
        "error",
        "inconclusive",
        "error if they are dropped",
    ]);
    for row in rows {
        table.row(row?);
    }
    Ok(format!(
        "\n## Unknown outcomes\n\n\
         Simulated, {} checks per row, F = C = 0.9, at most {BUDGET} samples, in %. An unknown \
         outcome counts as false for \"true\" and as true for \"false\". That costs verdicts and \
         never adds errors, even where being unknown depends on the outcome (such as executions \
         that hang); dropping such outcomes does add errors.\n\n\
         {}",
        effort.trials,
        table.render()
    ))
}

fn simulate(
    effort: Effort,
    cell: usize,
    p: f64,
    hidden: (f64, f64),
    hides: ExecutionOutcome,
) -> Result<Vec<CheckVerdict>, String> {
    let claim = claim(0.9, 0.9)?;
    let question = ProportionQuestion {
        probability: claim.proportion,
        confidence: claim.confidence,
        method: Method::Anytime,
    };
    let mut rng = generator(SEED, cell as u64);
    let mut coin = |p: f64| ((rng.next_u64() >> 11) as f64) < p * (1_u64 << 53) as f64;
    let mut verdicts = Vec::with_capacity(effort.trials);
    for _ in 0..effort.trials {
        let mut course = CheckCourse::new(question, BUDGET, VacuousRule::True)
            .map_err(|error| error.to_string())?;
        while course.verdict().is_none() {
            let is_true = coin(p);
            let is_hidden = coin(if is_true { hidden.0 } else { hidden.1 });
            course.feed(match (is_hidden, is_true) {
                (true, _) => hides,
                (false, true) => ExecutionOutcome::True,
                (false, false) => ExecutionOutcome::False,
            });
        }
        verdicts.extend(course.verdict());
    }
    Ok(verdicts)
}
