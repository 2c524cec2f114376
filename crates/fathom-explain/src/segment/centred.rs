//! Values about their mean, whatever their size.

/// How many sums run side by side. Fixed, so that a sum is the same on every machine.
const LANES: usize = 8;

/// Values that differ by no more than this share of the largest one differ by rounding alone.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Values less their mean, scaled by a power of two such that the largest is between a half and 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Centred {
    pub(crate) values: Vec<f64>,
    /// Their mean.
    pub(crate) centre: f64,
    /// The size of a 1.
    pub(crate) unit: f64,
}

impl Centred {
    /// Of finite values; `None` if they are all the same, up to rounding, or if there are none.
    pub(crate) fn new(mut values: Vec<f64>) -> Option<Centred> {
        // First to a size whose sums and squares are neither too large nor too small for a number.
        let size = scale_to_one(&mut values, 500)?;
        let largest = largest(&values);
        let mean = sum(&values) / length(&values);
        values.iter_mut().for_each(|value| *value -= mean);
        let spread = self::largest(&values);
        if spread <= ROUNDING * largest {
            return None;
        }
        let unit = scale_to_one(&mut values, 0)?;
        Some(Centred { values, centre: size.of(mean), unit: size.of(unit.of(1.0)) })
    }

    /// The values such that their sum is 0 and the sum of their squares 1.
    pub(crate) fn standard(self) -> Vec<f64> {
        let mut values = self.values;
        let mean = sum(&values) / length(&values);
        values.iter_mut().for_each(|value| *value -= mean);
        let scale = 1.0 / dot(&values, &values).sqrt();
        values.iter_mut().for_each(|value| *value *= scale);
        values
    }
}

/// A power of two; in two factors, because that of the smallest numbers is none.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Power {
    exponent: i32,
}

impl Power {
    fn factors(self) -> (f64, f64) {
        let half = self.exponent / 2;
        (2.0_f64.powi(half), 2.0_f64.powi(self.exponent - half))
    }

    fn of(self, value: f64) -> f64 {
        let (first, second) = self.factors();
        value * first * second
    }
}

/// Divides values by a power of two that makes the largest of them at least a half and less than 1,
/// unless its exponent is within `tolerated`; `None` if all are 0.
fn scale_to_one(values: &mut [f64], tolerated: i32) -> Option<Power> {
    let largest = largest(values);
    if largest == 0.0 {
        return None;
    }
    // The exponent of a subnormal number is lower than it says; the tolerance is not that narrow.
    let normal = if largest < f64::MIN_POSITIVE { largest * 2.0_f64.powi(64) } else { largest };
    let bias = if largest < f64::MIN_POSITIVE { 1022 + 64 } else { 1022 };
    let exponent = i32::try_from((normal.to_bits() >> 52) & 0x7ff).unwrap_or(bias) - bias;
    if exponent.abs() <= tolerated {
        return Some(Power { exponent: 0 });
    }
    let (first, second) = Power { exponent: -exponent }.factors();
    values.iter_mut().for_each(|value| *value = *value * first * second);
    Some(Power { exponent })
}

/// How many there are, as a number.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
pub(crate) fn length<T>(values: &[T]) -> f64 {
    values.len() as f64
}

/// The largest magnitude.
fn largest(values: &[f64]) -> f64 {
    lanes(values, values, |most, value, _| most.max(value.abs())).into_iter().fold(0.0, f64::max)
}

/// The sum.
pub(crate) fn sum(values: &[f64]) -> f64 {
    lanes(values, values, |sum, value, _| sum + value).into_iter().sum()
}

/// The sum of products.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    lanes(left, right, |sum, left, right| sum + left * right).into_iter().sum()
}

/// Goes through two slices, several lanes at a time.
fn lanes(left: &[f64], right: &[f64], step: impl Fn(f64, f64, f64) -> f64) -> [f64; LANES] {
    let mut state = [0.0; LANES];
    let (left, right) = (left.chunks_exact(LANES), right.chunks_exact(LANES));
    let rest = (left.remainder(), right.remainder());
    for (left, right) in left.zip(right) {
        for ((state, left), right) in state.iter_mut().zip(left).zip(right) {
            *state = step(*state, *left, *right);
        }
    }
    for ((state, left), right) in state.iter_mut().zip(rest.0).zip(rest.1) {
        *state = step(*state, *left, *right);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_centred() {
        for size in [5e-324, 1e-310, 1e-200, 1.0, 1e200, 1e307] {
            let values = [1.0, 2.0, 3.0, 6.0].map(|value| value * size).to_vec();
            let centred = Centred::new(values).unwrap();
            assert!((centred.centre / size - 3.0).abs() < 1e-9, "{size}: {centred:?}");
            let most = largest(&centred.values);
            assert!((0.5..1.0).contains(&most), "{size}: {centred:?}");
            assert!((centred.unit * centred.values[3] / size - 3.0).abs() < 1e-9, "{size}");
            let standard = centred.standard();
            assert!(sum(&standard).abs() < 1e-15);
            assert!((dot(&standard, &standard) - 1.0).abs() < 1e-15);
        }
        let widest = Centred::new(vec![f64::MAX, f64::MIN, 0.0]).unwrap();
        assert!(widest.standard().iter().all(|value| value.is_finite()));
    }

    #[test]
    fn what_does_not_change_has_no_spread() {
        assert_eq!(Centred::new(vec![]), None);
        assert_eq!(Centred::new(vec![0.0, -0.0]), None);
        assert_eq!(Centred::new(vec![0.1; 9]), None);
        assert_eq!(Centred::new(vec![0.1, 0.1_f64.next_up(), 0.1]), None);
        assert!(Centred::new(vec![1e15, 1e15 + 4.0]).is_some());
    }

    #[test]
    fn sums_take_every_value_once() {
        for count in 0..40 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let expected: f64 = values.iter().sum();
            assert_eq!(sum(&values), expected);
            let squares: f64 = values.iter().map(|value| value * value).sum();
            assert_eq!(dot(&values, &values), squares);
        }
    }
}
