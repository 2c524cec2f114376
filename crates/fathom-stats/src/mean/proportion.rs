//! The mean of yes-or-no outcomes: a proportion, with Clopper and Pearson's exact interval.
//!
//! t would be wrong here, and most wrong where every outcome is the same: its interval would have
//! no width, as if thirty successes proved that there are no failures.
//! Reference: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
//! illustrated in the case of the binomial", Biometrika 26, 1934.

use crate::distribution::beta;
use crate::{Confidence, Interval, Sides};

/// The interval of a proportion after `successes` in n outcomes. Both may be effective sizes, which
/// are not whole.
///
/// ```
/// use fathom_stats::mean::proportion;
/// use fathom_stats::{Confidence, Sides};
/// let all = proportion(30.0, 30.0, Confidence::DEFAULT, Sides::Both);
/// assert!(all.lower < 0.89 && all.upper == 1.0);
/// ```
#[must_use]
pub fn proportion(successes: f64, n: f64, confidence: Confidence, sides: Sides) -> Interval {
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let failures = n - successes;
    let lower =
        if successes > 0.0 { beta::quantile(successes, failures + 1.0, tail).x } else { 0.0 };
    let upper = if failures > 0.0 {
        // Mirrored, because the small tail is the precise one.
        beta::quantile(failures, successes + 1.0, tail).y
    } else {
        1.0
    };
    Interval {
        lower: if sides == Sides::Upper { 0.0 } else { lower },
        upper: if sides == Sides::Lower { 1.0 } else { upper },
    }
}
