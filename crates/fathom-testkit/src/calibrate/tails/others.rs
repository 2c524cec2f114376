//! Means and minima.

use super::coverage::LOOK;
use super::worlds::World;
use super::{Count, Effort, Section, percent};
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use fathom_analyze::Warning;
use fathom_analyze::compare::{ComparedStatistic, Comparison, Course, Margin, Pairing};
use fathom_stats::paired::Looks;
use fathom_stats::tails::{BlockRuns, RatioOf, tail_ratio};
use fathom_stats::{Confidence, LogRatioInterval};

const SEED: u64 = 19_690_720;
const SIZES: [usize; 6] = [6, 10, 20, 42, 100, 400];

fn cells(worlds: &[(World, f64)], of: RatioOf, effort: Effort, seed: u64) -> Vec<Vec<Count>> {
    let counts = parallel::map(worlds.len() * SIZES.len(), |cell| {
        let ((world, truth), n) = (worlds[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        let mut rng = generator(seed, cell as u64);
        let mut count = Count::default();
        for _ in 0..effort.trials {
            if let Some(found) = tail_ratio(&world.blocks(n, &mut rng), of, LOOK) {
                count.add(found.interval, truth);
            }
        }
        count
    });
    counts.chunks(SIZES.len()).map(<[Count]>::to_vec).collect()
}

/// A ratio of means as `fathom compare` gives it after a single look, and whether it warns of rare long
/// runs.
fn compared(blocks: &[BlockRuns]) -> Option<(LogRatioInterval, bool)> {
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
    Some((found.interval.log(), is_doubted))
}

/// Intervals with the warning and without it.
#[derive(Debug, Clone, Copy, Default)]
struct Doubt {
    sure: Count,
    doubted: Count,
}

impl Doubt {
    fn all(&self) -> Count {
        let mut all = self.sure;
        all.merge(self.doubted);
        all
    }

    /// "coverage / with a warning / coverage of the rest".
    fn cell(&self) -> String {
        let all = self.all();
        let rest = match 20 * self.sure.trials < all.trials {
            true => "-".to_string(),
            false => percent(self.sure.coverage()),
        };
        let doubted = self.doubted.trials as f64 / all.trials.max(1) as f64;
        format!("{} / {} / {rest}", percent(all.coverage()), percent(doubted))
    }
}

fn doubts(worlds: &[(World, f64)], effort: Effort, seed: u64) -> Vec<Vec<Doubt>> {
    let doubts = parallel::map(worlds.len() * SIZES.len(), |cell| {
        let ((world, truth), n) = (worlds[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        let mut rng = generator(seed, cell as u64);
        let mut doubt = Doubt::default();
        for _ in 0..effort.trials {
            match compared(&world.blocks(n, &mut rng)) {
                Some((interval, true)) => doubt.doubted.add(interval, truth),
                Some((interval, false)) => doubt.sure.add(interval, truth),
                None => {}
            }
        }
        doubt
    });
    doubts.chunks(SIZES.len()).map(<[Doubt]>::to_vec).collect()
}

fn table<Cell>(
    worlds: &[(World, f64)],
    rows: &[Vec<Cell>],
    cell: impl Fn(&Cell) -> String,
) -> String {
    let head = SIZES.map(|n| format!("{n} blocks"));
    let mut table = MarkdownTable::new(std::iter::once("subjects".to_string()).chain(head));
    for ((world, _), row) in worlds.iter().zip(rows) {
        table.row(std::iter::once(world.name()).chain(row.iter().map(&cell)));
    }
    table.render()
}

fn broken(worlds: &[(World, f64)], rows: &[Vec<Count>], what: &str) -> Vec<String> {
    let cells = worlds.iter().zip(rows).flat_map(|((world, _), row)| {
        row.iter().zip(SIZES).map(move |(count, n)| (world.name(), count, n))
    });
    cells
        .filter(|(_, count, _)| count.falls_short())
        .map(|(name, count, n)| format!("{what}, {name}, {n}: covers {:.4}", count.coverage()))
        .collect()
}

/// The logarithm of the mean of a lognormal.
fn log_mean(sigma: f64) -> f64 {
    0.5 * sigma * sigma
}

pub(super) fn section(effort: Effort) -> Section {
    let constant = |noise, ratio: f64| (World::Constant(noise, ratio), ratio.ln());
    let machines = [
        constant(Noise::luck(Luck::Normal(0.3)), 1.05),
        constant(Noise::luck(Luck::Normal(1.0)), 1.05),
        constant(Noise::luck(Luck::HeavyTailed(0.02)), 1.05),
        constant(Noise::luck(Luck::Remembering(0.8)), 1.05),
        constant(Noise::smooth(Smooth::Drift(0.06)), 1.0),
        constant(Noise::smooth(Smooth::Wave(BLOCK)), 1.0),
        constant(Noise::neighbour(Neighbour::Exponential(0.05), 0.005), 1.0),
        constant(Noise::neighbour(Neighbour::Toggling(0.3), 0.01), 1.0),
    ];
    let normal = |reference, subject| {
        (World::Normal(reference, subject), log_mean(subject) - log_mean(reference))
    };
    // The mean of a stall is that of a run, on top of the run.
    let stalling = (World::Stalling(0.1), 1.1_f64.ln());
    let differing = [normal(0.1, 0.3), normal(0.1, 0.5), stalling];
    let means = cells(&machines, RatioOf::Mean, effort, SEED);
    let unlike = doubts(&differing, effort, SEED + 1);
    let minima = cells(&machines, RatioOf::Minimum, effort, SEED + 2);
    let mut all_broken = broken(&machines, &means, "mean");
    all_broken.extend(broken(&machines, &minima, "minimum"));
    let unlike_in_all: Vec<Vec<Count>> =
        unlike.iter().map(|row| row.iter().map(Doubt::all).collect()).collect();
    let worst = |rows: &[Vec<Count>]| {
        100.0 * rows.iter().flatten().map(Count::coverage).fold(1.0, f64::min)
    };
    let text = format!(
        "\n## Means\n\n\
         One factor for all runs. Lowest coverage: {:.1}%.\n\n{}\n\
         Means of distributions with other shapes. Here the signs are not exact: the interval relies on \
         the mean of many blocks being nearly normal, and few blocks of skewed times are not. A stall \
         that did not happen in the session cannot be in its mean. Fathom warns where the blocks are \
         skewed. Cells are `coverage / comparisons with that warning / coverage of the others`, in %. \
         Lowest coverage: {:.1}%.\n\n{}\n\
         ## Minima\n\n\
         One factor for all runs, which a minimum has to assume. Lowest coverage: {:.1}%.\n\n{}",
        worst(&means),
        table(&machines, &means, Count::cell),
        worst(&unlike_in_all),
        table(&differing, &unlike, Doubt::cell),
        worst(&minima),
        table(&machines, &minima, Count::cell),
    );
    Section { text, broken: all_broken }
}
