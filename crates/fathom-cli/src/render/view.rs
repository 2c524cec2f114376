//! How much of a report to show, and in which unit.

use crate::arguments::{CleaningArguments, OutputArguments};
use fathom_record::TimeUnit;

/// What the user wants to see.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    /// Only the answer.
    pub(crate) quiet: bool,
    /// More than the answer.
    pub(crate) verbose: bool,
    /// The unit of times.
    pub(crate) time_unit: Option<TimeUnit>,
    /// Whether the samples were taken as independent.
    pub(crate) assume_independent: bool,
}

impl View {
    pub(crate) fn of(output: &OutputArguments, cleaning: &CleaningArguments) -> View {
        View {
            quiet: output.quiet,
            verbose: output.verbose,
            time_unit: output.time_unit,
            assume_independent: cleaning.assume_independent,
        }
    }
}
