//! Gates: what a CI job wants to have shown.

use super::Margin;
use fathom_stats::Interval;

/// A condition on the ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gate {
    /// Fails if the subject is proven to be slower by more than this.
    NotSlower(Margin),
    /// Passes only if the subject is shown to be equivalent within this.
    Equivalent(Margin),
}

/// What a gate says of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateOutcome {
    /// The condition holds, or what would break it is not proven.
    Passed,
    /// The opposite is proven.
    Failed,
    /// Neither is shown.
    Open,
}

impl Gate {
    /// Judges an interval of the log-ratio.
    #[must_use]
    pub fn judge(self, interval: Interval) -> GateOutcome {
        match self {
            Gate::NotSlower(limit) if interval.lower > limit.log() => GateOutcome::Failed,
            Gate::NotSlower(limit) if interval.upper <= limit.log() => GateOutcome::Passed,
            Gate::Equivalent(margin) if margin.holds(interval) => GateOutcome::Passed,
            Gate::Equivalent(margin)
                if interval.lower > margin.log() || interval.upper < -margin.log() =>
            {
                GateOutcome::Failed
            }
            _ => GateOutcome::Open,
        }
    }

    /// What remains of an open gate when measuring is over: to fail, a slowdown must be proven; to
    /// pass, equivalence must be shown.
    #[must_use]
    pub fn finally(self, interval: Interval) -> GateOutcome {
        match (self, self.judge(interval)) {
            (Gate::NotSlower(_), GateOutcome::Open) => GateOutcome::Passed,
            (_, outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regression_must_be_proven_and_equivalence_shown() {
        let two = Margin::new(0.02).unwrap();
        let between = |lower, upper| Interval { lower, upper };
        let slower = Gate::NotSlower(two);
        assert_eq!(slower.judge(between(0.03, 0.05)), GateOutcome::Failed);
        assert_eq!(slower.judge(between(0.001, 0.015)), GateOutcome::Passed);
        assert_eq!(slower.judge(between(0.001, 0.05)), GateOutcome::Open);
        assert_eq!(slower.finally(between(0.001, 0.05)), GateOutcome::Passed);
        let same = Gate::Equivalent(two);
        assert_eq!(same.judge(between(-0.01, 0.01)), GateOutcome::Passed);
        assert_eq!(same.judge(between(0.03, 0.04)), GateOutcome::Failed);
        assert_eq!(same.finally(between(-0.01, 0.03)), GateOutcome::Open);
    }
}
