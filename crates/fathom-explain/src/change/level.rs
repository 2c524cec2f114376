//! How high values are, whatever their size.

/// A value without what rounding adds: to 41 significant bits, 12 decimal digits.
///
/// A rate on another grid of time is a product and a quotient, so that what never changed differs in
/// its last digits. Taken at its word such a metric would move by many of its standard deviations.
#[must_use]
pub(crate) fn without_rounding(value: f64) -> f64 {
    const DROPPED: u64 = 12;
    let bits = value.to_bits();
    let half = 1 << (DROPPED - 1);
    // A carry goes on into the exponent, which is what rounding up to a power of two is.
    let rounded = f64::from_bits((bits.saturating_add(half) >> DROPPED) << DROPPED);
    if rounded.is_finite() { rounded } else { value }
}

/// The power of two that brings values of this size to where squares neither overflow nor vanish.
/// Multiplying by it changes no digit of a large value.
#[must_use]
pub(super) fn scale_of(largest: f64) -> f64 {
    const ORDINARY: i32 = 400;
    if largest > 2_f64.powi(ORDINARY) {
        2_f64.powi(-1000)
    } else if largest < 2_f64.powi(-ORDINARY) && largest > 0.0 {
        2_f64.powi(1000)
    } else {
        1.0
    }
}

/// The mean and how far values are from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) mean: f64,
    /// The standard deviation, of n - 1; exactly 0 if all are equal.
    pub(super) deviation: f64,
}

impl Level {
    /// Of values of ordinary size; `None` for none.
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    pub(super) fn of(values: &[f64]) -> Option<Level> {
        let (&first, rest) = values.split_first()?;
        // The mean of equal values is that value, whatever their sum rounds to.
        if rest.iter().all(|&value| value == first) {
            return Some(Level { mean: first, deviation: 0.0 });
        }
        let n = values.len() as f64;
        let from_first = values.iter().map(|value| value - first).sum::<f64>() / n;
        let mean = first + from_first;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Some(Level { mean, deviation: (squares / (n - 1.0)).sqrt() })
    }

    /// Whether all values are equal.
    pub(super) fn is_constant(&self) -> bool {
        self.deviation == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_dropped_and_nothing_else() {
        assert_eq!(without_rounding(0.1 + 0.2), without_rounding(0.3));
        assert_eq!(without_rounding(4096.0 + 1e-12), 4096.0);
        assert_ne!(without_rounding(4096.0 + 1e-7), 4096.0);
        for value in [0.0, -0.0, 1.0, -2.5, f64::MAX, f64::MIN, 1e-300, f64::from_bits(1)] {
            let rounded = without_rounding(value);
            assert!((rounded - value).abs() <= value.abs() * 1e-12 + 1e-300, "{value}");
        }
        assert_eq!(without_rounding(2.0 - f64::EPSILON), 2.0);
    }

    #[test]
    fn equal_values_have_no_deviation() {
        assert_eq!(Level::of(&[]), None);
        assert_eq!(Level::of(&[0.1; 7]), Some(Level { mean: 0.1, deviation: 0.0 }));
        let level = Level::of(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        assert_eq!(level.mean, 3.0);
        assert!((level.deviation - (14.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn extremes_are_brought_to_ordinary_size() {
        for largest in [f64::MAX, 1e200, 1.0, 1e-200, f64::from_bits(1)] {
            let scaled = largest * scale_of(largest);
            assert!((scaled * scaled).is_normal(), "{largest}");
        }
        assert_eq!(scale_of(0.0), 1.0);
    }
}
