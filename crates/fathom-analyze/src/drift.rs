//! How much a level changed while it was measured.

/// The range of the medians of ten parts of a session, as a share. Times come as logarithms, in
/// their order.
///
/// ```
/// let slower = (0..100).map(|i| if i < 50 { 0.0 } else { 0.1_f64.ln_1p() });
/// assert!((fathom_analyze::drift(slower) - 0.1).abs() < 1e-12);
/// ```
#[must_use]
pub fn drift(log_times: impl Iterator<Item = f64>) -> f64 {
    const PARTS: usize = 10;
    let log_times: Vec<f64> = log_times.collect();
    let size = log_times.len().div_ceil(PARTS).max(3);
    let medians = log_times.chunks(size).filter(|part| part.len() >= 3).map(|part| {
        let mut part = part.to_vec();
        part.sort_by(f64::total_cmp);
        part[part.len() / 2]
    });
    let (low, high) = medians.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), median| {
        (low.min(median), high.max(median))
    });
    if low < high { (high - low).exp_m1() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_slope_is_seen_as_drift() {
        // 0.0025 per block in the mean log-time, medians of ten parts: 27 blocks apart.
        let found = drift((0..30).map(|i| 0.0025 * f64::from(i)));
        assert!((found - (0.0025_f64 * 27.0).exp_m1()).abs() < 1e-12, "{found}");
        assert_eq!(drift(std::iter::repeat_n(1.0, 20)), 0.0);
        assert_eq!(drift(std::iter::empty()), 0.0);
    }
}
