//! Intervals of a ratio, and of its logarithm.
//!
//! Comparisons are computed in logarithms, where 0 is "no difference", and shown as ratios, where 1
//! is. Each scale has a type of its own, so that nobody asks one of them whether it contains the
//! other's "no difference".
//!
//! ```
//! use fathom_stats::{LogRatioInterval, RatioInterval};
//!
//! let logs = LogRatioInterval { lower: 1.02_f64.ln(), upper: f64::INFINITY };
//! assert!(!logs.contains(0.0) && !logs.is_finite() && logs.width() == f64::INFINITY);
//! let ratios = logs.ratio();
//! assert!((ratios.lower() - 1.02).abs() < 1e-15 && ratios.upper() == f64::INFINITY);
//! assert!(ratios.contains(1.5) && !ratios.contains(1.0) && !ratios.is_finite());
//! assert_eq!(ratios.log().upper, f64::INFINITY);
//!
//! let known = RatioInterval::new(0.5, 2.0);
//! assert!(known.is_finite() && known.width() == 1.5);
//! // Below 0 there are no ratios: such an end says nothing.
//! assert_eq!(RatioInterval::new(-1.0, f64::INFINITY), RatioInterval::EVERYTHING);
//! assert_eq!(RatioInterval::EVERYTHING.ends().lower, f64::NEG_INFINITY);
//! ```

use crate::Interval;

/// The logarithms that an unknown ratio may have, both ends included: 0 is "no difference".
///
/// An end that the data cannot support is infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogRatioInterval {
    /// The lower end, or −∞.
    pub lower: f64,
    /// The upper end, or ∞.
    pub upper: f64,
}

impl LogRatioInterval {
    /// Nothing is known.
    pub const EVERYTHING: LogRatioInterval =
        LogRatioInterval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Whether a log-ratio lies inside.
    #[must_use]
    pub fn contains(&self, log_ratio: f64) -> bool {
        self.lower <= log_ratio && log_ratio <= self.upper
    }

    /// The distance between the ends.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether both ends are known.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }

    /// The same as ratios: a lower end that is unknown becomes 0.
    #[must_use]
    pub fn ratio(&self) -> RatioInterval {
        RatioInterval { lower: self.lower.exp(), upper: self.upper.exp() }
    }
}

/// The ratios that two quantities above zero may have, both ends included: 1 is "no difference".
///
/// A lower end that the data cannot support is 0, such an upper end is ∞.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioInterval {
    lower: f64,
    upper: f64,
}

impl RatioInterval {
    /// Nothing is known.
    pub const EVERYTHING: RatioInterval = RatioInterval { lower: 0.0, upper: f64::INFINITY };

    /// From its ends; a lower one that is not above 0 is unknown.
    #[must_use]
    pub fn new(lower: f64, upper: f64) -> RatioInterval {
        RatioInterval { lower: lower.max(0.0), upper }
    }

    /// The lower end; 0 if it is unknown.
    #[must_use]
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// The upper end; ∞ if it is unknown.
    #[must_use]
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// Whether a ratio lies inside.
    #[must_use]
    pub fn contains(&self, ratio: f64) -> bool {
        self.lower <= ratio && ratio <= self.upper
    }

    /// The distance between the ends; ∞ unless both are known.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.ends().width()
    }

    /// Whether both ends are known.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lower > 0.0 && self.upper.is_finite()
    }

    /// The same as logarithms.
    #[must_use]
    pub fn log(&self) -> LogRatioInterval {
        LogRatioInterval { lower: self.lower.ln(), upper: self.upper.ln() }
    }

    /// The ends as those of any other interval, in which a lower end that is unknown is −∞: so they
    /// are written in JSON and shown on pages.
    #[must_use]
    pub fn ends(&self) -> Interval {
        let lower = if self.lower > 0.0 { self.lower } else { f64::NEG_INFINITY };
        Interval { lower, upper: self.upper }
    }
}

/// From ends as they are written: a lower one of −∞ is unknown.
impl From<Interval> for RatioInterval {
    fn from(ends: Interval) -> RatioInterval {
        RatioInterval::new(ends.lower, ends.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_unknown_stays_unknown() {
        assert_eq!(LogRatioInterval::EVERYTHING.ratio(), RatioInterval::EVERYTHING);
        assert_eq!(RatioInterval::EVERYTHING.log(), LogRatioInterval::EVERYTHING);
        assert_eq!(RatioInterval::EVERYTHING.ends(), Interval::EVERYTHING);
        assert_eq!(RatioInterval::from(Interval::EVERYTHING), RatioInterval::EVERYTHING);
        assert!(!RatioInterval::EVERYTHING.is_finite());
        let below = LogRatioInterval { lower: f64::NEG_INFINITY, upper: 0.0 };
        assert_eq!((below.ratio().lower(), below.ratio().upper()), (0.0, 1.0));
        assert_eq!(below.ratio().log(), below);
        assert!(!below.ratio().is_finite() && below.ratio().width() == f64::INFINITY);
        let above = LogRatioInterval { lower: 0.0, upper: f64::INFINITY };
        assert_eq!((above.ratio().lower(), above.ratio().upper()), (1.0, f64::INFINITY));
        assert_eq!(above.ratio().log(), above);
        assert!(!above.ratio().is_finite() && above.ratio().width() == f64::INFINITY);
    }

    #[test]
    fn no_difference_is_zero_in_one_and_one_in_the_other() {
        let logs = LogRatioInterval { lower: 0.0, upper: 0.5 };
        assert!(logs.contains(0.0) && logs.ratio().contains(1.0));
        assert!(!logs.contains(-1e-9) && !logs.ratio().contains(1.0 - 1e-9));
        assert_eq!(RatioInterval::new(0.0, 3.0).ends(), RatioInterval::new(-2.0, 3.0).ends());
    }

    proptest! {
        #[test]
        fn logarithms_and_ratios_go_both_ways(ends in prop::array::uniform2(-30.0..30.0_f64)) {
            let (lower, upper) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let logs = LogRatioInterval { lower, upper };
            let ratios = logs.ratio();
            prop_assert!(ratios.is_finite() && ratios.lower() <= ratios.upper());
            prop_assert_eq!(ratios.ends(), Interval { lower: lower.exp(), upper: upper.exp() });
            let again = ratios.log();
            prop_assert!((again.lower - lower).abs() < 1e-12, "{again:?}");
            prop_assert!((again.upper - upper).abs() < 1e-12, "{again:?}");
        }

        /// What lies inside, at an end or outside does so on both scales.
        #[test]
        fn order_is_kept(ends in prop::array::uniform2(-3.0..3.0_f64), log in -4.0..4.0_f64) {
            let (lower, upper) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let logs = LogRatioInterval { lower, upper };
            prop_assert_eq!(logs.contains(log), logs.ratio().contains(log.exp()));
            let open = LogRatioInterval { lower: f64::NEG_INFINITY, upper };
            prop_assert_eq!(open.contains(log), open.ratio().contains(log.exp()));
        }
    }
}
