//! How much of a report the options ask for.

use crate::arguments::{CleaningArguments, OutputArguments};
use fathom_render::View;

/// What the user wants to see.
pub(crate) fn view(output: &OutputArguments, cleaning: &CleaningArguments) -> View {
    View {
        quiet: output.quiet,
        verbose: output.verbose,
        time_unit: output.time_unit,
        assume_independent: cleaning.assume_independent,
    }
}
