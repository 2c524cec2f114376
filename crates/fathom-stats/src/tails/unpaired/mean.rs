//! The ratio of two means of separate results.

use super::p_value::p_value;
use super::{Sides, UnpairedRuns};
use crate::LogRatioInterval;
use crate::dependence::SAMPLES_TO_JUDGE;
use crate::distribution::student_t;
use crate::mean::Moments;
use crate::tails::{Shortage, TailRatio};

struct Side {
    /// The logarithm of the largest run: the others are parts of it, so that nothing overflows.
    log_unit: f64,
    mean: f64,
    /// The variance of the mean.
    error: f64,
    freedom: f64,
}

/// What runs are worth at least that have an interval, and how many there must be to judge that.
const LEAST_EFFECTIVE: f64 = 4.0;
const FEWEST: usize = SAMPLES_TO_JUDGE;

impl Side {
    fn of(runs: UnpairedRuns<'_>) -> Side {
        let largest = runs.values().iter().copied().fold(0.0, f64::max);
        let parts: Vec<f64> = runs.values().iter().map(|run| run / largest).collect();
        let (mean, sd) = Moments::of(&parts).map_or((1.0, 0.0), |found| (found.mean, found.sd));
        let is_thin = runs.effective() < parts.len() as f64;
        // The long-run variance of dependent runs is known from far fewer quantities.
        let freedom = if is_thin { 0.5 * runs.effective() } else { runs.effective() - 1.0 };
        Side { log_unit: largest.ln(), mean, error: sd * sd / runs.effective(), freedom }
    }
}

/// Fieller's interval for the ratio of the means, as logarithms.
fn fieller(subject: &Side, reference: &Side, alpha: f64) -> LogRatioInterval {
    let end = |above: &Side, below: &Side| {
        // The largest ratio r with (above − r·below)² ≤ t²(e_above + r²·e_below).
        let ratio = above.mean / below.mean;
        let (a, b) = (above.error, ratio * ratio * below.error);
        let freedom = (a + b).powi(2) / (a * a / above.freedom + b * b / below.freedom);
        let t = if a + b > 0.0 { -student_t::quantile(freedom.max(1.0), 0.5 * alpha) } else { 0.0 };
        let quadratic = below.mean.powi(2) - t * t * below.error;
        if quadratic <= 0.0 {
            return f64::INFINITY;
        }
        let linear = above.mean * below.mean;
        let rest = above.mean.powi(2) - t * t * above.error;
        let root = (linear * linear - quadratic * rest).max(0.0).sqrt();
        ((linear + root) / quadratic).ln() + above.log_unit - below.log_unit
    };
    LogRatioInterval { lower: -end(reference, subject), upper: end(subject, reference) }
}

pub(super) fn look_at(sides: Sides<'_>) -> TailRatio {
    let n = sides.least();
    let [subject, reference] = [sides.subject, sides.reference].map(Side::of);
    let log_ratio = (subject.mean / reference.mean).ln() + subject.log_unit - reference.log_unit;
    let least = sides.subject.effective().min(sides.reference.effective());
    let interval = |alpha: f64| {
        if n < FEWEST || least < LEAST_EFFECTIVE {
            return LogRatioInterval::EVERYTHING;
        }
        let found = fieller(&subject, &reference, alpha);
        LogRatioInterval {
            lower: found.lower.min(log_ratio) - sides.tick,
            upper: found.upper.max(log_ratio) + sides.tick,
        }
    };
    let found = interval(sides.alpha);
    let needed = (LEAST_EFFECTIVE * sides.thinness()).ceil() as usize;
    TailRatio {
        log_ratio,
        interval: found,
        shortage: (!found.is_finite()).then(|| match least < LEAST_EFFECTIVE && n >= FEWEST {
            true => Shortage::Dependent { needed: needed.max(n + 1) },
            // A mean that may be zero needs more: how many more is as unknown as its variance.
            false => Shortage::Blocks { needed: FEWEST.max(2 * n) },
        }),
        used: n,
        thinness: sides.thinness(),
        shape: 1.0,
        p_value: p_value(|alpha| !interval(alpha).contains(0.0)),
        may_decide: true,
    }
}
