//! Values of extreme size, brought to where sums and squares neither overflow nor vanish.

use std::borrow::Cow;

/// Values beyond 2^±400 are scaled.
const ORDINARY: f64 = 2.582_249_878_086_908_6e120;

/// Values of ordinary size: the original ones times `scale`, a power of two, which changes no
/// digit of a large value. Mostly the scale is 1 and the values are borrowed.
pub(crate) struct Ordinary<'a> {
    pub(crate) values: Cow<'a, [f64]>,
    pub(crate) scale: f64,
}

pub(crate) fn ordinary(values: &[f64]) -> Ordinary<'_> {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let scale = if largest > ORDINARY {
        2_f64.powi(-1000)
    } else if largest < 1.0 / ORDINARY && largest > 0.0 {
        2_f64.powi(1000)
    } else {
        return Ordinary { values: Cow::Borrowed(values), scale: 1.0 };
    };
    Ordinary { values: values.iter().map(|value| value * scale).collect(), scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_extremes_are_scaled() {
        assert!(matches!(ordinary(&[1e100, -1e-300]).values, Cow::Borrowed(_)));
        assert!(matches!(ordinary(&[0.0, 0.0]).values, Cow::Borrowed(_)));
        let large = ordinary(&[f64::MAX, -f64::MAX]).values;
        assert!((large[0] - large[1]).powi(2).is_finite());
        let small = ordinary(&[5e-324, 1e-323]);
        assert_eq!(small.values[1] / small.values[0], 2.0);
        assert_eq!(small.values[0] / small.scale, 5e-324);
    }
}
