//! Traces as CSV.

use super::summaries::{chosen, some};
use crate::EngineError;
use fathom_formats::trace::{Trace, TraceError};
use fathom_formats::trace_imports::EXPORTED;
use fathom_record::trace::{Manifest, SamplerEntry, TraceRun};
use fathom_record::whole_file::{self, NewFile};
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Which tables of a folder of traces are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportChoice<'a> {
    /// Only this run.
    pub run: Option<&'a str>,
    /// Only this sampler.
    pub sampler: Option<&'a str>,
}

impl ExportChoice<'_> {
    /// The tables of these traces, one at least: a run and a sampler each.
    fn tables(self, trace: &Trace) -> Result<Vec<(&TraceRun, &str)>, EngineError> {
        let mut tables: Vec<(&TraceRun, &str)> = Vec::new();
        for run in chosen(trace.manifest(), self.run)? {
            let wanted = |name: &&str| self.sampler.is_none_or(|one| one == *name);
            let names = run.samplers.iter().map(|sampler| sampler.name.as_str());
            tables.extend(names.filter(wanted).map(|sampler| (run, sampler)));
        }
        if tables.is_empty() { Err(nothing(trace, self.sampler)) } else { Ok(tables) }
    }
}

/// Writes every table of the choice as a file of its own into a folder.
///
/// # Errors
/// The traces cannot be read, there is no such run or sampler, or a file cannot be written.
pub fn export(traces: &Path, choice: ExportChoice<'_>, folder: &Path) -> Result<(), EngineError> {
    let trace = opened(traces)?;
    let tables = choice.tables(&trace)?;
    into_folder(&trace, &tables, folder)
}

/// Writes the one table of the choice. [`EngineError::is_broken_pipe`] is true if nobody reads it.
///
/// # Errors
/// The traces cannot be read, there is no such run or sampler, or there are several tables.
pub fn export_table(
    traces: &Path,
    choice: ExportChoice<'_>,
    out: &mut dyn Write,
) -> Result<(), EngineError> {
    let trace = opened(traces)?;
    let tables = choice.tables(&trace)?;
    if let [(run, sampler)] = tables.as_slice() {
        return write(&trace, &run.id, sampler, &mut BufWriter::new(out), "standard output");
    }
    let listed: Vec<String> = tables
        .iter()
        .map(|(run, sampler)| format!("--run {} --sampler {sampler}", run.id))
        .collect();
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    Err(EngineError::usage(format!(
        "these have rows of different times and do not fit into one table: {}; choose one, or write \
         all with -o DIR",
        some(&listed)
    )))
}

fn opened(traces: &Path) -> Result<Trace, EngineError> {
    if traces.exists() {
        return Ok(Trace::open(traces)?);
    }
    Err(EngineError::usage(format!(
        "there is no folder {}; `fathom export` writes traces as CSV. Of a session, `fathom show ID \
         --export-csv FILE` writes the estimates, and --export-json every value",
        traces.display()
    )))
}

fn nothing(trace: &Trace, sampler: Option<&str>) -> EngineError {
    let all = trace.manifest().runs.iter().flat_map(|run| &run.samplers);
    let mut names: Vec<&str> = all.map(|sampler| sampler.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match sampler {
        Some(name) => EngineError::usage(format!(
            "there is no sampler \"{name}\"; there are {}",
            some(&names)
        )),
        None => EngineError::usage("the traces hold no run yet, so there is nothing to export"),
    }
}

fn into_folder(
    trace: &Trace,
    parts: &[(&TraceRun, &str)],
    folder: &Path,
) -> Result<(), EngineError> {
    let refused = |error: std::io::Error| {
        EngineError::file(format!("{} cannot be made: {error}", folder.display()), error)
    };
    std::fs::create_dir_all(folder).map_err(refused)?;
    for (run, sampler) in parts {
        let path = folder.join(table_name(run, sampler));
        let name = path.display().to_string();
        let refused = |error: std::io::Error| {
            let message = format!("{name} cannot be written: {error}; choose another folder");
            EngineError::file(message, error)
        };
        if path.symlink_metadata().is_ok() {
            return Err(refused(std::io::ErrorKind::AlreadyExists.into()));
        }
        let file = NewFile::create(&path).map_err(refused)?;
        write(trace, &run.id, sampler, &mut BufWriter::new(&file), &name)?;
        file.complete_new(true).map_err(refused)?;
    }
    write_about(trace, parts, folder)
}

/// What the tables cannot say, for `fathom import`: kinds, layers, units, clocks. Tables that an earlier
/// export left in the folder stay described.
fn write_about(
    trace: &Trace,
    parts: &[(&TraceRun, &str)],
    folder: &Path,
) -> Result<(), EngineError> {
    let path = folder.join(EXPORTED);
    let before = std::fs::read_to_string(&path).ok().and_then(|text| Manifest::read(&text).ok());
    let mut about = Manifest { runs: Vec::new(), ..trace.manifest().clone() };
    if let Some(before) = before {
        about.runs = before.runs;
        about.metrics.extend(before.metrics);
    }
    let mut known = HashSet::new();
    about.metrics.retain(|metric| known.insert(metric.name.clone()));
    for (run, sampler) in parts {
        let Some(entry) = run.samplers.iter().find(|one| one.name == *sampler) else { continue };
        let entry = SamplerEntry { file: table_name(run, sampler), ..entry.clone() };
        // What programs report may be described in the samplers' files only.
        for metric in trace.metrics_of_sampler(&run.id, sampler)? {
            if known.insert(metric.name.clone()) {
                about.metrics.push(metric);
            }
        }
        match about.runs.iter_mut().find(|one| one.id == run.id) {
            Some(run) => run.samplers.push(entry),
            None => about.runs.push(TraceRun { samplers: vec![entry], ..(*run).clone() }),
        }
    }
    let text = serde_json::to_string_pretty(&about)? + "\n";
    whole_file::write(&path, text.as_bytes()).map_err(|error| EngineError::writing(&path, error))
}

fn table_name(run: &TraceRun, sampler: &str) -> String {
    format!("{}.{sampler}.csv", run.id)
}

fn write(
    trace: &Trace,
    run: &str,
    sampler: &str,
    out: &mut dyn Write,
    target: &str,
) -> Result<(), EngineError> {
    trace.write_csv(run, sampler, out).map_err(|error| match error {
        TraceError::Output(error) => EngineError::writing(Path::new(target), error),
        error => error.into(),
    })?;
    out.flush().map_err(|error| EngineError::writing(Path::new(target), error))
}
