//! Results that benches keep in `target/fathom`: listed and shown like sessions.

use crate::arguments::{Color, OutputArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::render;
use crate::writer;
use fathom_bench::results::SavedResult;
use fathom_engine::saved_report;
use serde_json::{Value, json};
use std::path::Path;

/// An entry of the list in JSON.
pub(super) fn entry(kept: &SavedResult) -> Value {
    json!({
        "id": kept.address(),
        "suite": kept.suite,
        "name": kept.name,
        "written": kept.written,
        "file": kept.file.display().to_string(),
    })
}

/// Shows results of a bench.
pub(super) fn show(
    file: &Path,
    arguments: &OutputArguments,
    color: Color,
) -> Result<CommandOutcome, Failure> {
    let report = saved_report(file)?;
    let view = render::view(arguments, false);
    writer::write_report(&report, arguments, Style::Auto, color, &|| {
        fathom_bench::page(&report, &view, output::width())
    })?;
    Ok(CommandOutcome::Done)
}
