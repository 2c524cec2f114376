//! How a bench executable ends.

use fathom_analyze::compare::{Comparison, GateOutcome};
use std::process::ExitCode;

/// What the exit code says. The worst wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BenchOutcome {
    Done,
    /// A gate is inconclusive.
    GateOpen,
    /// The opposite of a gate was shown.
    GateFailed,
    /// A function panicked.
    Panicked,
    /// The user ended it.
    Interrupted,
    /// It could not begin.
    Usage,
}

impl BenchOutcome {
    /// By the gates of comparisons.
    pub(crate) fn of(comparisons: &[Comparison], allow_inconclusive: bool) -> BenchOutcome {
        BenchOutcome::of_gates(
            comparisons.iter().flat_map(|found| found.gates.iter().map(|(_, outcome)| *outcome)),
            allow_inconclusive,
        )
    }

    /// By the outcomes of gates.
    pub(crate) fn of_gates(
        outcomes: impl Iterator<Item = GateOutcome>,
        allow_inconclusive: bool,
    ) -> BenchOutcome {
        outcomes
            .map(|outcome| match outcome {
                GateOutcome::Passed => BenchOutcome::Done,
                GateOutcome::Inconclusive if allow_inconclusive => BenchOutcome::Done,
                GateOutcome::Inconclusive => BenchOutcome::GateOpen,
                GateOutcome::Failed => BenchOutcome::GateFailed,
            })
            .max()
            .unwrap_or(BenchOutcome::Done)
    }

    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    pub(crate) fn number(self) -> u8 {
        match self {
            BenchOutcome::Done => 0,
            BenchOutcome::GateFailed => 1,
            BenchOutcome::Usage => 2,
            BenchOutcome::GateOpen => 3,
            BenchOutcome::Panicked => 4,
            BenchOutcome::Interrupted => 130,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::comparison;
    use fathom_analyze::compare::{Gate, Margin, Pairing};

    #[test]
    fn a_gate_that_could_not_have_failed_does_not_pass() {
        let of = |log_ratio: f64, spread: f64, allowed: bool| {
            let gates = vec![Gate::NotSlower(Margin::new(0.02).unwrap())];
            let found = comparison(["a", "b"], log_ratio, spread, Pairing::Batches, gates);
            BenchOutcome::of(&[found], allowed)
        };
        assert_eq!(of(0.0, 0.0001, false), BenchOutcome::Done);
        assert_eq!(of(0.5, 0.0001, false), BenchOutcome::GateFailed);
        assert_eq!(of(0.0, 0.2, false), BenchOutcome::GateOpen);
        assert_eq!(of(0.0, 0.2, true), BenchOutcome::Done);
        assert_eq!(of(0.5, 0.0001, true), BenchOutcome::GateFailed);
    }
}
