//! The critical value c(m) of the root statistic, by simulation.

/// (m, c): the value that at most 5% of independent series of length m exceed, with room below
/// m = 150 for series with a lag-1 correlation of a half.
const TABLE: [(f64, f64); 20] = [
    (12.0, 2.60),
    (16.0, 2.52),
    (20.0, 2.43),
    (25.0, 2.38),
    (30.0, 2.34),
    (40.0, 2.25),
    (50.0, 2.14),
    (75.0, 2.00),
    (100.0, 2.00),
    (149.0, 2.00),
    (150.0, 1.76),
    (200.0, 1.82),
    (300.0, 1.86),
    (500.0, 1.92),
    (1000.0, 1.96),
    (2000.0, 2.00),
    (5000.0, 2.09),
    (20_000.0, 2.25),
    (100_000.0, 2.38),
    (1_000_000.0, 2.45),
];

/// c(m), linear in ln m between the entries of the table and beyond its last one.
///
/// The jump at 150 is real: from there blocks measure dependence, and less is left to chance.
pub(super) fn of(m: usize) -> f64 {
    let m = (m as f64).max(TABLE[0].0);
    let last = TABLE.len() - 2;
    let below = TABLE.iter().rposition(|&(size, _)| size <= m).unwrap_or(0).min(last);
    let ((low, at_low), (high, at_high)) = (TABLE[below], TABLE[below + 1]);
    at_low + (at_high - at_low) * ((m / low).ln() / (high / low).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_between_and_beyond() {
        for (m, c) in TABLE {
            assert!((of(m as usize) - c).abs() < 1e-12, "{m}");
        }
        assert_eq!(of(0), of(12));
        assert!((of(10_000) - (2.09 + 0.16 * 0.5)).abs() < 1e-12);
        assert!(of(10_000_000) > of(1_000_000));
    }
}
