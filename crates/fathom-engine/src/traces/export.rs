//! Traces as CSV.

use super::summaries::{chosen, some};
use crate::EngineError;
use crate::explain::TraceSet;
use fathom_explain::TraceSource;
use fathom_explain::align::{RunClock, clocks};
use fathom_formats::trace::{Trace, TraceError};
use fathom_formats::trace_imports::EXPORTED;
use fathom_record::Timestamp;
use fathom_record::foreign_text::guarded;
use fathom_record::trace::{Clock, Manifest, SamplerEntry, TraceRun};
use fathom_record::whole_file::{self, NewFile};
use fathom_request::{AlignmentOptions, TraceFiles};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Which tables of a folder of traces are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportChoice<'a> {
    /// Only this run.
    pub run: Option<&'a str>,
    /// Only this sampler.
    pub sampler: Option<&'a str>,
    /// In the time of one run.
    pub aligned: Option<AlignedExport<'a>>,
}

/// Times as those of one run, with which all others are aligned.
#[derive(Debug, Clone, Copy)]
pub struct AlignedExport<'a> {
    /// The run.
    pub reference: &'a str,
    /// The metric to align by; absent: as for explanations.
    pub common: Option<&'a str>,
}

/// The file with the warps, next to aligned tables.
const WARP: &str = "warp.csv";

/// What is written for a moment of a run.
struct ExportTimes {
    clocks: BTreeMap<String, RunClock>,
    /// When the reference's times begin.
    origin: Option<Clock>,
}

impl ExportTimes {
    /// Aligns the runs of a folder.
    fn of(
        folder: &Path,
        trace: &Trace,
        asked: AlignedExport<'_>,
    ) -> Result<ExportTimes, EngineError> {
        let files = TraceFiles { paths: vec![folder.to_path_buf()], ..TraceFiles::default() };
        let traces = TraceSet::open(&files)?;
        let options = AlignmentOptions {
            common: asked.common.map(str::to_string),
            ..AlignmentOptions::default()
        };
        let options = traces.alignment(&options)?;
        let reference = traces.named_run(asked.reference)?;
        let clocks = clocks(&traces, &reference, &options, &traces.cache(), &|_| Ok(()))?;
        let ids = traces.runs().iter().map(|run| run.id.clone());
        let origin = trace.manifest().run(&reference).and_then(|run| run.clock);
        Ok(ExportTimes { clocks: ids.zip(clocks).collect(), origin })
    }

    fn moment(&self, run: &str, moment: Timestamp) -> Timestamp {
        self.clocks.get(run).map_or(moment, |clock| clock.here(moment))
    }

    /// The warps as a table: moments of the reference, and of each run.
    fn warps(&self) -> String {
        let mut text = "run,common,fit,reference_ns,run_ns\n".to_string();
        for (run, clock) in &self.clocks {
            let metrics: Vec<&str> = clock.metrics().collect();
            let cell = |text: &str| format!("\"{}\"", guarded(text).replace('"', "\"\""));
            let (run, common) = (cell(run), cell(&metrics.join(" > ")));
            let fit = clock.fit().map_or("", |fit| fit.as_str());
            for (here, there) in clock.knots() {
                let (here, there) = (here.nanoseconds(), there.nanoseconds());
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{run},{common},{fit},{here},{there}");
            }
        }
        text
    }
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
    let aligned = choice.aligned.map(|asked| ExportTimes::of(traces, &trace, asked)).transpose()?;
    into_folder(&trace, &tables, aligned.as_ref(), folder)
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
        let aligned =
            choice.aligned.map(|asked| ExportTimes::of(traces, &trace, asked)).transpose()?;
        let out = &mut BufWriter::new(out);
        return write(&trace, &run.id, sampler, aligned.as_ref(), out, "standard output");
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
    aligned: Option<&ExportTimes>,
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
        write(trace, &run.id, sampler, aligned, &mut BufWriter::new(&file), &name)?;
        file.complete_new(true).map_err(refused)?;
    }
    if let Some(aligned) = aligned {
        let path = folder.join(WARP);
        let written = whole_file::write(&path, aligned.warps().as_bytes());
        written.map_err(|error| EngineError::writing(&path, error))?;
    }
    write_about(trace, parts, aligned, folder)
}

/// What the tables cannot say, for `fathom import`: kinds, layers, units, clocks. Tables that an earlier
/// export left in the folder stay described.
fn write_about(
    trace: &Trace,
    parts: &[(&TraceRun, &str)],
    aligned: Option<&ExportTimes>,
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
            None => {
                let mut run = TraceRun { samplers: vec![entry], ..(*run).clone() };
                if let Some(aligned) = aligned {
                    run.clock = aligned.origin;
                    run.ended = run.ended.map(|ended| aligned.moment(&run.id, ended));
                }
                about.runs.push(run);
            }
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
    aligned: Option<&ExportTimes>,
    out: &mut dyn Write,
    target: &str,
) -> Result<(), EngineError> {
    let times = |moment| aligned.map_or(moment, |aligned| aligned.moment(run, moment));
    trace.write_csv_on(run, sampler, &times, out).map_err(|error| match error {
        TraceError::Output(error) => EngineError::writing(Path::new(target), error),
        error => error.into(),
    })?;
    out.flush().map_err(|error| EngineError::writing(Path::new(target), error))
}
