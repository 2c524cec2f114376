//! Is the property true of at least F of all executions? Outcomes in, a verdict out.
//!
//! A [`CheckCourse`] is fed outcomes in the order in which executions were launched, whatever the order
//! in which they ended, and says when they are enough. It sees no clock and no text: it is the same
//! in production, on resuming, and in `calibration/check.md`.

mod confidence_curve;
mod counts;
mod course;
mod given;
mod question;
mod shared_error;
mod side_by_side;
mod summary;
mod worth;

pub use confidence_curve::{ConfidenceCurve, ConfidenceStep, CurveQuestion};
pub use counts::{Counts, ExecutionOutcome, VacuousRule};
pub use course::{CheckCourse, settle};
pub use given::{GivenOutcomes, decide_fixed, decide_in_order, decide_together};
pub use question::{CheckVerdict, Method, ProportionQuestion};
pub use shared_error::{ErrorSharing, SharedError, VerdictLevels};
pub use side_by_side::ShareByMethod;
pub use summary::CheckSummary;
