//! Classic rules: fences around the bulk, on both sides.

use super::medcouple::medcouple;
use super::positions::sorted;
use crate::Probability;
use crate::quantile;

/// From a median absolute deviation to a standard deviation of normal values: 1 / Φ⁻¹(0.75).
const MAD_TO_DEVIATION: f64 = 1.482602218505602;

/// Beyond 1.5 interquartile ranges of the quartiles.
pub(super) fn tukey(values: &[f64]) -> Vec<usize> {
    let scaled = Scaled::of(values);
    let quartile = |p: f64| {
        let p = Probability::new(p).ok()?;
        quantile::of_sorted(&scaled.sorted, p)
    };
    let (Some(q1), Some(q3)) = (quartile(0.25), quartile(0.75)) else { return Vec::new() };
    let reach = 1.5 * (q3 - q1);
    scaled.beyond(values, q1 - reach, q3 + reach)
}

/// Beyond 1.5 interquartile ranges of the quartiles, each side with its own factor: the more skewed
/// the values, the longer the tail that belongs to them. And the skewness.
pub(super) fn adjusted_boxplot(values: &[f64]) -> (Vec<usize>, Option<f64>) {
    let scaled = Scaled::of(values);
    let quartile = |p: f64| {
        let p = Probability::new(p).ok()?;
        quantile::of_sorted(&scaled.sorted, p)
    };
    let (Some(q1), Some(q3)) = (quartile(0.25), quartile(0.75)) else { return (Vec::new(), None) };
    let Some(skewness) = medcouple(values) else { return (Vec::new(), None) };
    // Hubert and Vandervieren 2008, equations (5) and (6).
    let (below, above) = match skewness >= 0.0 {
        true => (-4.0 * skewness, 3.0 * skewness),
        false => (-3.0 * skewness, 4.0 * skewness),
    };
    let reach = |exponent: f64| 1.5 * libm::exp(exponent) * (q3 - q1);
    (scaled.beyond(values, q1 - reach(below), q3 + reach(above)), Some(skewness))
}

/// Beyond 3.5 robust standard deviations of the median, each side with its own.
pub(super) fn double_mad(values: &[f64]) -> Vec<usize> {
    let scaled = Scaled::of(values);
    let sorted = &scaled.sorted;
    let Some(median) = quantile::of_sorted(sorted, Probability::HALF) else {
        return Vec::new();
    };
    let reach = |side: &[f64]| {
        let mut deviations: Vec<f64> = side.iter().map(|value| (value - median).abs()).collect();
        match quantile::of_unsorted(&mut deviations, Probability::HALF) {
            Some(mad) if mad > 0.0 => 3.5 * MAD_TO_DEVIATION * mad,
            _ => f64::INFINITY,
        }
    };
    let below = &sorted[..sorted.partition_point(|&value| value <= median)];
    let above = &sorted[sorted.partition_point(|&value| value < median)..];
    scaled.beyond(values, median - reach(below), median + reach(above))
}

/// Ascending values, made smaller by a power of two where fences would not be doubles.
struct Scaled {
    factor: f64,
    sorted: Vec<f64>,
}

impl Scaled {
    fn of(values: &[f64]) -> Scaled {
        let mut sorted = sorted(values);
        let is_large = sorted.iter().any(|value| value.abs() > f64::MAX / 64.0);
        let factor = if is_large { 1.0 / 64.0 } else { 1.0 };
        sorted.iter_mut().for_each(|value| *value *= factor);
        Scaled { factor, sorted }
    }

    fn beyond(&self, values: &[f64], lower: f64, upper: f64) -> Vec<usize> {
        let is_beyond = |value: f64| {
            let scaled = value * self.factor;
            value.is_finite() && (scaled < lower || scaled > upper)
        };
        let all = values.iter().enumerate();
        all.filter(|&(_, &value)| is_beyond(value)).map(|(index, _)| index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_where_they_are_said_to_be() {
        // Quartiles 3 and 7, so fences at −3 and 13; values on a fence stay.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 13.0];
        assert_eq!(tukey(&values), [0; 0]);
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 13.1];
        assert_eq!(tukey(&values), [8]);
        let values = [-3.1, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        assert_eq!(tukey(&values), [0]);
        assert_eq!(tukey(&[f64::MIN, 0.0, 0.0, 0.0, 0.0, 0.0, f64::MAX]), [0, 6]);
    }

    #[test]
    fn skewed_values_have_skewed_fences() {
        // Quartiles 2 and 9, medcouple −1/3: fences at 2 − 10.5 e and 9 + 10.5 e^(−4/3).
        let values = [1.0, 2.0, 7.0, 9.0, 10.0];
        let (labelled, skewness) = adjusted_boxplot(&values);
        assert_eq!(labelled, [0; 0]);
        assert!((skewness.unwrap() + 1.0 / 3.0).abs() < 1e-15);
        // Symmetric: Tukey's own.
        for last in [13.0, 13.1] {
            let values = [-3.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, last];
            assert_eq!(adjusted_boxplot(&values), (tukey(&values), Some(0.0)));
        }
        // A tail to the right, which Tukey cuts off and this one does not.
        let tail: Vec<f64> = (0..40).map(|i| libm::exp(f64::from(i) / 10.0)).collect();
        assert!(!tukey(&tail).is_empty());
        assert_eq!(adjusted_boxplot(&tail).0, [0; 0]);
        assert_eq!(adjusted_boxplot(&[f64::MIN, 0.0, 0.0, 0.0, 0.0, 0.0, f64::MAX]).0, [0, 6]);
        assert_eq!(adjusted_boxplot(&[]), (Vec::new(), None));
    }

    #[test]
    fn each_side_has_its_own_deviation() {
        // Median 5. Below: deviations 0 to 4 by 1, MAD 2. Above: 0 to 40 by 10, MAD 20.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 15.0, 25.0, 35.0, 45.0];
        assert_eq!(double_mad(&values), [0; 0]);
        // 3.5 × 1.4826 × 2 = 10.4 below, 103.8 above.
        let values = [-5.3, 2.0, 3.0, 4.0, 5.0, 15.0, 25.0, 35.0, 108.0];
        assert_eq!(double_mad(&values), [0; 0]);
        let values = [-5.4, 2.0, 3.0, 4.0, 5.0, 15.0, 25.0, 35.0, 109.0];
        assert_eq!(double_mad(&values), [0, 8]);
        assert_eq!(double_mad(&[5.0, 5.0, 5.0, 5.0, 900.0]), [0; 0]);
    }
}
