//! How many of the trials, and what that shows about all possible trials.

use fathom_stats::Interval;
use fathom_stats::distribution::normal;

/// This many of this many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) hits: usize,
    pub(super) of: usize,
}

impl Share {
    /// How many of them are so.
    pub(super) fn of(all: impl IntoIterator<Item = bool>) -> Share {
        let mut share = Share::default();
        for is_hit in all {
            share.hits += usize::from(is_hit);
            share.of += 1;
        }
        share
    }

    /// Not a number of none.
    pub(super) fn value(self) -> f64 {
        self.hits as f64 / self.of as f64
    }

    /// Wilson's interval at 95%; everything of none.
    pub(super) fn wilson(self) -> Interval {
        if self.of == 0 {
            return Interval { lower: 0.0, upper: 1.0 };
        }
        let (n, z) = (self.of as f64, normal::quantile(0.975));
        let middle = self.value() + z * z / (2.0 * n);
        let half = z * (self.value() * (1.0 - self.value()) / n + z * z / (4.0 * n * n)).sqrt();
        let end = |value: f64| (value / (1.0 + z * z / n)).clamp(0.0, 1.0);
        Interval { lower: end(middle - half), upper: end(middle + half) }
    }

    /// "3/30 (3-26%)"; "-" of none.
    pub(super) fn in_words(self) -> String {
        if self.of == 0 {
            return "-".to_string();
        }
        let Interval { lower, upper } = self.wilson();
        format!("{}/{} ({:.0}-{:.0}%)", self.hits, self.of, 100.0 * lower, 100.0 * upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: `binomtest(k, n).proportion_ci(.95, method="wilson")`.
    #[test]
    fn the_interval_is_that_of_scipy() {
        let expected = [
            (0, 30, 0.0, 0.113_513_393_173_968_75),
            (3, 30, 0.034_599_888_747_334_176, 0.256_210_825_791_840_8),
            (19, 20, 0.763_868_806_553_258, 0.991_118_551_199_204_7),
        ];
        for (hits, of, lower, upper) in expected {
            let found = Share { hits, of }.wilson();
            assert!((found.lower - lower).abs() < 1e-9, "{found:?}");
            assert!((found.upper - upper).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn nothing_is_known_of_none() {
        let none = Share::of([]);
        assert_eq!((none.wilson().lower, none.wilson().upper), (0.0, 1.0));
        assert_eq!(none.in_words(), "-");
        assert_eq!(Share::of([true, false, false]).in_words(), "1/3 (6-79%)");
    }
}
