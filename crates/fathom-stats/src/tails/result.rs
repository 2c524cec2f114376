//! What a look at a ratio found.

use crate::LogRatioInterval;
use crate::distribution::normal;
use crate::paired::FurtherBlocks;

/// The ratio of one statistic, as its logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailRatio {
    /// The estimate of the log-ratio.
    pub log_ratio: f64,
    /// Of the log-ratio; misses the truth with probability α at most. An end that the data cannot
    /// support is infinite, and [`TailRatio::shortage`] says what is missing.
    pub interval: LogRatioInterval,
    /// Why an end is missing.
    pub shortage: Option<Shortage>,
    /// How many blocks it rests on; of results measured separately, how many runs of the smaller.
    pub used: usize,
    /// How much fewer blocks these are worth because they depend on each other: 1 if they look
    /// independent.
    pub thinness: f64,
    /// By how much the interval is wider because the subjects have different shapes there: 1 if they
    /// look alike.
    pub shape: f64,
    /// The smallest α at which the interval would leave out zero.
    pub p_value: f64,
    /// Whether the look may end the comparison: at an interim look, blocks that depend on each
    /// other may be too few to judge by.
    pub may_decide: bool,
}

/// Why an interval lacks an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// Too few blocks for any interval at this level.
    Blocks {
        /// About how many would do.
        needed: usize,
    },
    /// Too few runs beyond the quantile.
    RunsBeyond {
        /// How many runs of both subjects are beyond it.
        beyond: usize,
        /// About how many blocks would do.
        needed: usize,
    },
    /// Blocks that depend on each other too much.
    Dependent {
        /// About how many would do, if they are like these.
        needed: usize,
    },
    /// Too few runs for a mean: rare long ones may be missing among them, or few of them decide it.
    RareRuns {
        /// About how many blocks would do.
        needed: usize,
    },
}

impl Shortage {
    /// About how many blocks would give both ends; of results measured separately, how many runs of
    /// each.
    ///
    /// ```
    /// use fathom_stats::tails::Shortage;
    /// assert_eq!(Shortage::RunsBeyond { beyond: 4, needed: 300 }.needed(), 300);
    /// ```
    #[must_use]
    pub fn needed(self) -> usize {
        match self {
            Shortage::Blocks { needed }
            | Shortage::RunsBeyond { needed, .. }
            | Shortage::Dependent { needed }
            | Shortage::RareRuns { needed } => needed,
        }
    }
}

/// The chance of clearing the distance by then is 80% if the estimate is right.
const POWER: f64 = 0.84;
/// More than this is out of reach.
const MOST: f64 = 1e9;

impl TailRatio {
    /// From a look at `n` blocks: how many until the interval probably ends within `distance` of the
    /// estimate. Where an end is missing, at least as many as give both. `None` if that is out of reach.
    ///
    /// `spent` is the α of the look, `coming` that of a look to come.
    ///
    /// ```
    /// use fathom_stats::paired::LookStage;
    /// use fathom_stats::tails::{BlockRuns, RatioOf, TailLook, tail_ratio};
    ///
    /// let run = |i: u32| 1.0 + 0.01 * f64::from((i * 37) % 101);
    /// let blocks: Vec<BlockRuns> =
    ///     (0..50).filter_map(|i| BlockRuns::of_pair(run(2 * i + 1), run(2 * i))).collect();
    /// let look = TailLook { alpha: 0.05, stage: LookStage::Last, tick: 0.0, seed: 1 };
    /// let found = tail_ratio(&blocks, RatioOf::Mean, look).ok_or("no blocks")?;
    /// let more = found.blocks_to_clear(50, 0.01, 0.05, 0.05).ok_or("out of reach")?;
    /// assert!(more.blocks > 50);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn blocks_to_clear(
        &self,
        n: usize,
        distance: f64,
        spent: f64,
        coming: f64,
    ) -> Option<FurtherBlocks> {
        if let Some(shortage) = self.shortage {
            return Some(FurtherBlocks { blocks: shortage.needed().max(n + 1) });
        }
        let half_width = 0.5 * self.interval.width();
        if !half_width.is_finite() || half_width <= 0.0 {
            return None;
        }
        let z = |alpha: f64| -normal::quantile(0.5 * alpha);
        let spread = half_width * (n as f64).sqrt() / z(spent);
        let blocks = ((z(coming) + POWER) * spread / distance).powi(2).ceil();
        (blocks < MOST).then(|| FurtherBlocks { blocks: (blocks as usize).max(n + 1) })
    }
}
