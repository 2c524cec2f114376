//! How many more samples would decide.

use super::{Decision, Rule};

/// Beyond this many further samples there is no saying.
pub const FURTHEST: usize = 10_000_000;

/// How many more samples would decide if the successes went on at the observed rate (for a rule
/// that looks once: if that look were this many samples later); `None` if that is too near to F to
/// be decided within [`FURTHEST`] of them, or if `fewest` and `most` possible successes lie on
/// different sides of F.
///
/// ```
/// use fathom_stats::proportion::{further_samples, Claim, Rule};
/// use fathom_stats::{Confidence, Probability};
/// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::DEFAULT };
/// let rule = Rule::anytime(claim);
/// assert_eq!(further_samples(rule, 40, 40, 40), Some(3)); // all satisfied: 43 would do
/// assert_eq!(further_samples(rule, 36, 36, 40), None); // at F exactly
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn further_samples(rule: Rule, fewest: usize, most: usize, n: usize) -> Option<usize> {
    let f = rule.claim().proportion.get();
    let (counted, aim) = if n == 0 {
        return None;
    } else if fewest as f64 > f * n as f64 {
        (fewest, Decision::Positive)
    } else if (most as f64) < f * n as f64 {
        (most, Decision::Negative)
    } else {
        return None;
    };
    let share = counted as f64 / n as f64;
    // Rounded against the decision, so that the answer is enough.
    let decides = |further: usize| {
        let size = n + further;
        let expected = share * size as f64;
        let rule = rule.planned_for(size);
        match aim {
            Decision::Positive => rule.is_positive((expected + 1e-9).floor() as usize, size),
            Decision::Negative => {
                rule.is_negative(((expected - 1e-9).ceil() as usize).min(size), size)
            }
        }
    };
    let mut high = 1;
    while !decides(high) {
        if high >= FURTHEST {
            return None;
        }
        high = (high * 2).min(FURTHEST);
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if decides(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
