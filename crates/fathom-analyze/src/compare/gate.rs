//! Gates: what a CI job wants to have shown.

use super::Margin;
use fathom_stats::LogRatioInterval;

/// A condition on the ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gate {
    /// Fails if the subject is proven to be slower by more than this.
    NotSlower(Margin),
    /// Passes only if the subject is shown to be equivalent within this.
    Equivalent(Margin),
}

/// The outcome of a gate for an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateOutcome {
    /// The condition holds, or what would break it is not proven and would have been noticed.
    Passed,
    /// The opposite is proven.
    Failed,
    /// The data are too few to say either.
    Inconclusive,
}

impl GateOutcome {
    /// All of them.
    pub const ALL: [GateOutcome; 3] =
        [GateOutcome::Passed, GateOutcome::Failed, GateOutcome::Inconclusive];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GateOutcome::Passed => "passed",
            GateOutcome::Failed => "failed",
            GateOutcome::Inconclusive => "inconclusive",
        }
    }
}

impl Gate {
    /// All of them, each with its margin.
    pub const ALL: [fn(Margin) -> Gate; 2] = [Gate::NotSlower, Gate::Equivalent];

    /// The name in JSON: the option that asks for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Gate::NotSlower(_) => "fail_if_slower",
            Gate::Equivalent(_) => "require_equivalent",
        }
    }

    /// The limit as the user gave it.
    #[must_use]
    pub fn margin(self) -> Margin {
        match self {
            Gate::NotSlower(limit) | Gate::Equivalent(limit) => limit,
        }
    }

    /// The log-ratio up to which an interval may reach for the gate to pass. For a slowdown that is
    /// twice the limit, ln(1 + 2m): if the interval reaches further, a slowdown of twice the limit
    /// would have gone unnoticed, so the gate could hardly have failed.
    #[must_use]
    pub fn reach(self) -> f64 {
        match self {
            Gate::NotSlower(limit) => (2.0 * limit.get()).ln_1p(),
            Gate::Equivalent(margin) => margin.log(),
        }
    }

    /// Judges an interval of the log-ratio while there is time left: what is inconclusive here goes
    /// on, also where it would pass in the end, because a slowdown may still be proven.
    #[must_use]
    pub fn judge(self, interval: LogRatioInterval) -> GateOutcome {
        match self {
            Gate::NotSlower(limit) if interval.lower > limit.log() => GateOutcome::Failed,
            Gate::NotSlower(limit) if interval.upper <= limit.log() => GateOutcome::Passed,
            Gate::Equivalent(margin) if margin.holds(interval) => GateOutcome::Passed,
            Gate::Equivalent(margin)
                if interval.lower > margin.log() || interval.upper < -margin.log() =>
            {
                GateOutcome::Failed
            }
            _ => GateOutcome::Inconclusive,
        }
    }

    /// What a gate says when measuring is over. To fail, the opposite must be proven. A gate
    /// against slowdowns passes unless the interval reaches beyond twice its limit; equivalence
    /// must be shown.
    #[must_use]
    pub fn finally(self, interval: LogRatioInterval) -> GateOutcome {
        match (self, self.judge(interval)) {
            (Gate::NotSlower(_), GateOutcome::Inconclusive) if interval.upper <= self.reach() => {
                GateOutcome::Passed
            }
            (_, outcome) => outcome,
        }
    }

    /// How near to an estimate the ends of an interval must lie for the gate to be decided.
    pub(super) fn distance(self, log_ratio: f64) -> f64 {
        let limit = self.margin().log();
        match self {
            Gate::NotSlower(_) => (log_ratio - limit).max(self.reach() - log_ratio),
            Gate::Equivalent(_) => (log_ratio.abs() - limit).abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(lower: f64, upper: f64) -> LogRatioInterval {
        LogRatioInterval { lower, upper }
    }

    #[test]
    fn a_regression_must_be_proven_and_equivalence_shown() {
        let two = Margin::new(0.02).unwrap();
        let slower = Gate::NotSlower(two);
        assert_eq!(slower.judge(between(0.03, 0.05)), GateOutcome::Failed);
        assert_eq!(slower.judge(between(0.001, 0.015)), GateOutcome::Passed);
        assert_eq!(slower.judge(between(0.001, 0.039)), GateOutcome::Inconclusive);
        assert_eq!(slower.finally(between(0.001, 0.039)), GateOutcome::Passed);
        let same = Gate::Equivalent(two);
        assert_eq!(same.judge(between(-0.01, 0.01)), GateOutcome::Passed);
        assert_eq!(same.judge(between(0.03, 0.04)), GateOutcome::Failed);
        assert_eq!(same.finally(between(-0.01, 0.03)), GateOutcome::Inconclusive);
    }

    #[test]
    fn a_gate_that_could_not_have_failed_does_not_pass() {
        let slower = Gate::NotSlower(Margin::new(0.02).unwrap());
        let twice = 0.04_f64.ln_1p();
        assert_eq!(slower.finally(between(-0.5, twice)), GateOutcome::Passed);
        assert_eq!(slower.finally(between(-0.5, twice + 1e-9)), GateOutcome::Inconclusive);
        assert_eq!(slower.finally(LogRatioInterval::EVERYTHING), GateOutcome::Inconclusive);
        let open = between(f64::NEG_INFINITY, 0.01);
        assert_eq!(slower.finally(open), GateOutcome::Passed);
        let same = Gate::Equivalent(Margin::new(0.02).unwrap());
        assert_eq!(same.finally(LogRatioInterval::EVERYTHING), GateOutcome::Inconclusive);
    }

    /// An interval whose ends lie that near to the estimate decides; one a little wider does not
    /// have to.
    #[test]
    fn the_distance_decides() {
        let two = Margin::new(0.02).unwrap();
        for gate in [Gate::NotSlower(two), Gate::Equivalent(two)] {
            for estimate in [-0.05, -0.015, 0.0, 0.015, 0.028, 0.031, 0.06] {
                let half = gate.distance(estimate) * (1.0 - 1e-9);
                let found = gate.finally(between(estimate - half, estimate + half));
                assert_ne!(found, GateOutcome::Inconclusive, "{gate:?} {estimate}");
                let half = gate.distance(estimate) * (1.0 + 1e-9);
                let found = gate.finally(between(estimate - half, estimate + half));
                assert_eq!(found, GateOutcome::Inconclusive, "{gate:?} {estimate}");
            }
        }
    }
}
