//! The ratio of two quantiles.
//!
//! All that counts is how many of the runs beyond the pooled quantile are the reference's. Dividing the
//! subject's runs by more and more turns that number, one after the other, into each that is possible;
//! between two turns the test does not change. So every number of runs has one p-value and one
//! stretch of ratios, and the interval is that of the stretches which are not rejected.

mod pooled;
mod widening;

pub(super) use pooled::Pooled;
pub(super) use widening::Widening;

use super::{BlockRuns, Shortage, TailLook, TailRatio};
use crate::paired::{LookStage, fewest_blocks};
use crate::{LogRatioInterval, Probability};

/// At interim looks this many independent blocks, or what they are worth, are wanted where blocks
/// depend on each other.
pub(super) const JUDGEABLE: f64 = 20.0;

pub(super) fn look_at(blocks: &[BlockRuns], p: Probability, look: TailLook) -> TailRatio {
    found(&Pooled::of(blocks, p), look)
}

/// How many blocks can give both ends with coins at level `alpha`: enough coins, and as many runs beyond.
fn blocks_needed(pooled: &Pooled, alpha: f64) -> usize {
    let coins = fewest_blocks(alpha);
    let of_block = pooled.beyond_expected() / pooled.blocks() as f64;
    coins.max((coins as f64 / of_block - 1e-9).ceil() as usize)
}

/// What a look at pooled runs says.
pub(super) fn found(pooled: &Pooled, look: TailLook) -> TailRatio {
    let n = pooled.blocks();
    let estimate = pooled.estimate();
    let widening = Widening::of(pooled);
    let alpha = widening.level(look.alpha);
    let (lower, upper) = pooled.stretch_not_rejected(alpha);
    let (lower, upper) = (lower.min(estimate) - look.tick, upper.max(estimate) + look.tick);
    let interval = match pooled.is_upside_down() {
        false => LogRatioInterval { lower, upper },
        true => LogRatioInterval { lower: -upper, upper: -lower },
    };
    let p_value = if estimate.abs() <= look.tick {
        1.0
    } else {
        widening.p_value(pooled.p_value_at_zero(look.tick))
    };
    let shortage = (!interval.is_finite()).then(|| Shortage::RunsBeyond {
        beyond: pooled.beyond(),
        needed: match blocks_needed(pooled, widening.level_of_many(look.alpha)) {
            enough if enough > n => enough,
            // The widening itself is too uncertain: how many blocks tell it is unknown.
            _ => 2 * n,
        },
    });
    let is_thin = widening.thinness > 1.0 && (n as f64) / widening.thinness < JUDGEABLE;
    TailRatio {
        log_ratio: if pooled.is_upside_down() { -estimate } else { estimate },
        interval,
        shortage,
        used: n,
        thinness: widening.thinness,
        shape: widening.shape,
        p_value,
        may_decide: look.stage == LookStage::Last || !is_thin,
    }
}
