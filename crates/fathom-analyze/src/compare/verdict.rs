//! What an interval of the ratio says.

use super::Margin;
use fathom_stats::LogRatioInterval;

/// The answer to "did it change?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The subject takes less (of whatever is measured).
    Faster,
    /// The subject takes more.
    Slower,
    /// Whatever the difference is, it is smaller than the margin.
    Equivalent,
    /// The data do not tell.
    Inconclusive,
    /// Of many quantiles, some take more and others less.
    Mixed,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Equivalent,
        Verdict::Inconclusive,
        Verdict::Mixed,
    ];

    /// From an interval of the log-ratio. A verdict is false only if the interval misses the
    /// truth, so all verdicts share one error probability.
    #[must_use]
    pub fn of(interval: LogRatioInterval, margin: Margin) -> Verdict {
        if margin.holds(interval) {
            Verdict::Equivalent
        } else if interval.lower > 0.0 {
            Verdict::Slower
        } else if interval.upper < 0.0 {
            Verdict::Faster
        } else {
            Verdict::Inconclusive
        }
    }

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Equivalent => "equivalent",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Mixed => "mixed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_decides_between_equal_and_different() {
        let verdict =
            |lower, upper| Verdict::of(LogRatioInterval { lower, upper }, Margin::DEFAULT);
        assert_eq!(verdict(0.001, 0.005), Verdict::Equivalent);
        assert_eq!(verdict(0.001, 0.02), Verdict::Slower);
        assert_eq!(verdict(-0.02, -0.001), Verdict::Faster);
        assert_eq!(verdict(-0.001, 0.02), Verdict::Inconclusive);
        assert_eq!(verdict(f64::NEG_INFINITY, f64::INFINITY), Verdict::Inconclusive);
        let none = Margin::new(0.0).unwrap();
        assert_eq!(
            Verdict::of(LogRatioInterval { lower: 0.0, upper: 0.0 }, none),
            Verdict::Inconclusive
        );
    }
}
