//! Intervals for the share itself.
//!
//! E+ at F is ∫₀¹ (1 + u(1 − F)/F)^S (1 − u)^(n − S) du (put θ = F + (1 − F)u), which falls as F
//! grows: the shares that it rejects are all those up to a bound, and the bound is at least F
//! exactly when the claim for F is decided positively.

use super::evidence::log_evidence_at;
use crate::distribution::beta::UnitPoint;
use crate::mean::proportion as clopper_pearson;
use crate::{Confidence, Interval, Sides};

/// The shares that the data leave, valid at every look at once with confidence C: each side may
/// err with (1 − C)/2.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::proportion::{anytime_bounds, anytime_interval, exact_bounds, exact_interval};
///
/// let c = Confidence::DEFAULT;
/// let exact = exact_interval(90, 100, c);
/// assert!(exact.contains(0.9));
/// // Looking at any time costs width, and so does knowing both ends at once.
/// let anytime = anytime_interval(90, 100, c);
/// assert!(anytime.width() > exact.width());
/// assert!(anytime_bounds(90, 100, c).lower > anytime.lower);
/// assert!(exact_bounds(90, 100, c).upper < exact.upper);
/// ```
#[must_use]
pub fn anytime_interval(successes: usize, n: usize, confidence: Confidence) -> Interval {
    ends(successes, n, (2.0 / confidence.alpha()).ln())
}

/// A lower and an upper bound, each for itself valid at every look with confidence C. They match
/// the decisions of [`Rule::anytime`](super::Rule::anytime).
#[must_use]
pub fn anytime_bounds(successes: usize, n: usize, confidence: Confidence) -> Interval {
    ends(successes, n, (1.0 / confidence.alpha()).ln())
}

/// Clopper and Pearson's interval, valid if n was fixed before the first look.
#[must_use]
pub fn exact_interval(successes: usize, n: usize, confidence: Confidence) -> Interval {
    if n == 0 {
        return Interval { lower: 0.0, upper: 1.0 };
    }
    clopper_pearson(successes.min(n) as f64, n as f64, confidence, Sides::Both)
}

/// A lower and an upper bound, each for itself valid with confidence C at a fixed n. They match
/// the decisions of [`Rule::exact`](super::Rule::exact).
#[must_use]
pub fn exact_bounds(successes: usize, n: usize, confidence: Confidence) -> Interval {
    if n == 0 {
        return Interval { lower: 0.0, upper: 1.0 };
    }
    let (s, n) = (successes.min(n) as f64, n as f64);
    Interval {
        lower: clopper_pearson(s, n, confidence, Sides::Lower).lower,
        upper: clopper_pearson(s, n, confidence, Sides::Upper).upper,
    }
}

fn ends(successes: usize, n: usize, threshold: f64) -> Interval {
    let successes = successes.min(n);
    Interval {
        lower: lower(successes, n, threshold).x,
        // Mirrored: an upper bound of successes is a lower one of failures.
        upper: lower(n - successes, n, threshold).y,
    }
}

/// The share at which ln E+ falls below the threshold.
fn lower(successes: usize, n: usize, threshold: f64) -> UnitPoint {
    if successes == 0 {
        return UnitPoint { x: 0.0, y: 1.0 };
    }
    let is_rejected =
        |logit: f64| log_evidence_at(successes, n, from_logit(logit)).above >= threshold;
    // At the observed share E+ is at most 1, so the bound lies below; with no failures, anywhere
    // below 1.
    let mut high = (successes as f64 / (n - successes) as f64).ln().min(700.0);
    let mut step = 1.0;
    let mut low = high - step;
    while !is_rejected(low) && low > -700.0 {
        high = low;
        step *= 2.0;
        low -= step;
    }
    // Halving a distance to its last bit takes at most some sixty steps.
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if is_rejected(middle) { low = middle } else { high = middle }
    }
    from_logit(low)
}

fn from_logit(logit: f64) -> UnitPoint {
    UnitPoint { x: 1.0 / (1.0 + (-logit).exp()), y: 1.0 / (1.0 + logit.exp()) }
}
