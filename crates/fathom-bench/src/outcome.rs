//! How a bench executable ends.

use fathom_analyze::compare::{Comparison, GateOutcome};
use std::process::ExitCode;

/// What the exit code says. The worst wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Done,
    /// A gate was not shown in the time.
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

impl Outcome {
    /// By the gates of comparisons.
    pub(crate) fn of(comparisons: &[Comparison]) -> Outcome {
        let gates = comparisons.iter().flat_map(|found| &found.gates);
        gates
            .map(|(_, outcome)| match outcome {
                GateOutcome::Passed => Outcome::Done,
                GateOutcome::Open => Outcome::GateOpen,
                GateOutcome::Failed => Outcome::GateFailed,
            })
            .max()
            .unwrap_or(Outcome::Done)
    }

    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Done => 0,
            Outcome::GateFailed => 1,
            Outcome::Usage => 2,
            Outcome::GateOpen => 3,
            Outcome::Panicked => 4,
            Outcome::Interrupted => 130,
        })
    }
}
