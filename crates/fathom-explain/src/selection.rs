//! What the user selected.

use crate::{Pattern, Segments};

/// A stretch of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// All of it.
    Whole,
    /// By time, in nanoseconds after the run's origin, both ends included.
    Time {
        /// When it starts.
        start_ns: i64,
        /// When it ends.
        end_ns: i64,
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
    pub windows: Vec<Span>,
    /// What the windows are compared with; absent: what precedes them.
    pub baseline: Option<Span>,
    /// Into how many lines the target is cut.
    pub segments: Segments,
    /// A shape drawn over the target, in times of the run.
    pub pattern: Option<Pattern>,
}
