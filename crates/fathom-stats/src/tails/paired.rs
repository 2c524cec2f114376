//! A look at blocks.

use super::{BlockRuns, RatioOf, TailRatio, mean, minimum, quantile};
use crate::paired::LookStage;

/// How a look judges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailLook {
    /// The interval misses with this probability at most.
    pub alpha: f64,
    /// Whether more blocks may follow.
    pub stage: LookStage,
    /// The relative grain of the measurement: the interval is wider by it, so that a coarse clock
    /// cannot make it a point.
    pub tick: f64,
    /// Of the signs that are drawn where there are too many to count. It must not be that of the
    /// blocks' own coins.
    pub seed: u64,
}

/// Looks at blocks in their order; `None` without any.
///
/// ```
/// use fathom_stats::Probability;
/// use fathom_stats::paired::LookStage;
/// use fathom_stats::tails::{BlockRuns, RatioOf, TailLook, tail_ratio};
///
/// // The subject takes 5% longer.
/// let run = |i: u32| 1.0 + 0.001 * f64::from((i * 37) % 101);
/// let blocks: Vec<BlockRuns> = (0..200)
///     .filter_map(|i| BlockRuns::of_pair(1.05 * run(2 * i + 1), run(2 * i)))
///     .collect();
/// let look = TailLook { alpha: 0.05, stage: LookStage::Last, tick: 0.0, seed: 1 };
/// for of in [RatioOf::Quantile(Probability::P90), RatioOf::Mean, RatioOf::Minimum] {
///     let found = tail_ratio(&blocks, of, look).ok_or("no blocks")?;
///     assert!(found.interval.lower > 0.0 && found.interval.contains(1.05_f64.ln()));
/// }
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn tail_ratio(blocks: &[BlockRuns], of: RatioOf, look: TailLook) -> Option<TailRatio> {
    if blocks.is_empty() {
        return None;
    }
    Some(match of {
        RatioOf::Quantile(p) => quantile::look_at(blocks, p, look),
        RatioOf::Mean => mean::look_at(blocks, look),
        RatioOf::Minimum => minimum::look_at(blocks, look),
    })
}
