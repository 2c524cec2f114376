//! Values of extreme size, brought to where sums and squares neither overflow nor vanish.

use std::borrow::Cow;

/// Values beyond 2^±400 are scaled.
const ORDINARY: f64 = 2.582_249_878_086_908_6e120;

/// The values and the clock step times a power of two, which changes no digit of a large value;
/// as they are if their size is ordinary.
pub(super) fn ordinary(values: &[f64], clock_step: f64) -> (Cow<'_, [f64]>, f64) {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let scale = if largest > ORDINARY {
        2_f64.powi(-1000)
    } else if largest < 1.0 / ORDINARY && largest > 0.0 {
        2_f64.powi(1000)
    } else {
        return (Cow::Borrowed(values), clock_step);
    };
    (values.iter().map(|value| value * scale).collect(), clock_step * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_extremes_are_scaled() {
        assert!(matches!(ordinary(&[1e100, -1e-300], 1.0), (Cow::Borrowed(_), 1.0)));
        assert!(matches!(ordinary(&[0.0, 0.0], 1.0), (Cow::Borrowed(_), 1.0)));
        let (large, _) = ordinary(&[f64::MAX, -f64::MAX], 0.0);
        assert!((large[0] - large[1]).powi(2).is_finite());
        let (small, step) = ordinary(&[5e-324, 1e-323], 5e-324);
        assert_eq!((small[1] / small[0], step), (2.0, small[0]));
    }
}
