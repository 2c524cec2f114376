//! How much of a report to show, and in which unit.

use crate::Detail;
use fathom_record::{FrontEnd, TimeUnit};

/// What the reader wants to see. The default is the answer, its picture, and what was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct View {
    /// How much of the answer.
    pub detail: Detail,
    /// The unit of times; one that fits where none is chosen.
    pub time_unit: Option<TimeUnit>,
    /// Whether the samples were taken as independent.
    pub assume_independent: bool,
    /// Where it is shown: sentences name its options and no others.
    pub front_end: FrontEnd,
}

impl View {
    /// Whether only the answer is wanted.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.detail == Detail::Answer
    }

    /// Whether everything is wanted.
    #[must_use]
    pub fn is_verbose(&self) -> bool {
        self.detail == Detail::Everything
    }
}
