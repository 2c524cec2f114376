//! How many blocks a statistic needs for an interval at all.

use super::RatioOf;
use super::rare_runs::fewest_runs;
use crate::paired::fewest_blocks;

/// The fewest blocks that can give an interval with two ends that misses with probability `alpha`.
/// `of_each` is how many runs of each subject a block has: 2, or 1 where blocks are pairs.
///
/// ```
/// use fathom_stats::Probability;
/// use fathom_stats::tails::{RatioOf, fewest_tail_blocks};
/// let p99 = RatioOf::Quantile(Probability::new(0.99)?);
/// assert!(fewest_tail_blocks(p99, 0.05, 2) >= 150);
/// // Two of one run in ten are among 64 runs with 99%: rare long runs are seen.
/// assert_eq!(fewest_tail_blocks(RatioOf::Mean, 0.05, 2), 32);
/// assert_eq!(fewest_tail_blocks(RatioOf::Minimum, 0.05, 2), 6);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn fewest_tail_blocks(of: RatioOf, alpha: f64, of_each: usize) -> usize {
    let coins = fewest_blocks(alpha);
    match of {
        RatioOf::Quantile(p) => {
            let beyond = p.get().min(p.complement().get());
            let runs = 2.0 * of_each.max(1) as f64 * beyond;
            coins.max((coins as f64 / runs - 1e-9).ceil() as usize)
        }
        RatioOf::Mean => coins.max(fewest_runs(alpha).div_ceil(of_each.max(1))),
        RatioOf::Minimum => coins,
    }
}
