//! Writing a report: to standard output in the format asked for, and to files.

use crate::arguments::{Color, OutputArguments, OutputFormat};
use crate::failure::Failure;
use crate::output;
use fathom_analyze::{Document, Report};
use fathom_render::layout::visible;
use fathom_render::{Table, comparisons, estimates, shell};
use std::path::Path;

/// Writes a report; `for_people` renders it for the terminal.
pub(super) fn write(
    report: &Report,
    arguments: &OutputArguments,
    color: Color,
    for_people: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let json = |include_values: bool| {
        Document::of(report, include_values).to_json().map_err(Failure::input)
    };
    let table = || table(report, arguments);
    let text = match arguments.format {
        OutputFormat::Human => for_people(),
        OutputFormat::Json => json(arguments.include_values)?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    // Files first: if standard output is closed early, what was asked for is still there.
    export_all(report, arguments, color)?;
    // JSON and the full report for people carry their warnings themselves; a short one has only
    // the answer, and what is wrong with it must not be lost.
    let carries = match arguments.format {
        OutputFormat::Human => !arguments.quiet,
        OutputFormat::Json => true,
        OutputFormat::Csv | OutputFormat::Markdown => false,
    };
    if !carries {
        for subject in &report.subjects {
            for warning in &subject.warnings {
                let name = visible(subject.series.name());
                output::print_warning(&format!("warning: {name}: {warning}"), color);
            }
        }
        for warning in &report.warnings {
            output::print_warning(&format!("warning: {warning}"), color);
        }
    }
    output::print(&text, color)
}

/// Writes the files that were asked for.
pub(super) fn export_all(
    report: &Report,
    arguments: &OutputArguments,
    color: Color,
) -> Result<(), Failure> {
    let table = || table(report, arguments);
    let json = || Document::of(report, true).to_json().map_err(Failure::input);
    export_table(arguments, color, &json, &table)
}

/// Writes the files that were asked for, from a document and a table.
pub(super) fn export_table(
    arguments: &OutputArguments,
    color: Color,
    json: &dyn Fn() -> Result<String, Failure>,
    table: &dyn Fn() -> Table,
) -> Result<(), Failure> {
    export(arguments.export_json.as_deref(), color, json)?;
    export(arguments.export_csv.as_deref(), color, || Ok(table().csv()))?;
    export(arguments.export_markdown.as_deref(), color, || Ok(table().markdown()))?;
    export(arguments.export_asciidoc.as_deref(), color, || Ok(table().asciidoc()))?;
    export(arguments.export_orgmode.as_deref(), color, || Ok(table().orgmode()))
}

/// What goes into tables: comparisons where there are any, else estimates.
fn table(report: &Report, arguments: &OutputArguments) -> Table {
    match &report.comparisons {
        Some(found) => comparisons(report, found, arguments.time_unit),
        None => estimates(report, arguments.time_unit),
    }
}

fn export(
    path: Option<&Path>,
    color: Color,
    text: impl FnOnce() -> Result<String, Failure>,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let text = text()?;
    if path == Path::new("-") {
        return output::print(&text, color);
    }
    std::fs::write(path, text)
        .map_err(|error| Failure::writing(&path.display().to_string(), &error))
}

/// Words as they would be typed after `fathom`.
pub(super) fn command_line<'a>(words: impl Iterator<Item = &'a str>) -> String {
    shell::line(std::iter::once("fathom").chain(words))
}

/// The command as it was typed, for the record; the program's own path is left out so that the
/// same question gives the same bytes from anywhere.
pub(super) fn typed() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
