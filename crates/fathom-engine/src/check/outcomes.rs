//! What a judged execution says: its outcome, and by which margin.

use fathom_property::decide::ExecutionOutcome;
use fathom_property::{Judged, JudgedAs, Truth};

/// What a judged execution says, for a count that does not look at their order.
pub(super) fn outcome(judged: &Judged, counts_failures: bool) -> ExecutionOutcome {
    match &judged.result {
        JudgedAs::Property { truth, .. } => ExecutionOutcome::from(*truth),
        JudgedAs::Failed(_) if counts_failures => ExecutionOutcome::Failed,
        JudgedAs::Failed(_) => ExecutionOutcome::Skipped,
        JudgedAs::Value(_) => ExecutionOutcome::from(Truth::Unknown),
    }
}

/// By how much an execution is on the right side, for a comparison with its neighbours. One that
/// failed is on the wrong side by more than any other.
pub(super) fn margin(result: &JudgedAs) -> Option<f64> {
    match result {
        JudgedAs::Property { truth, robustness, .. } => match truth {
            Truth::True => Some(robustness.sure().unwrap_or(f64::INFINITY)),
            Truth::False => Some(robustness.sure().unwrap_or(f64::NEG_INFINITY)),
            Truth::Vacuous => Some(f64::INFINITY),
            Truth::Unknown => None,
        },
        JudgedAs::Failed(_) => Some(f64::NEG_INFINITY),
        JudgedAs::Value(_) => None,
    }
}
