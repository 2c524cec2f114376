//! Counting how often an interval covers.

use fathom_stats::Interval;

/// What happened to one method in one cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) trials: u64,
    pub(super) declined: u64,
    pub(super) covered: u64,
    width: f64,
}

impl Tally {
    /// Counts an interval, or that there was none.
    pub(super) fn count(&mut self, interval: Option<Interval>, truth: f64) {
        self.trials += 1;
        match interval {
            None => self.declined += 1,
            Some(interval) => {
                self.covered += u64::from(interval.contains(truth));
                // A one-sided bound is measured from the truth.
                let lower = if interval.lower.is_finite() { interval.lower } else { truth };
                let upper = if interval.upper.is_finite() { interval.upper } else { truth };
                self.width += upper - lower;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        self.trials += other.trials;
        self.declined += other.declined;
        self.covered += other.covered;
        self.width += other.width;
    }

    fn printed(&self) -> f64 {
        (self.trials - self.declined) as f64
    }

    /// The share of trials with an interval.
    pub(super) fn printed_share(&self) -> f64 {
        self.printed() / self.trials as f64
    }

    /// The share of printed intervals that cover.
    pub(super) fn coverage(&self) -> f64 {
        self.covered as f64 / self.printed()
    }

    /// The mean width of printed intervals.
    pub(super) fn width(&self) -> f64 {
        self.width / self.printed()
    }

    /// The standard error of the coverage if it really is `p`.
    pub(super) fn standard_error(&self, p: f64) -> f64 {
        (p * (1.0 - p) / self.printed()).sqrt()
    }
}
