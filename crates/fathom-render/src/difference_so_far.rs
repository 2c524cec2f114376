//! A difference in a line of progress.

use fathom_stats::LogRatioInterval;

/// A difference while it is measured: "+3.5% (+1.2% to +5.8%)". Until the interval has both ends, it is left out.
#[must_use]
pub fn difference_so_far(log_ratio: f64, interval: LogRatioInterval, decimals: usize) -> String {
    let percent = |log: f64| format!("{:+.decimals$}%", 100.0 * log.exp_m1());
    let difference = percent(log_ratio);
    if !interval.is_finite() {
        return difference;
    }
    format!("{difference} ({} to {})", percent(interval.lower), percent(interval.upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_shown_once_it_has_both_ends() {
        let [ratio, lower, upper] = [1.035_f64, 1.012, 1.058].map(f64::ln);
        let known = LogRatioInterval { lower, upper };
        assert_eq!(difference_so_far(ratio, known, 1), "+3.5% (+1.2% to +5.8%)");
        assert_eq!(difference_so_far(ratio, known, 2), "+3.50% (+1.20% to +5.80%)");
        let half = LogRatioInterval { lower, upper: f64::INFINITY };
        assert_eq!(difference_so_far(ratio, half, 1), "+3.5%");
        assert_eq!(difference_so_far(ratio, LogRatioInterval::EVERYTHING, 1), "+3.5%");
    }
}
