//! Intervals that hold at every look: a confidence sequence from the beta-mixture e-value.
//!
//! E+ is the likelihood of the data under a uniform mixture of all success probabilities above F,
//! over their likelihood at F. While the true probability is at most F it is a non-negative
//! supermartingale that starts at 1, so it ever reaches 1/α with probability at most α (Ville).
//! E− is the mirror image. The quantile's interval keeps the thresholds that neither rejects.

use super::RankPair;
use super::{last_true, smallest};
use crate::distribution::beta::{Tails, UnitPoint, ln_density_scale, ln_regularised};
use crate::{Confidence, Probability, Sides};

/// The logarithms of the evidence that the success probability is above, and below, F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogEvidence {
    /// ln E+, against "at most F".
    pub above: f64,
    /// ln E−, against "at least F".
    pub below: f64,
}

/// The evidence after `successes` in n samples.
///
/// ```
/// use fathom_stats::{quantile::sequence::log_evidence, Probability};
/// // One success: E+ = ∫_F^1 (θ/F) dθ / (1 − F) = (1 + F) / (2F).
/// let one = log_evidence(1, 1, Probability::new(0.9)?);
/// assert!((one.above - f64::ln(1.9 / 1.8)).abs() < 1e-14);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn log_evidence(successes: usize, n: usize, proportion: Probability) -> LogEvidence {
    let (a, b) = ((successes + 1) as f64, (n.saturating_sub(successes) + 1) as f64);
    let at = UnitPoint::at(proportion.get());
    // ln of B(a, b) / (F^S (1 − F)^(n − S)).
    let mixture = at.x.ln() + at.y.ln() - ln_density_scale(a, b, at);
    let Tails { lower, upper } = ln_regularised(a, b, at);
    LogEvidence { above: mixture + upper - at.y.ln(), below: mixture + lower - at.x.ln() }
}

/// The ranks whose interval covers the p-quantile at every n at once with confidence C.
#[must_use]
pub fn ranks(n: usize, p: Probability, confidence: Confidence, sides: Sides) -> RankPair {
    let threshold = threshold(confidence, sides);
    let lower = (sides != Sides::Upper)
        .then(|| {
            // Thresholds with at most S values at or below them are too low.
            last_true(n, |v| log_evidence(v - 1, n, p).below >= threshold)
        })
        .filter(|&rank| rank > 0);
    let upper = (sides != Sides::Lower)
        .then(|| {
            // Thresholds with at least S values at or below them are too high.
            last_true(n, |v| log_evidence(n + 1 - v, n, p).above >= threshold)
        })
        .filter(|&from_top| from_top > 0)
        .map(|from_top| n + 1 - from_top);
    RankPair::with_coverage(n, p, lower, upper)
}

/// The smallest n at which [`ranks`] has all the ends that were asked for.
#[must_use]
pub fn samples_needed(p: Probability, confidence: Confidence, sides: Sides) -> usize {
    let threshold = threshold(confidence, sides);
    smallest(|n| {
        (sides == Sides::Upper || log_evidence(0, n, p).below >= threshold)
            && (sides == Sides::Lower || log_evidence(n, n, p).above >= threshold)
    })
}

fn threshold(confidence: Confidence, sides: Sides) -> f64 {
    let ends = if sides == Sides::Both { 2.0 } else { 1.0 };
    (ends / confidence.alpha()).ln()
}
