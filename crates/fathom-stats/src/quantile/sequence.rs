//! Intervals that hold at every look: a confidence sequence from the beta-mixture e-value.
//!
//! Of every threshold one can ask of how many values it is exceeded ([`log_evidence`]). The
//! quantile's interval keeps the thresholds that neither E+ nor E− rejects.

use super::RankPair;
use super::{last_true, smallest};
pub use crate::proportion::{LogEvidence, log_evidence};
use crate::{Confidence, Probability, Sides};

/// The ranks whose interval covers the p-quantile at every n at once with confidence C.
///
/// ```
/// use fathom_stats::quantile::{exact, sequence};
/// use fathom_stats::{Confidence, Probability, Sides};
///
/// let (p, c) = (Probability::HALF, Confidence::DEFAULT);
/// let always = sequence::ranks(100, p, c, Sides::Both);
/// assert!(always.lower < exact(100, p, c, Sides::Both).lower);
/// let needed = sequence::samples_needed(p, c, Sides::Both);
/// assert!(sequence::ranks(needed, p, c, Sides::Both).is_finite());
/// assert!(!sequence::ranks(needed - 1, p, c, Sides::Both).is_finite());
/// ```
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
