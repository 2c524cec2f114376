//! Executions that depend on each other, and what it costs to look for that where they do not.

use super::{Effort, SEED, claim, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use fathom_property::decide::{
    CheckCourse, CheckVerdict, ExecutionOutcome, Method, ProportionQuestion, VacuousRule,
    decide_in_order,
};

const BUDGET: usize = 500;
const ROWS: usize = 300;
/// The share of a normal population below one standard deviation.
const ONE_DEVIATION: f64 = 0.841_344_746_068_543;

/// How much of an execution's margin the next one keeps.
const KEPT: [f64; 6] = [0.0, 0.3, 0.5, 0.8, 0.9, 0.97];

/// True shares: "true" is wrong at the first, "false" at the second.
const SHARES: [f64; 2] = [0.85, 0.94];

/// What became of the checks of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    right: f64,
    wrong: f64,
    samples: f64,
}

impl Ends {
    fn add(&mut self, verdict: CheckVerdict, share: f64, samples: usize, weight: f64) {
        let is_true = share >= 0.9;
        match (verdict, is_true) {
            (CheckVerdict::True, true) | (CheckVerdict::False, false) => self.right += weight,
            (CheckVerdict::True, false) | (CheckVerdict::False, true) => self.wrong += weight,
            (CheckVerdict::Inconclusive, _) => {}
        }
        self.samples += samples as f64 * weight;
    }
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let cells: Vec<(f64, f64)> =
        SHARES.iter().flat_map(|&share| KEPT.map(|kept| (share, kept))).collect();
    let rows = parallel::map(cells.len(), |cell| {
        let (share, kept) = cells[cell];
        let [watched, plain, rows, plain_rows] = simulate(effort, cell, share, kept)?;
        if kept == 0.0 {
            let lost = plain_rows.right - rows.right;
            if watched.wrong > 0.05 + 3.0 * (0.05 / effort.trials as f64).sqrt() || lost > 0.03 {
                return Err(format!(
                    "independent executions at p = {share}: {watched:?}, {rows:?}"
                ));
            }
        }
        let ends = |ends: Ends| format!("{} / {:.1}", percent(ends.wrong), 100.0 * ends.right);
        Ok([
            share.to_string(),
            format!("{kept}"),
            format!("{} / {:.0}", ends(plain), plain.samples),
            format!("{} / {:.0}", ends(watched), watched.samples),
            ends(plain_rows),
            ends(rows),
        ])
    });
    let mut table = MarkdownTable::new([
        "p",
        "φ",
        "watched, taken as independent",
        "watched",
        "300 rows, taken as independent",
        "300 rows",
    ]);
    for row in rows {
        table.row(row?);
    }
    Ok(format!(
        "\n## Executions that depend on each other\n\n\
         Simulated, {} checks per row, F = 0.9, C = 0.95. The robustness is an autoregressive \
         process with coefficient φ. Wrong and right verdicts in %; with a look after every \
         execution, at most {BUDGET}, also the mean number of samples. Fathom reduces the \
         effective sample size where neighbours, or means of neighbours, are evidently \
         correlated. At φ = 0 the difference between the columns is what that costs. If one state \
         lasts longer than all the samples, they show nothing of the others.\n\n\
         {}",
        effort.trials,
        table.render()
    ))
}

fn simulate(effort: Effort, cell: usize, share: f64, kept: f64) -> Result<[Ends; 4], String> {
    let claim = claim(0.9, 0.95)?;
    let question = ProportionQuestion {
        probability: claim.proportion,
        confidence: claim.confidence,
        method: Method::Anytime,
    };
    let mut rng = generator(SEED ^ 0xdeb, cell as u64);
    // Standardised: the population has a centre and a spread of its own.
    let centre = Population::Normal.quantile(0.5);
    let spread = Population::Normal.quantile(ONE_DEVIATION) - centre;
    let draw = |rng: &mut Generator| (Population::Normal.draw(rng) - centre) / spread;
    let limit = (Population::Normal.quantile(share) - centre) / spread;
    let fresh = (1.0 - kept * kept).sqrt();
    let weight = 1.0 / effort.trials as f64;
    let mut ends = [Ends::default(); 4];
    for _ in 0..effort.trials {
        let mut level = draw(&mut rng);
        let margins: Vec<f64> = (0..BUDGET)
            .map(|_| {
                level = kept * level + fresh * draw(&mut rng);
                limit - level
            })
            .collect();
        let outcome = |margin: f64| {
            if margin > 0.0 { ExecutionOutcome::True } else { ExecutionOutcome::False }
        };
        let fed = |with_margins: bool| -> Result<(CheckVerdict, usize), String> {
            let mut course = CheckCourse::new(question, BUDGET, VacuousRule::True)
                .map_err(|error| error.to_string())?;
            for &margin in &margins {
                let known = with_margins.then_some(margin);
                if course.feed_with_margin(outcome(margin), known).is_some() {
                    break;
                }
            }
            Ok((course.summary().verdict, course.counts().samples()))
        };
        let given = |with_margins: bool| -> Result<(CheckVerdict, usize), String> {
            let rows = margins.iter().take(ROWS);
            let rows = rows.map(|&margin| (outcome(margin), with_margins.then_some(margin)));
            let summary = decide_in_order(rows, question, VacuousRule::True);
            Ok((summary.map_err(|error| error.to_string())?.verdict, ROWS))
        };
        for (ends, found) in
            ends.iter_mut().zip([fed(true)?, fed(false)?, given(true)?, given(false)?])
        {
            ends.add(found.0, share, found.1, weight);
        }
    }
    Ok(ends)
}
