//! Traces for `fathom explain`: a folder that Fathom wrote, or files of other tools.

use crate::failure::Failure;
use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_formats::trace::Trace;
use fathom_formats::trace_imports::{ImportOptions, ImportedRun, read_traces};
use fathom_record::TimeUnit;
use fathom_record::trace::{Clock, Samples};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Traces that can be explained.
pub(crate) struct Traces {
    runs: Vec<RunEntry>,
    clocks: Vec<Option<Clock>>,
    common: Option<String>,
    time_unit: TimeUnit,
    held: Held,
    /// What a reader should know of the files.
    pub(crate) notes: Vec<String>,
}

enum Held {
    Folder { trace: Box<Trace>, kept: Kept },
    Files(HashMap<String, Vec<Samples>>),
}

impl Traces {
    /// Opens what the command line names.
    pub(crate) fn open(paths: &[PathBuf], options: &ImportOptions) -> Result<Traces, Failure> {
        let is_folder = |path: &PathBuf| path.join("manifest.json").exists();
        match paths {
            [folder] if is_folder(folder) => Traces::folder(folder, options),
            paths => match paths.iter().find(|path| is_folder(path)) {
                Some(folder) => Err(Failure::input(format!(
                    "{} is a folder of traces, which is explained by itself; give it alone, or \
                     export it with `fathom export` and give files",
                    folder.display()
                ))),
                None => Traces::files(paths, options),
            },
        }
    }

    fn folder(path: &Path, options: &ImportOptions) -> Result<Traces, Failure> {
        if options.time_unit.is_some() || !options.counters.is_empty() {
            return Err(Failure::input(format!(
                "{} says itself what its times and counters are; leave out --trace-time-unit and \
                 --counter",
                path.display()
            )));
        }
        let trace = Trace::open(path).map_err(Failure::input)?;
        let manifest = trace.manifest();
        let mut runs = Vec::new();
        for run in &manifest.runs {
            let metrics = trace.metrics_of(&run.id).map_err(Failure::input)?;
            runs.push(RunEntry { id: run.id.clone(), metrics });
        }
        if runs.is_empty() {
            return Err(Failure::input(format!(
                "{} holds no run yet; record one, or wait until its first is there",
                path.display()
            )));
        }
        let notes = manifest.runs.iter().filter(|run| run.ended_ns.is_none());
        let notes = notes.map(|run| format!("{} did not come to its end", run.id)).collect();
        Ok(Traces {
            clocks: manifest.runs.iter().map(|run| run.clock).collect(),
            common: manifest.common.clone(),
            time_unit: TimeUnit::Seconds,
            runs,
            held: Held::Folder { kept: Kept::default(), trace: Box::new(trace) },
            notes,
        })
    }

    fn files(paths: &[PathBuf], options: &ImportOptions) -> Result<Traces, Failure> {
        let imported = read_traces(paths, options).map_err(Failure::input)?;
        if let Some(unused) = options.unused_counters(&imported).first() {
            return Err(Failure::input(format!("--counter {unused}: no metric has this name")));
        }
        let mut units: Vec<TimeUnit> = imported.iter().map(|run| run.time_unit).collect();
        units.dedup();
        let time_unit = match units.as_slice() {
            [unit] => *unit,
            _ => {
                let first = units.first().map_or("", |unit| unit.symbol());
                let other = units.get(1).map_or("", |unit| unit.symbol());
                return Err(Failure::input(format!(
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
        Ok(Traces { runs, clocks, common: None, time_unit, held: Held::Files(kept), notes })
    }

    /// What bare numbers in windows count.
    pub(crate) fn time_unit(&self) -> TimeUnit {
        self.time_unit
    }

    /// Whether people know these times as times since 1970: files of other tools have them. Fathom's
    /// own recordings count from their start.
    pub(crate) fn has_wall_times(&self) -> bool {
        matches!(self.held, Held::Files(_))
    }

    /// What times in messages count from, where files have times since 1970.
    pub(crate) fn origin_line(&self) -> Option<String> {
        let origin = self.clocks.first().copied().flatten().filter(|_| self.has_wall_times())?;
        let seconds = origin.wall_ns / 1_000_000_000;
        Some(format!("times above count from the first row, {seconds} s after 1970"))
    }

    /// When the times of a run begin, if that is known.
    pub(crate) fn clock(&self, run: &str) -> Option<Clock> {
        let place = self.runs.iter().position(|entry| entry.id == run)?;
        self.clocks.get(place).copied().flatten()
    }
}

impl TraceSource for Traces {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        self.common.as_deref()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        match &self.held {
            Held::Folder { trace, kept } => kept.samples(trace, run, metric),
            Held::Files(runs) => runs
                .get(run)
                .and_then(|samples| samples.iter().find(|one| one.metric.name == metric))
                .cloned()
                .ok_or_else(|| format!("{run} has no metric {metric}").into()),
        }
    }
}

fn samples_of(run: ImportedRun) -> Vec<Samples> {
    let mut all = Vec::new();
    for (_, rows) in run.samplers {
        let start_ns: Arc<[i64]> = rows.start_ns().into();
        let end_ns: Arc<[i64]> = rows.end_ns().into();
        for (metric, values) in rows.metrics().iter().zip(rows.columns()) {
            all.push(Samples {
                metric: metric.clone(),
                start_ns: Arc::clone(&start_ns),
                end_ns: Arc::clone(&end_ns),
                values: values.clone(),
            });
        }
    }
    all
}

/// The metrics of a run by their names.
type Metrics = HashMap<String, Samples>;

/// The runs that were read last. A run's metrics are asked for one after the other, and a file is
/// read faster whole than column by column, unless it is too large for that, or only the target and
/// the common metric are wanted of it.
#[derive(Default)]
struct Kept {
    runs: Mutex<Recent>,
}

#[derive(Default)]
struct Recent {
    whole: Vec<(String, Arc<Metrics>)>,
    /// How often something was asked of a run that was not kept.
    asked: HashMap<String, usize>,
}

/// So many metrics of a run are read by themselves.
const ALONE: usize = 2;

/// What a run may take in memory to be kept: two of them are.
const LARGEST: u64 = 512 << 20;
const BYTES_PER_VALUE: u64 = 16;

impl Kept {
    fn samples(&self, trace: &Trace, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let entry = trace.manifest().run(run);
        let rows =
            entry.map_or(0, |run| run.samplers.iter().map(|one| one.rows).max().unwrap_or(0));
        let metrics = u64::try_from(trace.manifest().metrics.len()).unwrap_or(u64::MAX);
        // A recording that was cut off does not know how many rows it has.
        if rows == 0 || rows.saturating_mul(metrics).saturating_mul(BYTES_PER_VALUE) > LARGEST {
            return Ok(trace.samples(run, metric)?);
        }
        let read = || -> Result<Metrics, SourceError> {
            let mut found = HashMap::new();
            for samples in trace.all_samples(run)? {
                found.entry(samples.metric.name.clone()).or_insert(samples);
            }
            Ok(found)
        };
        // Whoever waits for the lock wants the same run most of the time.
        let mut recent = match self.runs.lock() {
            Ok(recent) => recent,
            Err(poisoned) => poisoned.into_inner(),
        };
        let samples = match recent.whole.iter().find(|(id, _)| id == run) {
            Some((_, samples)) => Arc::clone(samples),
            None => {
                let asked = recent.asked.entry(run.to_string()).or_default();
                *asked += 1;
                if *asked <= ALONE {
                    drop(recent);
                    return Ok(trace.samples(run, metric)?);
                }
                let samples = Arc::new(read()?);
                if recent.whole.len() > 1 {
                    recent.whole.remove(0);
                }
                recent.whole.push((run.to_string(), Arc::clone(&samples)));
                samples
            }
        };
        drop(recent);
        match samples.get(metric) {
            Some(found) => Ok(found.clone()),
            None => Ok(trace.samples(run, metric)?),
        }
    }
}
