//! The harmonic mean: what rates over equal amounts of work average to.

use super::Moments;

/// One over each value; `None` unless all are positive and none is too small for that.
///
/// ```
/// use fathom_stats::mean::reciprocals;
/// assert_eq!(reciprocals(&[2.0, 4.0]), Some(vec![0.5, 0.25]));
/// assert_eq!(reciprocals(&[2.0, 0.0]), None);
/// ```
#[must_use]
pub fn reciprocals(values: &[f64]) -> Option<Vec<f64>> {
    let reciprocal = |value: &f64| Some(1.0 / value).filter(|r| *r > 0.0 && r.is_finite());
    values.iter().map(reciprocal).collect()
}

/// One over the mean of one over each; `None` where [`reciprocals`] is, or for no values.
///
/// ```
/// use fathom_stats::mean::harmonic_mean;
/// // There at 30 km/h and back at 60 km/h is 40 km/h on the whole way.
/// assert!((harmonic_mean(&[30.0, 60.0]).ok_or("zero")? - 40.0).abs() < 1e-12);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn harmonic_mean(values: &[f64]) -> Option<f64> {
    let mean = Moments::of(&reciprocals(values)?)?.mean;
    // The reciprocal of the largest number is subnormal, and its own reciprocal too large.
    Some((1.0 / mean).min(f64::MAX))
}
