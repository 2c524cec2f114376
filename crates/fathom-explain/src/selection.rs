//! What the user selected.

use crate::{Pattern, Segments};
use fathom_record::Timestamp;

/// A range of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetRange {
    /// All of it.
    Whole,
    /// By time, counted from the run's origin, both ends included.
    Time {
        /// When it starts.
        start: Timestamp,
        /// When it ends.
        end: Timestamp,
    },
    /// By the target's rows, the first being 0, both ends included.
    Rows {
        /// The first one.
        first: usize,
        /// The last one.
        last: usize,
    },
}

/// An anomaly, and in which metric and run it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The metric.
    pub target: String,
    /// The run; absent: the first that has the metric.
    pub run: Option<String>,
    /// Where in it.
    pub windows: Vec<TargetRange>,
    /// What the windows are compared with; absent: what precedes them.
    pub baseline: Option<TargetRange>,
    /// Into how many lines the target is cut.
    pub segments: Segments,
    /// A shape drawn over the target, in times of the run.
    pub pattern: Option<Pattern>,
}
