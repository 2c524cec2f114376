//! Intervals of the mean by Student's t or the normal distribution.

use super::Moments;
use crate::distribution::{normal, student_t};
use crate::{Confidence, Interval, Sides};

/// The distribution the standardised mean is referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Student's t with n − 1 degrees of freedom: exact for normal data.
    StudentT,
    /// The normal distribution: too narrow for small n, offered for comparison.
    Normal,
}

/// mean ± quantile × standard error; infinite where there is a single value.
///
/// ```
/// use fathom_stats::mean::{interval, Moments, Reference};
/// use fathom_stats::{Confidence, Sides};
/// let moments = Moments::of(&[1.0, 2.0, 3.0]).unwrap();
/// let t = interval(&moments, Confidence::new(0.95)?, Sides::Both, Reference::StudentT);
/// assert!((t.upper - 4.484137).abs() < 1e-6);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn interval(
    moments: &Moments,
    confidence: Confidence,
    sides: Sides,
    reference: Reference,
) -> Interval {
    if moments.n < 2 {
        return Interval::EVERYTHING;
    }
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let quantile = match reference {
        Reference::StudentT => -student_t::quantile((moments.n - 1) as f64, tail),
        Reference::Normal => -normal::quantile(tail),
    };
    let half = quantile * moments.standard_error();
    Interval {
        lower: if sides == Sides::Upper { f64::NEG_INFINITY } else { moments.mean - half },
        upper: if sides == Sides::Lower { f64::INFINITY } else { moments.mean + half },
    }
}
