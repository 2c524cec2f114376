//! Is the property true of at least F of all executions? Outcomes in, a verdict out.
//!
//! A [`CheckCourse`] is fed outcomes in the order in which executions were launched, whatever the order
//! in which they ended, and says when they are enough. It sees no clock and no text: it is the same
//! in production, on resuming, and in `calibration/check.md`.

mod counts;
mod course;
mod question;
mod summary;

pub use counts::{Counts, ExecutionOutcome, VacuousRule};
pub use course::{CheckCourse, decide_fixed, decide_in_order};
pub use question::{CheckVerdict, Method, ProportionQuestion};
pub use summary::CheckSummary;
