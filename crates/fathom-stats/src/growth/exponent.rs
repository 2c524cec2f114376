//! The exponent of growth between two sizes.

use super::SizedTime;
use crate::Interval;

/// How far apart the two sizes of an exponent are at least.
const STEP: f64 = 4.0;

/// By which power of the size the time grows between two sizes: 2 is n².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthExponent {
    /// The smaller size.
    pub from: f64,
    /// The larger size.
    pub to: f64,
    /// ln(time ratio) / ln(size ratio).
    pub value: f64,
    /// Its interval, of the confidence of the times' intervals.
    pub interval: Interval,
}

impl GrowthExponent {
    /// At the large end: between the largest size and the nearest one that is at most a quarter of it.
    pub(super) fn at_large_end(times: &[SizedTime]) -> Option<GrowthExponent> {
        let to = times.last()?;
        let from = times.iter().rev().find(|one| one.size * STEP <= to.size)?;
        Some(GrowthExponent::between(from, to))
    }

    /// At the small end: between the smallest size and the nearest one that is at least four times it.
    pub(super) fn at_small_end(times: &[SizedTime]) -> Option<GrowthExponent> {
        let from = times.first()?;
        let to = times.iter().find(|one| one.size >= from.size * STEP)?;
        Some(GrowthExponent::between(from, to))
    }

    fn between(from: &SizedTime, to: &SizedTime) -> GrowthExponent {
        let apart = libm::log(to.size / from.size);
        let log_ratio = libm::log(to.time / from.time);
        // The errors of two independent times, each side with its own distances.
        let below = libm::hypot(to.below(), from.above());
        let above = libm::hypot(to.above(), from.below());
        GrowthExponent {
            from: from.size,
            to: to.size,
            value: log_ratio / apart,
            interval: Interval {
                lower: (log_ratio - below) / apart,
                upper: (log_ratio + above) / apart,
            },
        }
    }
}
