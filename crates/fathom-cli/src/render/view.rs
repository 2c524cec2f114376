//! How much of a report the options ask for.

use crate::arguments::OutputArguments;
use fathom_render::View;

/// What the user wants to see.
pub(crate) fn view(output: &OutputArguments, assume_independent: bool) -> View {
    let (detail, time_unit) = (output.detail(), output.time_unit);
    View { detail, time_unit, assume_independent, ..View::default() }
}
