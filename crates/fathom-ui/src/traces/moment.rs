//! Moments between the page, which counts seconds, and the traces, which count nanoseconds.

/// Seconds. They become the same nanoseconds again for runs of up to 25 days.
#[allow(clippy::cast_precision_loss, reason = "times are far below 2^53 ns")]
pub(super) fn seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}

/// The nearest nanosecond; what is beyond all times is the last of them.
#[allow(clippy::cast_possible_truncation, reason = "a cast of a double stops at the ends")]
pub(super) fn nanoseconds(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_come_back() {
        for ns in [0, 1, -7, 12_400_000_001, 2_160_000_000_000_001, -123_456_789] {
            assert_eq!(nanoseconds(seconds(ns)), ns);
        }
        assert_eq!(nanoseconds(1e300), i64::MAX);
        assert_eq!(nanoseconds(-1e300), i64::MIN);
    }
}
