//! Hodges and Lehmann's estimate of the log-ratio, with its signed-rank interval.

use super::walsh::count_up_to;
use super::{Block, Guard, at_most, guard, kth_walsh, median_walsh, quiet_blocks, rank};
use crate::LogRatioInterval;

/// Which blocks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// All of them.
    All,
    /// Those of quiet moments, if a part ran under other load.
    Quiet,
}

/// Whether more blocks may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookStage {
    /// They may.
    Interim,
    /// They may not.
    Last,
}

/// Where the log-ratio lies, by one look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Located {
    /// The estimate of the log-ratio.
    pub log_ratio: f64,
    /// Of the log-ratio; misses the truth with probability α at most.
    pub interval: LogRatioInterval,
    /// How many blocks it rests on.
    pub used: usize,
    /// What the guard found.
    pub guard: Guard,
    /// The smallest α at which the interval would leave out zero.
    pub p_value: f64,
    /// Whether the look may end the comparison: at an interim look, blocks that depend on each
    /// other may be too few to judge by.
    pub may_decide: bool,
}

/// At interim looks this many independent blocks, or what they are worth, are wanted where blocks
/// depend on each other.
const JUDGEABLE: f64 = 20.0;

/// Looks at blocks in their order; `None` without any.
///
/// `tick` is the relative grain of the measurement: the interval is widened by it, so that a coarse
/// clock cannot make it a point.
///
/// ```
/// use fathom_stats::paired::{Block, Choice, LookStage, locate};
///
/// let blocks: Vec<Block> = (0..20)
///     .filter_map(|i| Block::of_pair(1.02 + 0.002 * f64::from((i * 7) % 20 - 10), 1.0))
///     .collect();
/// let look = locate(&blocks, Choice::All, 0.05, LookStage::Last, 0.0).ok_or("no blocks")?;
/// assert!((look.log_ratio - 1.02_f64.ln()).abs() < 0.002);
/// assert!(look.interval.lower > 0.0 && look.p_value < 0.05);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn locate(
    blocks: &[Block],
    choice: Choice,
    alpha: f64,
    stage: LookStage,
    tick: f64,
) -> Option<Located> {
    let log_ratios: Vec<f64> = match choice {
        Choice::All => blocks.iter().map(|block| block.log_ratio).collect(),
        Choice::Quiet => {
            quiet_blocks(blocks).into_iter().map(|index| blocks[index].log_ratio).collect()
        }
    };
    let mut sorted = log_ratios.clone();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let estimate = median_walsh(&sorted)?;
    let guard = guard(&log_ratios);
    let widening = guard.widening();
    let k = rank(n, alpha);
    let ends = (kth_walsh(&sorted, k), kth_walsh(&sorted, n * (n + 1) / 2 + 1 - k));
    let interval = match ends {
        (Some(lower), Some(upper)) => LogRatioInterval {
            lower: estimate - widening * (estimate - lower) - tick,
            upper: estimate + widening * (upper - estimate) + tick,
        },
        _ => LogRatioInterval::EVERYTHING,
    };
    let is_thin = guard.thinness > 1.0 && (n as f64) / guard.thinness < JUDGEABLE;
    Some(Located {
        log_ratio: estimate,
        interval,
        used: n,
        guard,
        p_value: p_value(&sorted, estimate, widening, tick),
        may_decide: stage == LookStage::Last || !is_thin,
    })
}

/// The interval's lower end is above zero exactly if the k-th average is above a limit that makes
/// up for widening and tick; so the averages up to that limit tell at which rank, hence at which
/// level, zero is left out.
fn p_value(sorted: &[f64], estimate: f64, widening: f64, tick: f64) -> f64 {
    let above = |sorted: &[f64], estimate: f64| {
        let limit = estimate - (estimate - tick) / widening;
        count_up_to(sorted, limit)
    };
    let count = if estimate >= 0.0 {
        above(sorted, estimate)
    } else {
        let mirrored: Vec<f64> = sorted.iter().rev().map(|value| -value).collect();
        above(&mirrored, -estimate)
    };
    (2.0 * at_most(sorted.len(), count)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn blocks(log_ratios: &[f64]) -> Vec<Block> {
        log_ratios.iter().map(|&log_ratio| Block { log_ratio, log_total: 0.0 }).collect()
    }

    fn near(found: &Located, estimate: f64, lower: f64, upper: f64) {
        assert!((found.log_ratio - estimate).abs() < 1e-12, "{found:?}");
        assert!((found.interval.lower - lower).abs() < 1e-12, "{found:?}");
        assert!((found.interval.upper - upper).abs() < 1e-12, "{found:?}");
    }

    fn plain(log_ratios: &[f64], alpha: f64) -> Located {
        let found = locate(&blocks(log_ratios), Choice::All, alpha, LookStage::Last, 0.0).unwrap();
        // The vectors of the design are without guard.
        let widening = found.guard.widening();
        let unwiden = |end: f64| found.log_ratio + (end - found.log_ratio) / widening;
        let LogRatioInterval { lower, upper } = found.interval;
        Located {
            interval: LogRatioInterval { lower: unwiden(lower), upper: unwiden(upper) },
            ..found
        }
    }

    #[test]
    fn the_design_gives_these_numbers() {
        let d1 = [0.012, -0.003, 0.008, 0.021, -0.011, 0.005, 0.017, 0.002, -0.006, 0.009];
        near(&plain(&d1, 0.05), 0.0055, -0.002, 0.013);
        near(&plain(&d1, 0.015), 0.0055, -0.0045, 0.015);
        let d2 = [0.031, 0.024, 0.018, 0.029, 0.350, 0.022, 0.027, 0.019, 0.025, 0.021];
        near(&plain(&d2, 0.015), 0.025, 0.020, 0.1875);
        let ties = [0.0, 0.0, 0.01, 0.01, -0.01, 0.0, 0.02, 0.01, 0.0, 0.01];
        near(&plain(&ties, 0.015), 0.005, -0.005, 0.015);
        near(&plain(&ties, 0.02), 0.005, 0.0, 0.01);
    }

    #[test]
    fn too_few_blocks_know_nothing() {
        let found = plain(&[0.1, 0.2, 0.3], 0.05);
        assert_eq!(found.interval, LogRatioInterval::EVERYTHING);
        assert!(locate(&[], Choice::All, 0.05, LookStage::Last, 0.0).is_none());
    }

    #[test]
    fn a_tick_keeps_the_interval_from_becoming_a_point() {
        let found = locate(&blocks(&[0.0; 12]), Choice::All, 0.05, LookStage::Last, 1e-3).unwrap();
        assert_eq!(found.interval, LogRatioInterval { lower: -1e-3, upper: 1e-3 });
        assert_eq!(found.p_value, 1.0);
    }

    proptest! {
        /// The p-value is the level at which the interval begins to leave out zero.
        #[test]
        fn p_value_and_interval_agree(
            values in proptest::collection::vec(-0.02..0.05_f64, 6..40), alpha in 0.001..0.4_f64
        ) {
            let found = locate(&blocks(&values), Choice::All, alpha, LookStage::Last, 1e-4).unwrap();
            let is_out = !found.interval.contains(0.0);
            prop_assert_eq!(is_out, found.p_value <= alpha * (1.0 + 1e-12), "{:?}", found);
        }
    }
}
