//! How many more blocks would settle a comparison.

use super::Located;
use crate::distribution::normal;

/// The blocks that would probably settle it, counted from the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FurtherBlocks {
    /// Settled by then in half of the cases or more.
    pub blocks: usize,
}

/// The chance of settling it by then is 80% if the estimate is right.
const POWER: f64 = 0.84;
/// More than this is out of reach.
const MOST: f64 = 1e9;

/// From an undecided look at `n` blocks: until zero is left out, or until the interval lies within
/// ±`margin`, whichever comes first. `None` if neither is in sight.
///
/// `spent` is the α of the look, `coming` that of a look to come.
///
/// ```
/// use fathom_stats::paired::{Block, Choice, LookStage, further_blocks, locate};
///
/// // Twenty blocks: the subject takes about 2% longer.
/// let blocks: Vec<Block> = (0..20)
///     .filter_map(|i| Block::of_pair(1.02 + 0.002 * f64::from((i * 7) % 20 - 10), 1.0))
///     .collect();
/// let look = locate(&blocks, Choice::All, 0.05, LookStage::Last, 0.0).ok_or("no blocks")?;
/// // To show that it is less than 2.1%, more blocks are needed.
/// assert!(look.interval.lower > 0.0);
/// let more = further_blocks(&look, 20, 0.021, 0.05, 0.05);
/// assert!(more.is_some_and(|further| further.blocks >= 20));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn further_blocks(
    look: &Located,
    n: usize,
    margin: f64,
    spent: f64,
    coming: f64,
) -> Option<FurtherBlocks> {
    let size = look.log_ratio.abs();
    // Up to zero, or from inside up to the margin.
    let distance = if size < margin { size.max(margin - size) } else { size };
    blocks_to_clear(look, n, distance, spent, coming)
}

/// From a look at `n` blocks: until the interval ends within `distance` of the estimate. `None` if
/// that is not in sight.
///
/// `spent` is the α of the look, `coming` that of a look to come.
///
/// ```
/// use fathom_stats::paired::{Block, Choice, LookStage, blocks_to_clear, locate};
///
/// // Twenty blocks: the subject takes about 2% longer.
/// let blocks: Vec<Block> = (0..20)
///     .filter_map(|i| Block::of_pair(1.02 + 0.002 * f64::from((i * 7) % 20 - 10), 1.0))
///     .collect();
/// let look = locate(&blocks, Choice::All, 0.05, LookStage::Last, 0.0).ok_or("no blocks")?;
/// let clear = blocks_to_clear(&look, 20, 0.001, 0.05, 0.05).ok_or("out of reach")?;
/// assert!(clear.blocks > 20);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn blocks_to_clear(
    look: &Located,
    n: usize,
    distance: f64,
    spent: f64,
    coming: f64,
) -> Option<FurtherBlocks> {
    let half_width = 0.5 * look.interval.width();
    if !half_width.is_finite() || half_width <= 0.0 {
        return None;
    }
    let z = |alpha: f64| -normal::quantile(0.5 * alpha);
    // In units of all blocks, so that blocks set aside are counted with those to come.
    let spread = half_width * (n as f64).sqrt() / z(spent);
    let blocks = ((z(coming) + POWER) * spread / distance).powi(2).ceil();
    (blocks < MOST).then(|| FurtherBlocks { blocks: (blocks as usize).max(n + 1) })
}

/// The smallest log-ratio that `blocks` blocks would show in four of five comparisons, by the noise
/// of a look at `n` blocks; `None` if the look has no interval.
///
/// ```
/// use fathom_stats::paired::{Block, Choice, LookStage, detectable, locate};
///
/// // Twenty blocks: the subject takes about 2% longer.
/// let blocks: Vec<Block> = (0..20)
///     .filter_map(|i| Block::of_pair(1.02 + 0.002 * f64::from((i * 7) % 20 - 10), 1.0))
///     .collect();
/// let look = locate(&blocks, Choice::All, 0.05, LookStage::Last, 0.0).ok_or("no blocks")?;
/// let now = detectable(&look, 20, 0.05, 0.05, 20.0).ok_or("no interval")?;
/// let later = detectable(&look, 20, 0.05, 0.05, 2000.0).ok_or("no interval")?;
/// assert!((now / later - 10.0).abs() < 1e-9);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn detectable(look: &Located, n: usize, spent: f64, coming: f64, blocks: f64) -> Option<f64> {
    let half_width = 0.5 * look.interval.width();
    let z = |alpha: f64| -normal::quantile(0.5 * alpha);
    let spread = half_width * (n as f64).sqrt() / z(spent);
    let smallest = (z(coming) + POWER) * spread / blocks.sqrt();
    smallest.is_finite().then_some(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LogRatioInterval;
    use crate::paired::Guard;

    fn look(estimate: f64, half_width: f64) -> Located {
        Located {
            log_ratio: estimate,
            interval: LogRatioInterval {
                lower: estimate - half_width,
                upper: estimate + half_width,
            },
            used: 100,
            guard: Guard { lag1: 0.0, thinness: 1.0 },
            p_value: 0.5,
            may_decide: true,
        }
    }

    /// With the same z at both looks, a half width that must shrink by the factor f (and leave room
    /// for the power) needs f² as many blocks.
    #[test]
    fn a_closed_form() {
        let z = -normal::quantile(0.025);
        let factor = (z + POWER) / z * 0.02 / 0.01;
        let expected = (100.0 * factor * factor).ceil() as usize;
        assert_eq!(
            further_blocks(&look(0.01, 0.02), 100, 0.001, 0.05, 0.05),
            Some(FurtherBlocks { blocks: expected })
        );
        // The same distance to the margin from inside.
        let same = further_blocks(&look(0.0, 0.02), 100, 0.01, 0.05, 0.05);
        assert_eq!(same, Some(FurtherBlocks { blocks: expected }));
    }

    /// Four times the blocks show half the difference; and the blocks that a difference needs are
    /// those that show it.
    #[test]
    fn what_is_detectable_is_what_the_blocks_are_for() {
        let found = look(0.01, 0.02);
        let smallest = |blocks| detectable(&found, 100, 0.05, 0.05, blocks).unwrap();
        assert!((smallest(100.0) / smallest(400.0) - 2.0).abs() < 1e-12);
        let needed = further_blocks(&found, 100, 0.001, 0.05, 0.05).unwrap().blocks;
        assert!((smallest(needed as f64) - 0.01).abs() < 1e-5);
    }

    #[test]
    fn what_is_out_of_reach_is_not_promised() {
        assert_eq!(further_blocks(&look(0.0, 0.02), 100, 0.0, 0.05, 0.05), None);
        assert_eq!(further_blocks(&look(0.0, f64::INFINITY), 5, 0.01, 0.05, 0.05), None);
    }
}
