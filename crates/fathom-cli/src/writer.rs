//! The one writer: an answer in the format that was asked for, files, and warnings that a format has no
//! place for.

use crate::arguments::{Color, Command, HyperfineArguments, OutputArguments, OutputFormat, Style};
use crate::failure::Failure;
use crate::output;
use fathom_analyze::{Document, HyperfineDocument, Report};
use fathom_record::whole_file::{self, Obstacle, is_standard_output};
use fathom_render::layout::visible;
use fathom_render::{Table, View, comparisons, estimates};
use std::path::{Path, PathBuf};

/// An answer in every form.
pub(crate) struct Forms<'a> {
    /// For people.
    pub(crate) human: &'a dyn Fn() -> String,
    /// For programs; with or without every value.
    pub(crate) json: &'a dyn Fn(bool) -> Result<String, Failure>,
    /// For tables.
    pub(crate) table: &'a dyn Fn() -> Table,
    /// What the table has no place for; JSON and the page for people carry it themselves.
    pub(crate) warnings: Vec<String>,
    /// Of these, what a short page for people does not carry either.
    pub(crate) warnings_if_quiet: Vec<String>,
}

/// How much of a report the options ask for.
pub(crate) fn view(output: &OutputArguments, assume_independent: bool) -> View {
    let (detail, time_unit) = (output.detail(), output.time_unit);
    View { detail, time_unit, assume_independent, ..View::default() }
}

/// Writes an answer: files first, so that they are there also if standard output is closed early.
pub(crate) fn write(
    forms: &Forms<'_>,
    output: &OutputArguments,
    style: Style,
    color: Color,
) -> Result<(), Failure> {
    if style == Style::None {
        return export(forms, output, color);
    }
    let text = match output.format {
        OutputFormat::Human => (forms.human)(),
        OutputFormat::Json => (forms.json)(output.include_values)?,
        OutputFormat::Csv => (forms.table)().csv(),
        OutputFormat::Markdown => (forms.table)().markdown(),
        OutputFormat::Latex => (forms.table)().latex(),
    };
    let exported = export(forms, output, color);
    let untold: &[String] = match output.format {
        OutputFormat::Human if output.quiet => &forms.warnings_if_quiet,
        OutputFormat::Human | OutputFormat::Json => &[],
        OutputFormat::Csv | OutputFormat::Markdown | OutputFormat::Latex => &forms.warnings,
    };
    for warning in untold {
        output::print_warning(&format!("warning: {warning}"), color);
    }
    // The answer is printed also if a file could not be written: that is said afterwards.
    let printed = output::print(&text, color);
    exported.and(printed)
}

/// Writes a report of measurements.
pub(crate) fn write_report(
    report: &Report,
    output: &OutputArguments,
    style: Style,
    color: Color,
    human: &dyn Fn() -> String,
) -> Result<(), Failure> {
    let json = |include_values: bool| {
        Document::of(report, include_values).to_json().map_err(Failure::input)
    };
    let table = || match &report.comparisons {
        Some(found) => comparisons(report, found, output.time_unit),
        None => estimates(report, output.time_unit),
    };
    let of_subjects = report.subjects.iter().flat_map(|subject| {
        let name = visible(subject.series.name());
        subject.warnings.iter().map(move |warning| format!("{name}: {warning}"))
    });
    let warnings: Vec<String> =
        of_subjects.chain(report.warnings.iter().map(ToString::to_string)).collect();
    let warnings_if_quiet = warnings.clone();
    write(
        &Forms { human, json: &json, table: &table, warnings, warnings_if_quiet },
        output,
        style,
        color,
    )
}

/// Writes the runs of a report as hyperfine does, if that was asked for.
pub(crate) fn export_hyperfine(
    report: &Report,
    arguments: &HyperfineArguments,
    color: Color,
) -> Result<(), Failure> {
    let Some(file) = arguments.file() else { return Ok(()) };
    let document = HyperfineDocument::of(report).ok_or_else(no_runs)?;
    write_file(file, &document.to_json().map_err(Failure::input)?, color)
}

/// That there is nothing to write as hyperfine does.
pub(crate) fn no_runs() -> Failure {
    Failure::input(
        "--export-hyperfine-json writes runs of commands, which only `fathom run` and `compare` save",
    )
}

/// Writes the files that were asked for. One that fails does not keep the others from being written.
fn export(forms: &Forms<'_>, output: &OutputArguments, color: Color) -> Result<(), Failure> {
    let table = forms.table;
    type Text<'t> = &'t dyn Fn() -> Result<String, Failure>;
    let exports: [(&Option<PathBuf>, Text<'_>); 6] = [
        (&output.export_json, &|| (forms.json)(true)),
        (&output.export_csv, &|| Ok(table().csv())),
        (&output.export_markdown, &|| Ok(table().markdown())),
        (&output.export_asciidoc, &|| Ok(table().asciidoc())),
        (&output.export_orgmode, &|| Ok(table().orgmode())),
        (&output.export_latex, &|| Ok(table().latex())),
    ];
    let failures = exports.into_iter().filter_map(|(path, text)| {
        let path = path.as_deref()?;
        text().and_then(|text| write_file(path, &text, color)).err()
    });
    Failure::of_all(failures.collect())
}

/// Finds files that cannot be written before anything is read or measured.
pub(crate) fn check_files(command: &Command) -> Result<(), Failure> {
    let (output, hyperfine) = match command {
        Command::Run(of) => (&of.output, of.hyperfine.file()),
        Command::Compare(of) => (&of.output, of.hyperfine.file()),
        Command::Check(of) => (&of.output, None),
        Command::Analyze(of) => (&of.output, None),
        Command::Explain(of) => (&of.output, None),
        Command::Show(of) => (&of.output, of.hyperfine.file()),
        Command::Resume(of) => (&of.output, of.hyperfine.file()),
        Command::Report(of) => return check_file(&of.output),
        // They write nothing, or into a folder that is made before they begin.
        _ => return Ok(()),
    };
    let files: Vec<&Path> = output.exports().chain(hyperfine).map(PathBuf::as_path).collect();
    for (place, file) in files.iter().enumerate() {
        check_file(file)?;
        // What is not a file, such as /dev/null, takes as much as it is given.
        let replaces = |path: &Path| !path.exists() || path.is_file();
        if files[..place].contains(file) && !is_standard_output(file) && replaces(file) {
            return Err(Failure::input(format!(
                "two exports would be written to {}. Choose another file for one of them",
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
    whole_file::check(path).map_err(|obstacle| match obstacle {
        Obstacle::Refused(error) => Failure::file(path, error),
        obstacle => Failure::input(format!("cannot write {}: {obstacle}", path.display())),
    })
}

/// Writes a file, whole or not at all, or to standard output if that is what the path means.
pub(crate) fn write_file(path: &Path, text: &str, color: Color) -> Result<(), Failure> {
    if is_standard_output(path) {
        return output::print(text, color);
    }
    whole_file::write(path, text.as_bytes()).map_err(|error| Failure::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Cli;
    use clap::Parser;

    /// Why files cannot be written; empty if they can. `DIR` is a folder with a file in it.
    fn refused(words: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there"), "").unwrap();
        let here = folder.path().display().to_string();
        let words: Vec<String> =
            words.split_whitespace().map(|word| word.replace("DIR", &here)).collect();
        let all = ["fathom".to_string()].into_iter().chain(words);
        let command = Cli::try_parse_from(all).unwrap().command;
        let refused = check_files(&command);
        refused.map_or_else(|failure| failure.to_string(), |()| String::new()).replace(&here, "DIR")
    }

    #[test]
    fn files_that_cannot_be_written_are_found_before_anything_runs() {
        for command in [
            "run true",
            "compare true false",
            "check x<1 --data runs.csv",
            "analyze data.csv",
            "explain traces --target x",
            "show last",
            "resume last",
        ] {
            assert_eq!(refused(&format!("{command} --export-json DIR/new")), "", "{command}");
            let missing = refused(&format!("{command} --export-json DIR/nowhere/new"));
            assert!(missing.contains("DIR/nowhere"), "{command}: {missing}");
            let folder = refused(&format!("{command} --export-csv DIR"));
            assert!(folder.starts_with("cannot write DIR"), "{command}: {folder}");
        }
        assert_eq!(refused("report -o DIR/new.html"), "");
        assert!(refused("report -o DIR/nowhere/new.html").contains("DIR/nowhere"));
        assert_eq!(refused("list"), "");
    }

    #[test]
    fn two_exports_need_two_files() {
        let two = |one: &str, other: &str| {
            refused(&format!("run true --export-json {one} --export-csv {other}"))
        };
        assert!(two("DIR/new", "DIR/new").starts_with("two exports would be written to DIR/new"));
        assert!(two("DIR/there", "DIR/there").starts_with("two exports"));
        assert_eq!(two("DIR/new", "DIR/other"), "");
        assert_eq!(two("-", "-"), "");
        assert_eq!(two("/dev/null", "/dev/null"), "");
    }
}
