//! `calibration/why.md`: which of many functions differ between two subjects, with one error for all.

mod power;
mod profiled;
mod worlds;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::Confidence;
use fathom_stats::joint::{JointRule, joint_differences, shares};
use profiled::Profiled;
use worlds::World;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Comparisons per cell.
    pub trials: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { trials: 1000 };
}

const SEED: u64 = 20_261_120;
/// Outcomes of the coins that each comparison looks at.
const OUTCOMES: usize = 1000;
/// Numbers of blocks.
const BLOCKS: [usize; 5] = [6, 10, 20, 40, 150];
/// Each cell is made in so many parts, so that all cores have work until the end.
const PARTS: usize = 4;

fn rule() -> JointRule {
    JointRule { outcomes: OUTCOMES, ..JointRule::new(Confidence::DEFAULT, SEED) }
}

/// What comparisons of one world said.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    trials: usize,
    /// Comparisons in which a function that did not change got a p-value of at most 5%.
    false_alarms: usize,
    /// Comparisons in which an interval of a function missed.
    missed: usize,
    /// Comparisons with intervals that have two ends.
    finite: usize,
    /// Comparisons with shares, and those in which one of them missed.
    shared: usize,
    shares_missed: usize,
}

impl Count {
    fn add(&mut self, made: &Profiled) {
        self.trials += 1;
        let found = joint_differences(&made.differences, rule());
        let judged = || found.quantities.iter().zip(&made.truth);
        let alarm =
            judged().any(|(one, truth)| *truth == 0.0 && one.p_value.is_some_and(|p| p <= 0.05));
        self.false_alarms += usize::from(alarm);
        self.finite += usize::from(found.critical.is_finite());
        let missed = judged()
            .any(|(one, truth)| one.interval.is_some_and(|interval| !interval.contains(*truth)));
        self.missed += usize::from(missed);
        let whole_truth: f64 = made.truth.iter().sum();
        if whole_truth == 0.0 {
            return;
        }
        let Some(shares) = shares(&made.differences, &made.whole(), rule()) else { return };
        if shares.iter().any(|share| share.interval.is_some()) {
            self.shared += 1;
            let missed = shares.iter().zip(&made.truth).any(|(share, truth)| {
                share.interval.is_some_and(|interval| !interval.contains(truth / whole_truth))
            });
            self.shares_missed += usize::from(missed);
        }
    }

    fn merge(&mut self, other: Count) {
        self.trials += other.trials;
        self.false_alarms += other.false_alarms;
        self.missed += other.missed;
        self.finite += other.finite;
        self.shared += other.shared;
        self.shares_missed += other.shares_missed;
    }

    fn alarms(&self) -> f64 {
        self.false_alarms as f64 / self.trials.max(1) as f64
    }

    fn coverage(&self) -> f64 {
        1.0 - self.missed as f64 / self.trials.max(1) as f64
    }

    fn coverage_of_shares(&self) -> f64 {
        1.0 - self.shares_missed as f64 / self.shared.max(1) as f64
    }

    /// "false alarms / coverage of all intervals".
    fn cell(&self) -> String {
        if self.finite == 0 {
            return format!("{} / -", percent(self.alarms()));
        }
        format!("{} / {}", percent(self.alarms()), percent(self.coverage()))
    }

    fn cell_of_shares(&self) -> String {
        if 10 * self.shared < self.trials {
            return format!("- / {}", percent(self.shared as f64 / self.trials.max(1) as f64));
        }
        let with = percent(self.shared as f64 / self.trials.max(1) as f64);
        format!("{} / {with}", percent(self.coverage_of_shares()))
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Three standard errors beyond 5%.
fn too_many(share: f64, trials: usize) -> bool {
    share > 0.05 + 3.0 * (0.05 * 0.95 / trials.max(1) as f64).sqrt()
}

fn counts(worlds: &[World], effort: Effort, first_stream: u64) -> Vec<Vec<Count>> {
    let cells = worlds.len() * BLOCKS.len();
    let parts = parallel::map(cells * PARTS, |task| {
        let cell = task / PARTS;
        let (world, blocks) = (&worlds[cell / BLOCKS.len()], BLOCKS[cell % BLOCKS.len()]);
        let mut rng = generator(SEED, first_stream + task as u64);
        let mut count = Count::default();
        for _ in 0..effort.trials.div_ceil(PARTS) {
            count.add(&world.profiled(blocks, &mut rng));
        }
        count
    });
    let mut rows = vec![vec![Count::default(); BLOCKS.len()]; worlds.len()];
    for (task, part) in parts.into_iter().enumerate() {
        let cell = task / PARTS;
        rows[cell / BLOCKS.len()][cell % BLOCKS.len()].merge(part);
    }
    rows
}

/// Simulates and writes the page; an error names everything that breaks a promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let worlds = World::all();
    let rows = counts(&worlds, effort, 0);
    let mut broken = Vec::new();
    let mut table = MarkdownTable::new(head());
    let mut shares = MarkdownTable::new(head());
    let mut most_alarms = 0.0_f64;
    let mut least_coverage = 1.0_f64;
    for (world, row) in worlds.iter().zip(&rows) {
        table.row(std::iter::once(world.name()).chain(row.iter().map(Count::cell)));
        if world.changes() {
            shares.row(std::iter::once(world.name()).chain(row.iter().map(Count::cell_of_shares)));
        }
        for (count, blocks) in row.iter().zip(BLOCKS) {
            most_alarms = most_alarms.max(count.alarms());
            if too_many(count.alarms(), count.trials) {
                broken.push(format!(
                    "{}, {blocks} blocks: {}% false alarms",
                    world.name(),
                    percent(count.alarms())
                ));
            }
            if count.finite > 0 {
                least_coverage = least_coverage.min(count.coverage());
            }
            if count.finite > 0 && too_many(1.0 - count.coverage(), count.trials) {
                broken.push(format!(
                    "{}, {blocks} blocks: all intervals cover in {}%",
                    world.name(),
                    percent(count.coverage())
                ));
            }
        }
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(text(effort, [&table, &shares], [most_alarms, least_coverage]) + &power::section(effort))
}

fn head() -> impl Iterator<Item = String> {
    std::iter::once("functions".to_string()).chain(BLOCKS.map(|n| format!("{n} blocks")))
}

fn text(
    effort: Effort,
    [table, shares]: [&MarkdownTable; 2],
    [most_alarms, least_coverage]: [f64; 2],
) -> String {
    format!(
        "# Why: many differences at once\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate why` ({} comparisons per cell, \
         {OUTCOMES} outcomes of the coins in each; {:.0}% confidence).\n\n\
         A program is profiled in blocks of ABBA or BAAB by a fair coin. A function's time in a run is \
         its share of the program, times what the machine does in that slot, times noise of its own; a \
         sampler sees it 2000 times a second, so short functions are seen rarely or never. Functions \
         have sizes from half of the program down to a hundred-thousandth. The method: \
         [Why](../docs/methods/why.md).\n\n\
         ## False alarms and coverage\n\n\
         Cells are `comparisons with any false alarm / comparisons in which all intervals cover`, in \
         %. A false alarm is a p-value of at most 5% of a function that did not change. The standard \
         error is {:.1} points. Most false alarms: {}%. Lowest coverage: {}%.\n\n{}\n\
         ## Shares\n\n\
         The share of the whole difference that each function has, where the whole is clear enough to \
         be divided by. Cells are `comparisons in which all shares cover / comparisons with shares`, \
         in %.\n\n{}\n",
        effort.trials,
        100.0 * Confidence::DEFAULT.get(),
        100.0 * (0.05 * 0.95 / effort.trials as f64).sqrt(),
        percent(most_alarms),
        percent(least_coverage),
        table.render(),
        shares.render(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 8 }).unwrap();
        assert!(page.contains("## Power") && !page.contains("NaN"), "{page}");
    }
}
