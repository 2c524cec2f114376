//! Welch's t test.

use fathom_stats::distribution::student_t;
use fathom_stats::mean::Moments;
use fathom_stats::{Confidence, Interval};

/// The interval of the second mean less the first; `None` with fewer than two values of each.
pub(super) fn difference(
    first: &[f64],
    second: &[f64],
    confidence: Confidence,
) -> Option<Interval> {
    let (first, second) = (Moments::of(first)?, Moments::of(second)?);
    if first.n < 2 || second.n < 2 {
        return None;
    }
    let error = |side: Moments| side.sd * side.sd / side.n as f64;
    let (a, b) = (error(first), error(second));
    let degrees =
        (a + b).powi(2) / (a * a / (first.n as f64 - 1.0) + b * b / (second.n as f64 - 1.0));
    let half = -student_t::quantile(degrees, 0.5 * confidence.alpha()) * (a + b).sqrt();
    let middle = second.mean - first.mean;
    Some(Interval { lower: middle - half, upper: middle + half })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: `ttest_ind(y, x, equal_var=False).confidence_interval(.95)`.
    #[test]
    fn the_interval_is_that_of_scipy() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 7.0, 9.5]);
        let found = difference(&x, &y, Confidence::DEFAULT).unwrap();
        assert!((found.lower - -0.538_266_672_651_051_4).abs() < 1e-6, "{found:?}");
        assert!((found.upper - 7.788_266_672_651_051).abs() < 1e-6, "{found:?}");
        assert!(difference(&x, &[1.0], Confidence::DEFAULT).is_none());
    }
}
