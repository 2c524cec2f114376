//! How much of a report the options ask for.

use crate::arguments::OutputArguments;
use fathom_render::View;

/// What the user wants to see.
pub(crate) fn view(output: &OutputArguments, assume_independent: bool) -> View {
    View { detail: output.detail(), time_unit: output.time_unit, assume_independent }
}
