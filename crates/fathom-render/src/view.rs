//! How much of a report to show, and in which unit.

use fathom_record::TimeUnit;

/// What the reader wants to see. The default is the answer, its picture, and what was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct View {
    /// Only the answer.
    pub quiet: bool,
    /// More than the answer.
    pub verbose: bool,
    /// The unit of times; one that fits where none is chosen.
    pub time_unit: Option<TimeUnit>,
    /// Whether the samples were taken as independent.
    pub assume_independent: bool,
}
