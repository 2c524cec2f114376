//! Executions, read as [`Observation`]s: what properties are judged on.
//!
//! The kind of a file is detected from its content; see `docs/executions.md` for all of them.

mod attempts;
pub(crate) mod cell;
mod cut_short;
mod executions;
pub(crate) mod flat;
pub(crate) mod folder;
mod format;
mod found;
mod gem5_stats;
mod gem5_stretches;
mod groups;
pub(crate) mod heading;
mod json_objects;
mod kind;
mod layout;
mod measurements;
mod table;
mod timelines;
mod together;
mod trace_folder;
mod trace_rows;

use std::io::Read as _;
use std::path::Path;

use fathom_record::Observation;

use crate::error::{Flaw, quoted};
use crate::read::{file_bytes, text_of};
use crate::{Format, ReadError, ReadOptions, read_path};
use cut_short::Extent;
use folder::ExecutionPath;
use found::ParsedAttempts;
use trace_folder::TracePath;
pub use trace_folder::observed;

pub use attempts::{AttemptSlot, Attempts};
pub use format::{ObservationFormat, UnknownObservationFormat};
pub use found::{Attempt, FailedExecution, FileAttempts};
pub use groups::Groups;
pub use together::Together;
pub use trace_rows::RowsAre;

/// What the user asked for, apart from the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObservationOptions {
    /// The kind of file; detected from its content when absent.
    pub format: Option<ObservationFormat>,
    /// The columns of a table, the statistics of gem5, or the subject or metric of a tool's file
    /// to read. All of them when there are none; of a tool's file there must be one.
    pub columns: Vec<String>,
    /// What the rows of a table are; detected from its columns when absent. Rows that look like one
    /// execution are refused, because they would be counted as many.
    pub rows: Option<RowsAre>,
    /// The column with the group of each execution, in tables with a row per execution and in JSON
    /// objects. It may hold any text, and is none of the execution's numbers.
    pub group_by: Option<String>,
}

/// Reads the executions in a file, a gzip file, or a folder of them, in their order; never none.
///
/// # Errors
/// The file cannot be read, or one of its executions failed: [`read_attempts_by_file`] has those too.
pub fn read_observations(
    path: &Path,
    options: &ObservationOptions,
) -> Result<Vec<Observation>, ReadError> {
    let mut all = Vec::new();
    each_file(path, options, Extent::Whole, |found, file| {
        all.extend(found.into_observations().map_err(|flaw| attached(file, flaw, options))?);
        Ok(())
    })?;
    Ok(all)
}

/// Reads executions from bytes; `name` is what messages call them.
///
/// ```
/// use fathom_formats::{ObservationOptions, observations_from_bytes};
/// let text = b"time[ms],power[W]\n0,10\n5,12.5\n";
/// let seen = observations_from_bytes("trace.csv", text, &ObservationOptions::default())?;
/// assert_eq!(seen[0].signals()["power"].values(), [10.0, 12.5]);
/// assert_eq!(seen[0].time_unit().symbol(), "ms");
/// # Ok::<(), fathom_formats::ReadError>(())
/// ```
///
/// # Errors
/// They cannot be read, or one of the executions failed.
pub fn observations_from_bytes(
    name: &str,
    bytes: &[u8],
    options: &ObservationOptions,
) -> Result<Vec<Observation>, ReadError> {
    let found =
        read(name, bytes, options, Extent::Whole).and_then(ParsedAttempts::into_observations);
    found.map_err(|flaw| attached(name, flaw, options))
}

/// Like [`read_observations`], but with the failed executions of a check's journal, and file by
/// file, so that a file named twice can be detected.
///
/// # Errors
/// The file cannot be read.
pub fn read_attempts_by_file(
    path: &Path,
    options: &ObservationOptions,
) -> Result<Vec<FileAttempts>, ReadError> {
    let mut all = Vec::new();
    each_file(path, options, Extent::Whole, |found, file| {
        let ParsedAttempts { attempts, seeds, left_out_of_journal, groups, .. } = found;
        all.push(FileAttempts { path: file.into(), attempts, seeds, left_out_of_journal, groups });
        Ok(())
    })?;
    Ok(all)
}

/// Reads a file that holds one execution, or the folder in which gem5 left one.
///
/// # Errors
/// The file cannot be read, or holds several executions.
pub fn read_one(path: &Path, options: &ObservationOptions) -> Result<Observation, ReadError> {
    one_in(path, options, Extent::Whole)
}

/// Like [`read_one`], of an execution that was killed or crashed: its last line may be half a line
/// and is left out, unless it ends.
///
/// # Errors
/// What is left of the file cannot be read, or holds several executions.
pub fn read_one_cut_short(
    path: &Path,
    options: &ObservationOptions,
) -> Result<Observation, ReadError> {
    one_in(path, options, Extent::CompleteLines)
}

fn one_in(
    path: &Path,
    options: &ObservationOptions,
    extent: Extent,
) -> Result<Observation, ReadError> {
    let mut one: Option<Observation> = None;
    each_file(path, options, extent, |found, file| {
        let seen = found.into_one().map_err(|flaw| attached(file, flaw, options))?;
        if one.replace(seen).is_some() {
            let flaw = Flaw::new(
                "the folder contains several executions, but only one is allowed here",
                "use one of the files in it",
            );
            return Err(attached(&path.display().to_string(), flaw, options));
        }
        Ok(())
    })?;
    one.ok_or_else(|| nothing(path, options))
}

/// Reads one execution from bytes, from what it printed for example; `name` is what messages call
/// them.
///
/// # Errors
/// They cannot be read, or hold several executions.
pub fn one_from_bytes(
    name: &str,
    bytes: &[u8],
    options: &ObservationOptions,
) -> Result<Observation, ReadError> {
    let found = read(name, bytes, options, Extent::Whole).and_then(ParsedAttempts::into_one);
    found.map_err(|flaw| attached(name, flaw, options))
}

/// Like [`one_from_bytes`], of an execution that was killed or crashed: its last line may be half
/// a line and is left out, unless it ends.
///
/// # Errors
/// What is left of them cannot be read, or holds several executions.
pub fn one_cut_short_from_bytes(
    name: &str,
    bytes: &[u8],
    options: &ObservationOptions,
) -> Result<Observation, ReadError> {
    let found =
        read(name, bytes, options, Extent::CompleteLines).and_then(ParsedAttempts::into_one);
    found.map_err(|flaw| attached(name, flaw, options))
}

/// Whether a path holds executions in a format that only executions have: Fathom's own, the journal of a
/// check, gem5's statistics, or several trace folders in one.
#[must_use]
pub fn holds_executions(path: &Path) -> bool {
    if path.is_dir() {
        let is_of_gem5 = || {
            let is_statistics = |place: &ExecutionPath| match place {
                ExecutionPath::File(file) => folder::is_statistics(file),
                ExecutionPath::WithoutStatistics(_) => false,
            };
            folder::files(path).is_ok_and(|files| files.iter().any(is_statistics))
        };
        return !trace_folder::is_trace(path)
            && (!trace_folder::folders(path).is_empty() || is_of_gem5());
    }
    // Large tables are not read for this.
    let Ok(start) = std::fs::File::open(path).and_then(|file| {
        let mut start = Vec::new();
        file.take(1 << 10).read_to_end(&mut start).map(|_| start)
    }) else {
        return false;
    };
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    let may_be = matches!(first, Some(b'{' | b'[' | b'-')) || start.starts_with(&[0x1f, 0x8b]);
    let Some(bytes) = may_be.then(|| file_bytes(path, None).ok()).flatten() else { return false };
    let kind = text_of(&bytes).and_then(|text| kind::of_text(&text));
    matches!(kind, Ok(ObservationFormat::Execution | ObservationFormat::Of(Format::Gem5)))
}

fn attached(file: &str, flaw: Flaw, options: &ObservationOptions) -> ReadError {
    ReadError::of_format(file, flaw, options.format)
}

/// Goes through the file, or the files of a folder.
fn each_file(
    path: &Path,
    options: &ObservationOptions,
    extent: Extent,
    mut visit: impl FnMut(ParsedAttempts, &str) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let read_file =
        |path: &Path, visit: &mut dyn FnMut(ParsedAttempts, &str) -> Result<(), ReadError>| {
            let file = path.display().to_string();
            let bytes = file_bytes(path, None)?;
            // gem5 makes the file when it starts and fills it when it dumps.
            if folder::is_statistics(path) && bytes.iter().all(u8::is_ascii_whitespace) {
                return visit(
                    ParsedAttempts::failed("left an empty stats.txt, so gem5 did not finish"),
                    &file,
                );
            }
            let found = read(&file, &bytes, options, extent);
            let found = found.map_err(|flaw| attached(&file, flaw, options))?;
            visit(found, &file)
        };
    if !path.is_dir() {
        return read_file(path, &mut visit);
    }
    let traces = trace_folder::folders(path);
    for place in &traces {
        match place {
            TracePath::Folder(folder) => {
                let name = folder.display().to_string();
                let found = match &options.group_by {
                    Some(column) => Err(groups::no_groups(column)),
                    None => trace_folder::read(folder, &options.columns),
                };
                visit(found.map_err(|flaw| attached(&name, flaw, options))?, &name)?;
            }
            TracePath::Without(folder) => visit(
                ParsedAttempts::failed(
                    "has no manifest.json, so nothing was recorded (if it is not an execution, \
                     select those that are, as in --data traces/run-*)",
                ),
                &folder.display().to_string(),
            )?,
        }
    }
    if !traces.is_empty() {
        return Ok(());
    }
    let is_criterion = options.format == Some(ObservationFormat::Of(Format::Criterion));
    let files = if is_criterion { Vec::new() } else { folder::files(path)? };
    for place in &files {
        match place {
            ExecutionPath::File(file) => read_file(file, &mut visit)?,
            ExecutionPath::WithoutStatistics(folder) => visit(
                ParsedAttempts::failed(
                    "has no stats.txt, so gem5 did not finish (if it is not an execution, select \
                     those that are, as in --data runs/run-*)",
                ),
                &folder.display().to_string(),
            )?,
        }
    }
    if files.is_empty() {
        // What is left are the folders of criterion, which hold nothing but folders.
        let series_options =
            ReadOptions { format: Some(Format::Criterion), ..ReadOptions::default() };
        let contents = read_path(path, &series_options).map_err(|_| nothing(path, options))?;
        let file = path.display().to_string();
        let found = measurements::picked(contents.series, &options.columns);
        visit(found.map_err(|flaw| attached(&file, flaw, options))?, &file)?;
    }
    Ok(())
}

fn nothing(path: &Path, options: &ObservationOptions) -> ReadError {
    let flaw = Flaw::new(
        "the folder contains no files, no folder with gem5's stats.txt and no new/sample.json \
         from criterion",
        "name the files themselves",
    );
    attached(&path.display().to_string(), flaw, options)
}

fn read(
    source: &str,
    bytes: &[u8],
    options: &ObservationOptions,
    extent: Extent,
) -> Result<ParsedAttempts, Flaw> {
    let text = text_of(bytes)?;
    let text = extent.of(&text);
    let format = match options.format {
        Some(format) => format,
        None => kind::of_text(text)?,
    };
    let found = match format {
        ObservationFormat::Execution | ObservationFormat::Json => {
            if let Some(column) = options.columns.first() {
                return Err(Flaw::new(
                    format!(
                        "there is no column {}, because Fathom reads everything in a JSON file",
                        quoted(column)
                    ),
                    "leave out --column",
                ));
            }
            match format {
                ObservationFormat::Json => {
                    json_objects::read(text, options.rows, options.group_by.as_deref())
                }
                _ if kind::is_journal(text) => executions::read_journal(text),
                _ => executions::read(text),
            }
        }
        ObservationFormat::Of(Format::Csv) => table::read(text, options),
        ObservationFormat::Of(Format::Numbers) => table::numbers(text, options),
        ObservationFormat::Of(Format::Gem5) => gem5_stats::read(text, options),
        ObservationFormat::Of(format) => measurements::read(format, source, text, options),
    }?;
    match &options.group_by {
        Some(column) if found.groups.is_none() => Err(groups::no_groups(column)),
        _ => Ok(found),
    }
}
