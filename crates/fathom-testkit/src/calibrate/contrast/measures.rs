//! Measures of runs that do not differ between groups.

use crate::population::Generator;
use rand_distr::{Distribution, Open01, StandardNormal};

/// What the measures of a run are like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Nature {
    /// Normal and independent.
    Normal,
    /// Normal, and half of the variance is common to all measures.
    Common,
    /// Log-normal.
    Skewed,
    /// Student's t with 2 degrees of freedom.
    HeavyTailed,
    /// Small whole numbers.
    Counts,
    /// 0 or 1.
    Binary,
    /// 0, and something in one of ten runs.
    Rare,
    /// Normal, and a fifth of the values is missing.
    Missing,
    /// Normal around a level that drifts from run to run; runs of both groups alternate at random.
    Drifting,
}

impl Nature {
    pub(super) const ALL: [Nature; 9] = [
        Nature::Normal,
        Nature::Common,
        Nature::Skewed,
        Nature::HeavyTailed,
        Nature::Counts,
        Nature::Binary,
        Nature::Rare,
        Nature::Missing,
        Nature::Drifting,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Nature::Normal => "normal",
            Nature::Common => "normal, half in common",
            Nature::Skewed => "log-normal",
            Nature::HeavyTailed => "Student's t, 2 degrees",
            Nature::Counts => "counts",
            Nature::Binary => "0 or 1",
            Nature::Rare => "0, rarely more",
            Nature::Missing => "normal, 20% missing",
            Nature::Drifting => "drifting over the runs",
        }
    }

    /// The standard deviation between runs.
    pub(super) fn deviation(self) -> f64 {
        match self {
            Nature::Skewed => ((1.0_f64.exp() - 1.0) * 1.0_f64.exp()).sqrt(),
            Nature::Counts => 2.0_f64.sqrt(),
            _ => 1.0,
        }
    }

    /// So many measures of so many runs.
    pub(super) fn draw(
        self,
        measures: usize,
        runs: usize,
        rng: &mut Generator,
    ) -> Vec<Vec<Option<f64>>> {
        let normal = |rng: &mut Generator| -> f64 { StandardNormal.sample(rng) };
        let uniform = |rng: &mut Generator| -> f64 { Open01.sample(rng) };
        let common: Vec<f64> = (0..runs).map(|_| normal(rng)).collect();
        let order = shuffled(runs, rng);
        let value = |run: usize, rng: &mut Generator| -> Option<f64> {
            Some(match self {
                Nature::Normal => normal(rng),
                Nature::Common => 0.5_f64.sqrt() * (common[run] + normal(rng)),
                Nature::Skewed => normal(rng).exp(),
                Nature::HeavyTailed => {
                    // The sum of two squares is exponential.
                    normal(rng) / (-uniform(rng).ln()).sqrt()
                }
                Nature::Counts => counted(2.0, rng),
                Nature::Binary => f64::from(u8::from(uniform(rng) < 0.5)),
                Nature::Rare if uniform(rng) < 0.9 => 0.0,
                Nature::Rare => 5.0 + normal(rng).abs(),
                Nature::Missing if uniform(rng) < 0.2 => return None,
                Nature::Missing => normal(rng),
                Nature::Drifting => normal(rng) + 0.5 * order[run] as f64,
            })
        };
        (0..measures).map(|_| (0..runs).map(|run| value(run, rng)).collect()).collect()
    }
}

/// A Poisson variable, by its definition.
fn counted(mean: f64, rng: &mut Generator) -> f64 {
    let limit = (-mean).exp();
    let mut product: f64 = Open01.sample(rng);
    let mut count = 0.0;
    while product > limit {
        let factor: f64 = Open01.sample(rng);
        product *= factor;
        count += 1.0;
    }
    count
}

/// In which order runs were made: groups alternate at random.
fn shuffled(runs: usize, rng: &mut Generator) -> Vec<usize> {
    let mut keyed: Vec<(f64, usize)> = (0..runs).map(|run| (Open01.sample(rng), run)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, run)| run).collect()
}
