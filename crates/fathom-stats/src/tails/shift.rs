//! The ratios of many quantiles at once.
//!
//! The same coins decide at every quantile, so the smallest of the p-values has a distribution that the
//! coins give as well. It says how small the level of each must be for all to hold together, which is
//! more than the level divided by their number, because neighbouring quantiles share most of their runs.

mod joint_level;

use super::quantile::{Pooled, Widening, found};
use super::{BlockRuns, RatioOf, TailLook, TailRatio, fewest_tail_blocks};
use crate::Probability;

/// The levels that [`shift_levels`] chooses from.
const LEVELS: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

/// The ratio at one quantile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShiftAt {
    /// The quantile's level.
    pub level: Probability,
    /// Its ratio. The interval holds together with those of all other levels.
    pub ratio: TailRatio,
}

/// The ratios of many quantiles, with intervals that hold all at once.
#[derive(Debug, Clone, PartialEq)]
pub struct TailShift {
    /// In the order in which they were asked for.
    pub at: Vec<ShiftAt>,
    /// The α of each interval alone.
    pub alpha_of_each: f64,
}

/// The levels that this number of blocks can say something about: some of 5, 10, 25, 50, 75, 90, 95, 99 and
/// 99.9%. `of_each` is how many runs of each subject a block has.
///
/// ```
/// use fathom_stats::tails::shift_levels;
/// assert_eq!(shift_levels(100, 2, 0.05).last().map(|level| level.get()), Some(0.95));
/// assert!(shift_levels(3, 2, 0.05).is_empty());
/// ```
#[must_use]
pub fn shift_levels(blocks: usize, of_each: usize, alpha: f64) -> Vec<Probability> {
    let alpha_of_each = alpha / LEVELS.len() as f64;
    LEVELS
        .into_iter()
        .filter_map(|level| Probability::new(level).ok())
        .filter(|&p| fewest_tail_blocks(RatioOf::Quantile(p), alpha_of_each, of_each) <= blocks)
        .collect()
}

/// Looks at blocks for the ratios of all these quantiles; `None` without blocks or levels. All
/// intervals hold at once with probability 1 − α.
///
/// ```
/// use fathom_stats::paired::LookStage;
/// use fathom_stats::tails::{BlockRuns, TailLook, shift_levels, tail_shift};
///
/// let run = |i: u32| 1.0 + 0.001 * f64::from((i * 37) % 101);
/// let blocks: Vec<BlockRuns> = (0..200)
///     .filter_map(|i| BlockRuns::of_pair(1.05 * run(2 * i + 1), run(2 * i)))
///     .collect();
/// let look = TailLook { alpha: 0.05, stage: LookStage::Last, tick: 0.0, seed: 1 };
/// let levels = shift_levels(200, 1, 0.05);
/// let shift = tail_shift(&blocks, &levels, look).ok_or("nothing to look at")?;
/// assert!(shift.at.iter().all(|at| at.ratio.interval.contains(1.05_f64.ln())));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn tail_shift(
    blocks: &[BlockRuns],
    levels: &[Probability],
    look: TailLook,
) -> Option<TailShift> {
    if blocks.is_empty() || levels.is_empty() {
        return None;
    }
    let pooled: Vec<Pooled> = levels.iter().map(|&level| Pooled::of(blocks, level)).collect();
    let at_least = look.alpha / levels.len() as f64;
    let by_coins = joint_level::alpha_of_each(&pooled, look);
    // The coins know how alike neighbouring quantiles are. What shapes that differ add is less alike, so
    // the level shrinks with it.
    let widest = pooled.iter().map(|pooled| Widening::of(pooled).shape()).fold(1.0, f64::max);
    let alpha_of_each = (by_coins / (widest * widest)).max(at_least);
    let each = TailLook { alpha: alpha_of_each, ..look };
    let at = levels.iter().zip(&pooled);
    let at = at.map(|(&level, pooled)| ShiftAt { level, ratio: found(pooled, each) }).collect();
    Some(TailShift { at, alpha_of_each })
}
