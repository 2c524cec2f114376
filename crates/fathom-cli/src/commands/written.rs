//! Writing a report: to standard output in the format asked for, and to files.

use crate::arguments::{Color, Command, OutputArguments, OutputFormat};
use crate::failure::Failure;
use crate::output;
use fathom_analyze::{Document, Report};
use fathom_record::whole_file::{self, is_standard_output};
use fathom_render::layout::visible;
use fathom_render::{Table, comparisons, estimates, shell};
use std::path::{Path, PathBuf};

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
    let exported = export_all(report, arguments, color);
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
    after_printing(&text, color, exported)
}

/// Prints the answer, also if a file could not be written: that is said afterwards.
pub(super) fn after_printing(
    text: &str,
    color: Color,
    exported: Result<(), Failure>,
) -> Result<(), Failure> {
    let printed = output::print(text, color);
    exported.and(printed)
}

/// Finds files that cannot be written before anything is read or measured.
pub(super) fn check_files(command: &Command) -> Result<(), Failure> {
    let output = match command {
        Command::Run(of) => &of.output,
        Command::Compare(of) => &of.output,
        Command::Check(of) => &of.output,
        Command::Analyze(of) => &of.output,
        Command::Explain(of) => &of.output,
        Command::Show(of) => &of.output,
        Command::Resume(of) => &of.output,
        Command::Report(of) => return check_file(&of.output),
        // They write nothing, or into a folder that is made before they begin.
        _ => return Ok(()),
    };
    let files: Vec<&Path> = output.exports().map(PathBuf::as_path).collect();
    for (place, file) in files.iter().enumerate() {
        check_file(file)?;
        // What is not a file, such as /dev/null, takes as much as it is given.
        let replaces = |path: &Path| !path.exists() || path.is_file();
        if files[..place].contains(file) && !is_standard_output(file) && replaces(file) {
            return Err(Failure::input(format!(
                "two exports would be written to {}; choose another file for one of them",
                file.display()
            )));
        }
    }
    Ok(())
}

fn check_file(path: &Path) -> Result<(), Failure> {
    if is_standard_output(path) {
        return Ok(());
    }
    whole_file::check(path)
        .map_err(|why| Failure::input(format!("{} cannot be written: {why}", path.display())))
}

/// Writes a file, whole or not at all, or to standard output if that is what the path means.
pub(super) fn write_file(path: &Path, text: &str, color: Color) -> Result<(), Failure> {
    if is_standard_output(path) {
        return output::print(text, color);
    }
    whole_file::write(path, text.as_bytes()).map_err(|error| Failure::file(path, &error))
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
    // One that fails does not keep the others from being written.
    let exported = [
        export(arguments.export_json.as_deref(), color, json),
        export(arguments.export_csv.as_deref(), color, || Ok(table().csv())),
        export(arguments.export_markdown.as_deref(), color, || Ok(table().markdown())),
        export(arguments.export_asciidoc.as_deref(), color, || Ok(table().asciidoc())),
        export(arguments.export_orgmode.as_deref(), color, || Ok(table().orgmode())),
    ];
    Failure::of_all(exported.into_iter().filter_map(Result::err).collect())
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
    write_file(path, &text()?, color)
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

/// The same as a line.
pub(super) fn typed_line() -> String {
    command_line(typed().iter().map(String::as_str))
}
