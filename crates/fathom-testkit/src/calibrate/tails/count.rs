//! Counting what looks said.

use super::percent;
use fathom_stats::LogRatioInterval;

/// What looks at one true ratio said.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) trials: u64,
    finite: u64,
    covered: u64,
}

/// A cell falls short if intervals that cover 95% miss as often with this probability: that of three
/// standard errors.
const CHANCE: f64 = 0.00135;

/// The probability that this many or more of `n` intervals miss, if they cover 95%.
fn misses_or_more(misses: u64, n: u64) -> f64 {
    let mut mass = 0.95_f64.powf(n as f64);
    let mut fewer = 0.0;
    for k in 0..misses {
        fewer += mass;
        mass *= (n - k) as f64 / (k + 1) as f64 * 0.05 / 0.95;
    }
    1.0 - fewer
}

impl Count {
    pub(super) fn add(&mut self, interval: LogRatioInterval, truth: f64) {
        self.trials += 1;
        if interval.is_finite() {
            self.finite += 1;
            self.covered += u64::from(interval.contains(truth));
        }
    }

    pub(super) fn merge(&mut self, other: Count) {
        self.trials += other.trials;
        self.finite += other.finite;
        self.covered += other.covered;
    }

    /// Of the finite intervals.
    pub(super) fn coverage(&self) -> f64 {
        self.covered as f64 / self.finite.max(1) as f64
    }

    fn without(&self) -> f64 {
        1.0 - self.finite as f64 / self.trials.max(1) as f64
    }

    /// "coverage / without".
    pub(super) fn cell(&self) -> String {
        if 20 * self.finite < self.trials {
            return format!("- / {}", percent(self.without()));
        }
        format!("{} / {}", percent(self.coverage()), percent(self.without()))
    }

    /// Whether more intervals miss than chance explains. A few finite ones tell nothing.
    pub(super) fn falls_short(&self) -> bool {
        20 * self.finite >= self.trials
            && misses_or_more(self.finite - self.covered, self.finite) < CHANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_explains_some_misses() {
        let count = |covered, finite| Count { trials: finite, finite, covered };
        // Two of four are 1.4%; three of four are 0.05%.
        assert!((misses_or_more(2, 4) - 0.014_018_75).abs() < 1e-12);
        assert!(!count(2, 4).falls_short() && count(1, 4).falls_short());
        // Three standard errors of 2000 are 1.46 points.
        assert!(!count(1872, 2000).falls_short() && count(1868, 2000).falls_short());
        assert!(!count(0, 0).falls_short());
    }
}
