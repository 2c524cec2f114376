//! Results that benches keep in `target/fathom`: listed and shown like sessions.

use crate::arguments::{Color, OutputArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::writer;
use fathom_engine::saved_report;
use std::path::Path;

/// Shows results of a bench.
pub(super) fn show(
    file: &Path,
    arguments: &OutputArguments,
    color: Color,
) -> Result<CommandOutcome, Failure> {
    let report = saved_report(file)?;
    let view = writer::view(arguments, false);
    writer::write_report(&report, arguments, Style::Auto, color, &|| {
        fathom_bench::for_the_program::page(&report, &view, output::width())
    })?;
    Ok(CommandOutcome::Done)
}
