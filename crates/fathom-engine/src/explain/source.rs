//! Traces to ask about: a folder that Fathom wrote, or files of other tools.

use super::executions::{self, ExecutionTrace, ExecutionTraces, HeldExecution};
use super::joined::{JoinedTraces, NamedPart, joined, short_paths};
use super::names;
use crate::{EngineError, provenance};
use fathom_explain::{ExplainCache, RunEntry, SourceError, TraceSource};
use fathom_formats::holds_executions;
use fathom_formats::trace::Trace;
use fathom_formats::trace_imports::{ImportOptions, ImportedRun, read_traces};
use fathom_record::trace::{Clock, Samples};
use fathom_record::{Environment, Provenance, TimeUnit, Timestamp};
use fathom_request::TraceFiles;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Traces that can be asked about.
pub struct TraceSet {
    runs: Vec<RunEntry>,
    clocks: Vec<Option<Clock>>,
    common: Option<String>,
    time_unit: TimeUnit,
    held: Held,
    notes: Vec<String>,
    provenance: TraceProvenance,
}

/// Where traces are from.
#[derive(Debug, Clone)]
pub(super) struct TraceProvenance {
    paths: Vec<PathBuf>,
    /// As the recording says it.
    measured: Option<Box<Provenance>>,
}

impl TraceProvenance {
    /// Of two sets of traces.
    pub(super) fn after(self, first: TraceProvenance) -> TraceProvenance {
        let paths = first.paths.into_iter().chain(self.paths).collect();
        TraceProvenance { paths, measured: first.measured.or(self.measured) }
    }

    /// Reads the files once more, for their hashes: only a document asks for that.
    pub(super) fn environment(&self) -> Environment {
        let mut files = Vec::new();
        for path in &self.paths {
            let entries = path.is_dir().then(|| std::fs::read_dir(path).ok()).flatten();
            let Some(entries) = entries else {
                files.push(path.clone());
                continue;
            };
            let in_folder = entries.flatten().map(|entry| entry.path());
            let is_hidden = |path: &PathBuf| {
                path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'))
            };
            let mut in_folder: Vec<PathBuf> =
                in_folder.filter(|path| path.is_file() && !is_hidden(path)).collect();
            in_folder.sort();
            files.extend(in_folder);
        }
        Environment { measured: self.measured.clone(), ..provenance::of_files(files, None) }
    }
}

enum Held {
    Executions(HashMap<String, HeldExecution>),
    Folder(Box<Trace>),
    Files(HashMap<String, Vec<Samples>>),
    Joined { traces: JoinedTraces, has_wall_times: bool },
}

impl TraceSet {
    /// Opens them.
    ///
    /// # Errors
    /// They cannot be read, or not together.
    pub fn open(files: &TraceFiles) -> Result<TraceSet, EngineError> {
        let options = ImportOptions {
            format: None,
            time_unit: files.time_unit,
            counters: files.counters.clone(),
        };
        let paths = files.paths.as_slice();
        let is_folder = |path: &PathBuf| path.join("manifest.json").exists();
        if let [folder] = paths
            && is_folder(folder)
            && executions::is_of_a_check(folder)
        {
            return TraceSet::executions(paths, &options);
        }
        if !paths.is_empty() && paths.iter().all(|path| holds_executions(path)) {
            return TraceSet::executions(paths, &options);
        }
        match paths {
            [folder] if is_folder(folder) => TraceSet::folder(folder, &options),
            paths if paths.iter().any(is_folder) => TraceSet::several(files),
            paths => TraceSet::files(paths, &options),
        }
    }

    /// Folders, or folders and files: each by itself, and then all together.
    fn several(files: &TraceFiles) -> Result<TraceSet, EngineError> {
        let mut parts = Vec::with_capacity(files.paths.len());
        for (path, name) in files.paths.iter().zip(short_paths(&files.paths)) {
            // Folders of traces say what their times and counters are.
            let says_itself = path.join("manifest.json").exists();
            let own = TraceFiles { paths: vec![path.clone()], ..TraceFiles::default() };
            let own = if says_itself { own } else { TraceFiles { paths: own.paths, ..files.clone() } };
            parts.push(NamedPart { name, may_be_alone: true, traces: TraceSet::open(&own)? });
        }
        Ok(joined(parts)?.0)
    }

    /// Sets of traces, joined.
    #[allow(clippy::too_many_arguments, reason = "it has as many fields")]
    pub(super) fn of_parts(
        runs: Vec<RunEntry>,
        clocks: Vec<Option<Clock>>,
        common: Option<String>,
        time_unit: TimeUnit,
        has_wall_times: bool,
        traces: JoinedTraces,
        notes: Vec<String>,
        provenance: TraceProvenance,
    ) -> TraceSet {
        let held = Held::Joined { traces, has_wall_times };
        TraceSet { runs, clocks, common, time_unit, held, notes, provenance }
    }

    /// Whether all samples are in memory.
    pub(super) fn is_held(&self) -> bool {
        match &self.held {
            Held::Files(_) => true,
            Held::Folder(_) | Held::Executions(_) => false,
            Held::Joined { traces, .. } => traces.are_held(),
        }
    }

    /// Executions, each a run.
    fn executions(paths: &[PathBuf], options: &ImportOptions) -> Result<TraceSet, EngineError> {
        if options.time_unit.is_some() || !options.counters.is_empty() {
            return Err(EngineError::usage(
                "executions state what their times are; leave out --trace-time-unit and --counter",
            ));
        }
        let ExecutionTraces { runs, time_unit, notes } = ExecutionTraces::read(paths)?;
        let clocks = vec![None; runs.len()];
        // Where all were recorded alike, by what all have.
        let common_of = |one: &ExecutionTrace| match &one.held {
            HeldExecution::Folder { trace, .. } => trace.manifest().common.clone(),
            HeldExecution::Samples(_) => None,
        };
        let common = runs.first().and_then(common_of);
        let common = common.filter(|name| runs.iter().all(|one| has(&one.entry, name)));
        let measured = runs.first().and_then(|one| match &one.held {
            HeldExecution::Folder { trace, .. } => trace.manifest().environment.measured.clone(),
            HeldExecution::Samples(_) => None,
        });
        let entries = runs.iter().map(|one| one.entry.clone()).collect();
        let held = runs.into_iter().map(|one| (one.entry.id, one.held)).collect();
        Ok(TraceSet {
            runs: entries,
            clocks,
            common,
            time_unit,
            held: Held::Executions(held),
            notes,
            provenance: TraceProvenance { paths: paths.to_vec(), measured },
        })
    }

    /// The run that is meant; the word itself if there is none such.
    ///
    /// # Errors
    /// Several may be meant.
    pub(crate) fn named_run(&self, word: &str) -> Result<String, EngineError> {
        let found = names::meant("run", word, self.runs.iter().map(|run| run.id.as_str()))?;
        Ok(found.unwrap_or(word).to_string())
    }

    /// The metric that is meant; the word itself if there is none such.
    ///
    /// # Errors
    /// Several may be meant.
    pub(super) fn named_metric(&self, word: &str) -> Result<String, EngineError> {
        let all = self.runs.iter().flat_map(|run| &run.metrics);
        let found = names::meant("metric", word, all.map(|metric| metric.name.as_str()))?;
        Ok(found.unwrap_or(word).to_string())
    }

    fn folder(path: &Path, options: &ImportOptions) -> Result<TraceSet, EngineError> {
        if options.time_unit.is_some() || !options.counters.is_empty() {
            return Err(EngineError::usage(format!(
                "{} says itself what its times and counters are; leave out --trace-time-unit and \
                 --counter",
                path.display()
            )));
        }
        let trace = Trace::open(path)?;
        let manifest = trace.manifest();
        let mut runs = Vec::new();
        for run in &manifest.runs {
            let metrics = trace.metrics_of(&run.id)?;
            runs.push(RunEntry { id: run.id.clone(), metrics });
        }
        if runs.is_empty() {
            return Err(EngineError::usage(format!(
                "{} holds no run yet; record one, or wait until its first is there",
                path.display()
            )));
        }
        let notes = manifest.runs.iter().filter(|run| run.ended.is_none());
        let notes = notes.map(|run| format!("{} did not come to its end", run.id)).collect();
        Ok(TraceSet {
            clocks: manifest.runs.iter().map(|run| run.clock).collect(),
            common: manifest.common.clone(),
            time_unit: TimeUnit::Seconds,
            runs,
            provenance: TraceProvenance {
                paths: vec![path.to_path_buf()],
                measured: manifest.environment.measured.clone(),
            },
            held: Held::Folder(Box::new(trace)),
            notes,
        })
    }

    fn files(paths: &[PathBuf], options: &ImportOptions) -> Result<TraceSet, EngineError> {
        let imported = read_traces(paths, options)?;
        if let Some(unused) = options.unused_counters(&imported).first() {
            return Err(EngineError::usage(format!("--counter {unused}: no metric has this name")));
        }
        let mut units: Vec<TimeUnit> = imported.iter().map(|run| run.time_unit).collect();
        units.dedup();
        let time_unit = match units.as_slice() {
            [unit] => *unit,
            _ => {
                let first = units.first().map_or("", |unit| unit.symbol());
                let other = units.get(1).map_or("", |unit| unit.symbol());
                return Err(EngineError::usage(format!(
                    "the files disagree: times are in {first} in one and in {other} in another; \
                     convert one, so that windows mean the same in all"
                )));
            }
        };
        let clocks = imported.iter().map(|run| run.clock).collect();
        let notes = imported
            .iter()
            .flat_map(|run| run.notes.iter().map(|note| format!("{}: {note}", run.id)))
            .collect();
        let mut runs = Vec::new();
        let mut kept = HashMap::new();
        for run in imported {
            let id = run.id.clone();
            let samples = samples_of(run);
            let metrics = samples.iter().map(|one| one.metric.clone()).collect();
            runs.push(RunEntry { id: id.clone(), metrics });
            kept.insert(id, samples);
        }
        Ok(TraceSet {
            runs,
            clocks,
            common: None,
            time_unit,
            held: Held::Files(kept),
            notes,
            provenance: TraceProvenance { paths: paths.to_vec(), measured: None },
        })
    }

    /// What bare numbers in windows count.
    #[must_use]
    pub fn time_unit(&self) -> TimeUnit {
        self.time_unit
    }

    /// Whether people know these times as times since 1970: files of other tools have them. Fathom's
    /// own recordings count from their start.
    #[must_use]
    pub fn has_wall_times(&self) -> bool {
        match &self.held {
            Held::Files(_) => true,
            Held::Folder(_) | Held::Executions(_) => false,
            Held::Joined { has_wall_times, .. } => *has_wall_times,
        }
    }

    /// What times in messages count from, where files have times since 1970.
    #[must_use]
    pub fn origin_line(&self) -> Option<String> {
        let origin = self.clocks.first().copied().flatten().filter(|_| self.has_wall_times())?;
        let seconds = origin.wall.nanoseconds() / 1_000_000_000;
        Some(format!("times above count from the first row, {seconds} s after 1970"))
    }

    /// When the times of a run begin, counted from 1970, if people know them so.
    #[must_use]
    pub fn origin(&self, run: &str) -> Option<Timestamp> {
        self.clock(run).filter(|_| self.has_wall_times()).map(|clock| clock.wall)
    }

    /// Where they are from.
    pub(super) fn provenance(&self) -> TraceProvenance {
        self.provenance.clone()
    }

    /// What a reader should know of the files.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What need not be read twice for one question. Files of other tools are in memory already.
    #[must_use]
    pub fn cache(&self) -> ExplainCache {
        if self.is_held() { ExplainCache::new(0) } else { ExplainCache::default() }
    }

    /// When the times of a run begin, if that is known.
    #[must_use]
    pub fn clock(&self, run: &str) -> Option<Clock> {
        let place = self.runs.iter().position(|entry| entry.id == run)?;
        self.clocks.get(place).copied().flatten()
    }
}

impl TraceSource for TraceSet {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        self.common.as_deref()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        match &self.held {
            Held::Folder(trace) => Ok(trace.samples(run, metric)?),
            Held::Executions(runs) => match runs.get(run) {
                Some(HeldExecution::Folder { trace, run }) => Ok(trace.samples(run, metric)?),
                Some(HeldExecution::Samples(samples)) => samples
                    .iter()
                    .find(|one| one.metric.name == metric)
                    .cloned()
                    .ok_or_else(|| format!("{run} has no metric {metric}").into()),
                None => Err(format!("there is no run {run}").into()),
            },
            Held::Files(runs) => runs
                .get(run)
                .and_then(|samples| samples.iter().find(|one| one.metric.name == metric))
                .cloned()
                .ok_or_else(|| format!("{run} has no metric {metric}").into()),
            Held::Joined { traces, .. } => traces.samples(run, metric),
        }
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        let (trace, run) = match &self.held {
            Held::Folder(trace) => (&**trace, run),
            Held::Executions(runs) => match runs.get(run)? {
                HeldExecution::Folder { trace, run } => (&**trace, run.as_str()),
                HeldExecution::Samples(_) => return None,
            },
            Held::Files(_) => return None,
            Held::Joined { traces, .. } => return traces.whole_run(run, bytes),
        };
        let entry = trace.manifest().run(run)?;
        let rows = entry.samplers.iter().map(|one| one.rows).max().unwrap_or(0);
        let metrics = u64::try_from(trace.manifest().metrics.len()).unwrap_or(u64::MAX);
        let most = u64::try_from(bytes.min(LARGEST)).unwrap_or(u64::MAX);
        // A recording that was cut off does not know how many rows it has.
        if rows == 0 || rows.saturating_mul(metrics).saturating_mul(BYTES_PER_VALUE) > most {
            return None;
        }
        Some(trace.all_samples(run).map_err(SourceError::from))
    }
}

fn has(run: &RunEntry, name: &str) -> bool {
    run.metrics.iter().any(|metric| metric.name == name)
}

/// What a run may take in memory to be read whole.
const LARGEST: usize = 512 << 20;
const BYTES_PER_VALUE: u64 = 16;

fn samples_of(run: ImportedRun) -> Vec<Samples> {
    let mut all = Vec::new();
    for (_, rows) in run.samplers {
        let starts: Arc<[Timestamp]> = rows.starts().into();
        let ends: Arc<[Timestamp]> = rows.ends().into();
        for (metric, values) in rows.metrics().iter().zip(rows.columns()) {
            all.push(Samples {
                metric: metric.clone(),
                starts: Arc::clone(&starts),
                ends: Arc::clone(&ends),
                values: values.clone(),
            });
        }
    }
    all
}
