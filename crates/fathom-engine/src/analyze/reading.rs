//! The series of files, joined or told apart by their files' names.

use crate::{EngineError, provenance};
use fathom_formats::{Contents, ReadOptions, read_bytes, read_path};
use fathom_record::{Series, Unit};
use fathom_request::AnalyzeRequest;
use std::io::Read;
use std::path::Path;

/// What is known of files besides their series.
#[derive(Debug, Default)]
pub(super) struct ReadNotes {
    /// What was skipped in them.
    pub(super) notes: Vec<String>,
    /// The hash of what standard input held, if it was read.
    pub(super) standard_input: Option<String>,
}

pub(super) fn read(
    request: &AnalyzeRequest,
    notes: &mut ReadNotes,
) -> Result<Vec<Series>, EngineError> {
    let files = read_files(request, &request.input.columns, notes)?;
    if request.input.join { join(files) } else { Ok(distinguish(files)) }
}

/// Each file's series, with the file's name; what was skipped in it goes to `notes`.
pub(super) fn read_files(
    request: &AnalyzeRequest,
    columns: &[String],
    notes: &mut ReadNotes,
) -> Result<Vec<(String, Vec<Series>)>, EngineError> {
    let options = ReadOptions {
        format: request.input.format,
        columns: columns.to_vec(),
        decimal: request.input.decimal,
        has_columns: request.work_column.is_some(),
        unit: request.input.unit.clone(),
    };
    let standard_input = Path::new("-");
    if request.files.iter().filter(|file| *file == standard_input).count() > 1 {
        return Err(EngineError::usage("standard input (-) can be read only once"));
    }
    let mut files = Vec::with_capacity(request.files.len());
    for file in &request.files {
        let mut name = file.display().to_string();
        let contents = if file == standard_input {
            name = "standard input".to_string();
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
                EngineError::file(format!("standard input cannot be read ({error})"), error)
            })?;
            notes.standard_input = Some(provenance::sha256_of(&bytes));
            read_bytes(&name, &bytes, &options)
        } else {
            read_path(file, &options)
        };
        let Contents { series, notes: of_file } = contents?;
        notes.notes.extend(of_file.iter().map(|note| format!("{name}: {note}")));
        files.push((name, series));
    }
    Ok(files)
}

/// Joins what all files measure: their only series, or else series of the same name.
fn join(files: Vec<(String, Vec<Series>)>) -> Result<Vec<Series>, EngineError> {
    let count = files.len();
    // A file that does not name its series has lent it its own name, which then differs.
    let is_one_subject = files.iter().all(|(_, series)| series.len() == 1);
    let mut joined: Vec<Series> = Vec::new();
    for (file, series) in files {
        for series in series {
            let is_same = |known: &&mut Series| {
                is_one_subject
                    || (known.name() == series.name() && known.metric() == series.metric())
            };
            let Some(known) = joined.iter_mut().find(is_same) else {
                joined.push(series);
                continue;
            };
            if known.unit() != series.unit() {
                // --unit speaks only for files that do not.
                let is_open = [known.unit(), series.unit()].contains(&&Unit::Unknown);
                let remedy = match is_open {
                    true => "if all are in one unit, say it with --unit",
                    false => "convert the files to one unit",
                };
                return Err(EngineError::usage(format!(
                    "{file}: \"{}\" is in \"{}\", but files before it are in \"{}\"; {remedy}",
                    series.name(),
                    series.unit(),
                    known.unit()
                )));
            }
            let name = if known.name() == series.name() {
                series.name().to_string()
            } else {
                format!("{count} files")
            };
            *known = known.clone().joined(series).renamed(name);
        }
    }
    Ok(joined)
}

/// Puts the file's name before names that several files share.
fn distinguish(files: Vec<(String, Vec<Series>)>) -> Vec<Series> {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for series in files.iter().flat_map(|(_, series)| series) {
        *counts.entry(series.name().to_string()).or_default() += 1;
    }
    let is_shared = |series: &Series| counts.get(series.name()).is_some_and(|&count| count > 1);
    let several_files = files.len() > 1;
    let mut all = Vec::new();
    for (file, series) in files {
        for series in series {
            let metric = series.metric().map(str::to_string);
            let name = match (several_files && is_shared(&series), &metric) {
                (true, _) => Some(format!("{file}: {}", series.name())),
                // One file, several metrics of one subject.
                (false, Some(metric)) if is_shared(&series) => {
                    Some(format!("{}: {metric}", series.name()))
                }
                (false, _) => None,
            };
            all.push(match name {
                Some(name) => series.renamed(name),
                None => series,
            });
        }
    }
    all
}
