//! Which metric moved first.

use super::Onset;
use fathom_record::Timestamp;

/// In which order metrics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderBy {
    /// The strongest evidence first.
    #[default]
    Evidence,
    /// Of those that clearly changed, the one that moved first; then the others by their evidence.
    Onset,
}

impl OrderBy {
    /// All of them.
    pub const ALL: [OrderBy; 2] = [OrderBy::Evidence, OrderBy::Onset];

    /// Its name in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OrderBy::Evidence => "evidence",
            OrderBy::Onset => "onset",
        }
    }
}

/// By how many seconds a metric moved before the target; negative if it moved after it. The interval
/// has 95% confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lead {
    /// At best.
    pub seconds: f64,
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Lead {
    /// Of a metric and its target, in the time of one run.
    #[must_use]
    pub fn of(metric: &Onset, target: &Onset) -> Lead {
        let between = |earlier: Timestamp, later: Timestamp| later.seconds() - earlier.seconds();
        Lead {
            seconds: between(metric.at, target.at),
            low: between(metric.high, target.low),
            high: between(metric.low, target.high),
        }
    }

    /// Whether it is clear which of the two moved first.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}
