//! The sign-test interval of the median: the same number of ranks in from both ends.

use super::RankPair;
use super::last_true;
use crate::distribution::binomial::Binomial;
use crate::{Confidence, Probability};

/// The symmetric ranks [x(k), x(n + 1 − k)] with the largest k that is sure enough; both ends
/// infinite where n is too small.
///
/// ```
/// use fathom_stats::{quantile, Confidence};
/// let pair = quantile::sign_test(22, Confidence::new(0.9)?);
/// assert_eq!((pair.lower, pair.upper), (Some(7), Some(16)));
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn sign_test(n: usize, confidence: Confidence) -> RankPair {
    let binomial = Binomial::new(n, Probability::HALF);
    let k = last_true(n / 2, |k| {
        let missed = k.checked_sub(1).map_or(0.0, |below| 2.0 * binomial.at_most(below));
        confidence.is_reached_by(1.0 - missed)
    });
    if k == 0 {
        return RankPair { lower: None, upper: None, coverage: 1.0 };
    }
    RankPair::with_coverage(n, Probability::HALF, Some(k), Some(n + 1 - k))
}
