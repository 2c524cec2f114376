//! Several files, a run each, that agree about their metrics.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fathom_record::trace::{Kind, Number, Rows, TraceMetric, Value};

use super::{EXPORTED, ImportOptions, ImportedRun, exported, read_trace_file};
use crate::ReadError;
use crate::error::{Flaw, quoted};
use crate::observations::folder;

/// Reads a folder of files, a run each, in the natural order of their names (`run-2` before
/// `run-10`); plain CSV files are enough. Hidden files and folders in it are left alone.
pub fn read_trace_folder(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<ImportedRun>, ReadError> {
    read_traces(&[path], options)
}

/// Reads files and folders of files, a run each.
///
/// The names of runs are made unique (`web`, `web-2`), and metrics of the same name are made the
/// same: a column that is whole in one file and not in another is kept as doubles in both. Where two
/// files use one name for different things, that is an error.
pub fn read_traces<P: AsRef<Path>>(
    paths: &[P],
    options: &ImportOptions,
) -> Result<Vec<ImportedRun>, ReadError> {
    let mut files = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if path.is_dir() { files.extend(files_in(path, options)?) } else { files.push(path.into()) }
    }
    // `fathom import csv/*` names what is written about the tables as well.
    if files.len() > 1 {
        files.retain(|file: &PathBuf| file.file_name().is_none_or(|name| name != EXPORTED));
    }
    let mut runs: Vec<ImportedRun> = Vec::with_capacity(files.len());
    for file in &files {
        runs.push(read_trace_file(file, options)?);
    }
    agree(&mut runs).map_err(|(run, flaw)| {
        let file = files.get(run).map(|file| file.display().to_string()).unwrap_or_default();
        ReadError::of_import(&file, flaw, options.format)
    })?;
    let mut runs = exported::joined(runs);
    make_unique(&mut runs);
    Ok(runs)
}

fn files_in(path: &Path, options: &ImportOptions) -> Result<Vec<PathBuf>, ReadError> {
    let refuse = |what: &str, remedy: &str| {
        let flaw = Flaw::new(what, remedy);
        Err(ReadError::of_import(&path.display().to_string(), flaw, options.format))
    };
    if path.join("manifest.json").is_file() {
        return refuse(
            "the folder was written by fathom record or fathom import",
            "open it directly with fathom show or fathom explain",
        );
    }
    let mut files = Vec::new();
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            return refuse(
                &format!("cannot read the folder ({error})"),
                "check its path and permissions",
            );
        }
    };
    for entry in entries {
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.') || name == EXPORTED;
        let path = entry.path();
        if !is_hidden && path.is_file() {
            files.push(path);
        }
    }
    let files = folder::sorted(files);
    if files.is_empty() {
        return refuse("the folder contains no files", "check the path");
    }
    Ok(files)
}

fn make_unique(runs: &mut [ImportedRun]) {
    let mut taken = BTreeSet::new();
    // `web-2` may be a file's own name, which then keeps it.
    let own: BTreeSet<String> = runs.iter().map(|run| run.id.clone()).collect();
    for run in runs {
        if taken.insert(run.id.clone()) {
            continue;
        }
        let name = run.id.clone();
        let is_free = |id: &String| !own.contains(id) && !taken.contains(id);
        let id = (2_u64..).map(|n| format!("{name}-{n}")).find(is_free).unwrap_or(name);
        taken.insert(id.clone());
        run.id = id;
    }
}

/// Makes metrics of one name the same in all runs; an error is of the run with that number.
fn agree(runs: &mut [ImportedRun]) -> Result<(), (usize, Flaw)> {
    let mut known: BTreeMap<String, (TraceMetric, String)> = BTreeMap::new();
    for (n, run) in runs.iter().enumerate() {
        for metric in run.samplers.iter().flat_map(|(_, rows)| rows.metrics().iter()) {
            let Some((first, first_run)) = known.get_mut(&metric.name) else {
                known.insert(metric.name.clone(), (metric.clone(), run.id.clone()));
                continue;
            };
            if metric.number == Number::Real {
                first.number = Number::Real;
            }
            // Whether rows of a table are events is seen from all of them together.
            if metric.kind == Kind::Event && first.kind == Kind::Gauge {
                first.kind = Kind::Event;
            }
            let kind = if metric.kind == Kind::Gauge { first.kind } else { metric.kind };
            let is_alike = kind == first.kind && metric.unit == first.unit;
            if !is_alike {
                return Err((n, differs(metric, first, first_run)));
            }
        }
    }
    for (_, rows) in runs.iter_mut().flat_map(|run| &mut run.samplers) {
        let agreed = |metric: &TraceMetric| {
            known.get(&metric.name).map_or_else(|| metric.clone(), |(agreed, _)| agreed.clone())
        };
        let metrics: Arc<[TraceMetric]> = rows.metrics().iter().map(agreed).collect();
        if metrics != *rows.metrics() {
            *rows = rebuilt(rows, metrics);
        }
    }
    Ok(())
}

fn differs(metric: &TraceMetric, first: &TraceMetric, first_run: &str) -> Flaw {
    let described = |metric: &TraceMetric| {
        let unit = metric.unit.symbol();
        if unit.is_empty() {
            format!("a {} without a unit", metric.kind)
        } else {
            format!("a {} in {unit}", metric.kind)
        }
    };
    Flaw::new(
        format!(
            "{} is {} here, but {} in run {}",
            quoted(&metric.name),
            described(metric),
            described(first),
            quoted(first_run)
        ),
        "rename it in one of the files, or use the same unit in both",
    )
}

pub(super) fn rebuilt(rows: &Rows, metrics: Arc<[TraceMetric]>) -> Rows {
    let mut again = Rows::new(metrics);
    let mut values: Vec<Value> = Vec::new();
    for (row, (&start, &end)) in rows.starts().iter().zip(rows.ends()).enumerate() {
        values.clear();
        values.extend(rows.columns().iter().map(|column| column.get(row)));
        again.push(start, end, &values);
    }
    again
}
