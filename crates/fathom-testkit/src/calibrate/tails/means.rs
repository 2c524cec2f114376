//! Means: where both have the same shape, and where one has rare long runs.

use super::minima::{broken, machines, table, worst};
use super::worlds::World;
use super::{Count, Effort, Section, percent};
use crate::parallel;
use crate::population::generator;
use fathom_analyze::Warning;
use fathom_analyze::compare::{ComparedStatistic, Comparison, Course, Margin, Pairing};
use fathom_stats::paired::{LookStage, Looks};
use fathom_stats::tails::{BlockRuns, TailLook, mean_ratio_by_coins};
use fathom_stats::{Confidence, LogRatioInterval};

const SEED: u64 = 19_690_720;
const SIZES: [usize; 6] = [20, 32, 42, 100, 200, 400];
/// From one run in ten on, stalls are promised to be in the interval.
const PROMISED: f64 = 0.1;

/// What a comparison of means printed.
struct Printed {
    interval: LogRatioInterval,
    /// Whether it warns that rare long runs decide.
    is_doubted: bool,
    /// How much wider it is than what the coins alone say.
    width: f64,
}

/// A ratio of means as `fathom compare` gives it after a single look.
fn compared(blocks: &[BlockRuns]) -> Option<Printed> {
    let course =
        Course::new(1, blocks.len(), Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0);
    let course = course.with_looks(Looks::once(blocks.len()));
    let mut course = course.comparing(ComparedStatistic::Mean, 2, SEED);
    for block in blocks {
        course.take_runs(&[(0, *block)]);
    }
    let found = Comparison::of(&course, 0, ["a", "b"], Pairing::Runs, 1.0)?;
    let is_doubted =
        found.warnings.iter().any(|warning| matches!(warning, Warning::RareRunsDecide { .. }));
    let alpha = Confidence::DEFAULT.alpha();
    let look = TailLook { alpha, stage: LookStage::Last, tick: 0.0, seed: SEED };
    let alone = mean_ratio_by_coins(blocks, look)?.interval.width();
    let interval = found.interval.log();
    Some(Printed { interval, is_doubted, width: interval.width() / alone })
}

/// Intervals with the warning and without it.
#[derive(Debug, Clone, Copy, Default)]
struct Doubt {
    sure: Count,
    doubted: Count,
    widths: f64,
    finite: u64,
}

impl Doubt {
    fn add(&mut self, printed: &Printed, truth: f64) {
        let count = if printed.is_doubted { &mut self.doubted } else { &mut self.sure };
        count.add(printed.interval, truth);
        if printed.interval.is_finite() {
            self.widths += printed.width;
            self.finite += 1;
        }
    }

    fn all(&self) -> Count {
        let mut all = self.sure;
        all.merge(self.doubted);
        all
    }

    fn has_none(&self) -> bool {
        20 * self.finite < self.all().trials
    }

    /// "coverage / with a warning / times as wide".
    fn cell(&self) -> String {
        if self.has_none() {
            return "-".to_string();
        }
        let doubted = self.doubted.trials as f64 / self.all().trials.max(1) as f64;
        let width = self.widths / self.finite as f64;
        format!("{} / {} / {width:.2}", percent(self.all().coverage()), percent(doubted))
    }
}

fn doubts(worlds: &[(World, f64)], effort: Effort, seed: u64) -> Vec<Vec<Doubt>> {
    let doubts = parallel::map(worlds.len() * SIZES.len(), |cell| {
        let ((world, truth), n) = (worlds[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        let mut rng = generator(seed, cell as u64);
        let mut doubt = Doubt::default();
        for _ in 0..effort.trials {
            if let Some(printed) = compared(&world.blocks(n, &mut rng)) {
                doubt.add(&printed, truth);
            }
        }
        doubt
    });
    doubts.chunks(SIZES.len()).map(<[Doubt]>::to_vec).collect()
}

fn counts(rows: &[Vec<Doubt>]) -> Vec<Vec<Count>> {
    let count = |doubt: &Doubt| if doubt.has_none() { Count::default() } else { doubt.all() };
    rows.iter().map(|row| row.iter().map(count).collect()).collect()
}

/// The logarithm of the mean of a lognormal.
fn log_mean(sigma: f64) -> f64 {
    0.5 * sigma * sigma
}

pub(super) fn section(effort: Effort) -> Section {
    let machines = machines();
    let normal = |reference, subject| {
        (World::Normal(reference, subject), log_mean(subject) - log_mean(reference))
    };
    // The mean of a stall is that of a run, on top of the run.
    let stalling = |share: f64| (World::Stalling(share), share.ln_1p());
    let differing = [normal(0.1, 0.3), normal(0.1, 0.5), stalling(0.2), stalling(PROMISED)];
    let rarer = [stalling(0.05), stalling(0.02), stalling(0.01)];
    let same = doubts(&machines, effort, SEED);
    let unlike = doubts(&differing, effort, SEED + 1);
    let rare = doubts(&rarer, effort, SEED + 3);
    let mut all_broken = broken(&machines, &counts(&same), &SIZES, "mean");
    all_broken.extend(broken(&differing, &counts(&unlike), &SIZES, "mean"));
    let text = format!(
        "\n## Means\n\n\
         As `fathom compare --statistic mean` prints them after a single look. Cells are `coverage / \
         comparisons with the warning that rare long runs decide / mean width over that of the coins' \
         interval`, in % but for the width. There is no interval before two of one run in ten are \
         among the runs of each with 99%: 64 runs, 32 blocks.\n\n\
         One factor for all runs. Lowest coverage: {:.1}%.\n\n{}\n\
         Distributions with other shapes, with stalls of one run in five or ten. Here the signs are not \
         exact: few blocks of skewed times have no normal mean. Where Fathom warns, the interval allows \
         for one more block, twice as far out as any. Lowest coverage: {:.1}%.\n\n{}\n\
         Rarer stalls. A stall that did not happen in the session cannot be in its mean: a comparison of \
         100 blocks has none of one run in a hundred with 13%. No interval can allow for it, so these \
         rows keep no promise; reports say how rare what may be missing is. Lowest coverage: \
         {:.1}%.\n\n{}",
        worst(&counts(&same)),
        table(&machines, &same, &SIZES, Doubt::cell),
        worst(&counts(&unlike)),
        table(&differing, &unlike, &SIZES, Doubt::cell),
        worst(&counts(&rare)),
        table(&rarer, &rare, &SIZES, Doubt::cell),
    );
    Section { text, broken: all_broken }
}
