//! The ratio of two minima, for subjects with the same shape of noise.
//!
//! If the candidate ratio is true, a coin decides whose run is the lowest of a block. That the k
//! blocks with the lowest runs of all owe them to the same subject has the probability 2/2ᵏ.

use super::{BlockRuns, Shortage, TailLook, TailRatio};
use crate::LogRatioInterval;
use crate::paired::fewest_blocks;

/// The logarithm of the lowest run of each subject in a block.
#[derive(Debug, Clone, Copy)]
struct Lowest {
    reference: f64,
    subject: f64,
}

/// From a side that is moved down by some amount, how many blocks with the lowest runs owe them to it.
fn lead(blocks: &[Lowest], own: impl Fn(&Lowest) -> f64, other: impl Fn(&Lowest) -> f64) -> usize {
    let is_owned = |block: &&Lowest| own(block) < other(block);
    let first_of_other =
        blocks.iter().filter(|block| !is_owned(block)).map(&other).fold(f64::INFINITY, f64::min);
    blocks.iter().filter(is_owned).filter(|block| own(block) < first_of_other).count()
}

impl Lowest {
    fn of(block: &BlockRuns) -> Lowest {
        let least = |runs: &[f64]| runs.iter().copied().fold(f64::INFINITY, f64::min).ln();
        Lowest { reference: least(block.reference()), subject: least(block.subject()) }
    }
}

/// How far the estimate must move until `is_rejected`, which it is from some distance on; ∞ if never.
fn distance_to(is_rejected: impl Fn(f64) -> bool) -> f64 {
    /// No two logarithms of numbers are farther apart.
    const FARTHEST: f64 = 3000.0;
    /// Until the distance is known to the last digit.
    const HALVINGS: usize = 80;
    let (mut inside, mut outside) = (0.0, 1e-9);
    while !is_rejected(outside) {
        inside = outside;
        outside *= 2.0;
        if outside > FARTHEST {
            return f64::INFINITY;
        }
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            break;
        }
        if is_rejected(middle) { outside = middle } else { inside = middle }
    }
    outside
}

pub(super) fn look_at(blocks: &[BlockRuns], look: TailLook) -> TailRatio {
    let n = blocks.len();
    let lowest: Vec<Lowest> = blocks.iter().map(Lowest::of).collect();
    let whole = |of: fn(&Lowest) -> f64| lowest.iter().map(of).fold(f64::INFINITY, f64::min);
    let estimate = whole(|block| block.subject) - whole(|block| block.reference);
    let of_reference =
        |log: f64| lead(&lowest, |block| block.reference + log, |block| block.subject);
    let of_subject = |log: f64| lead(&lowest, |block| block.subject, |block| block.reference + log);
    let fewest = fewest_blocks(look.alpha);
    let below = distance_to(|distance| of_reference(estimate - distance) >= fewest);
    let above = distance_to(|distance| of_subject(estimate + distance) >= fewest);
    let interval = LogRatioInterval {
        lower: estimate - below - look.tick,
        upper: estimate + above + look.tick,
    };
    let leading = if estimate >= 0.0 { of_reference(look.tick) } else { of_subject(-look.tick) };
    let p_value = if estimate.abs() <= look.tick {
        1.0
    } else {
        (2.0 * 0.5_f64.powi(leading.min(1000) as i32)).min(1.0)
    };
    TailRatio {
        log_ratio: estimate,
        interval,
        shortage: (!interval.is_finite()).then_some(Shortage::Blocks { needed: fewest.max(n + 1) }),
        used: n,
        thinness: 1.0,
        shape: 1.0,
        p_value,
        may_decide: true,
    }
}
