//! A whole recording: a folder, and the runs that go into it.

use super::RecordError;
use super::application::{ApplicationPlan, Prepared};
use super::observers::{Observed, Observers, Setting};
use super::plan_error::words;
use super::progress::RecordingProgress;
use super::writer::Sink;
use fathom_formats::trace::TraceFolder;
use fathom_record::trace::{
    Manifest, MetricDefinition, PlannedRun, PlannedSampler, RecordingPlan, Rows, RunOutcome,
    SamplerEntry, TRACE_SCHEMA, TraceMetric, TraceRun,
};
use fathom_record::{Environment, Span, Timestamp};
use fathom_sys::clock;
use fathom_sys::probes::{Source, Target};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Records runs into a folder. Dropped before any run was recorded, it leaves no folder behind.
#[derive(Debug)]
pub struct Recorder<'a> {
    pub(super) plan: &'a RecordingPlan,
    pub(super) sources: &'a [Box<dyn Source>],
    pub(super) application: Option<&'a ApplicationPlan>,
    path: PathBuf,
    folder: TraceFolder,
}

impl<'a> Recorder<'a> {
    /// Makes the folder, which must be empty or, to be replaced, hold an earlier recording. `command`
    /// is what the manifest says was recorded; it may be empty. `environment` says with what.
    pub fn create(
        path: &Path,
        replace: bool,
        command: Vec<String>,
        environment: Environment,
        plan: &'a RecordingPlan,
        sources: &'a [Box<dyn Source>],
        application: Option<&'a ApplicationPlan>,
    ) -> Result<Recorder<'a>, RecordError> {
        let started = u64::try_from(clock::wall().nanoseconds() / 1_000_000_000).unwrap_or(0);
        let manifest = Manifest {
            schema: TRACE_SCHEMA.to_string(),
            command,
            started,
            environment,
            common: None,
            metrics: Vec::new(),
            derived: Vec::new(),
            runs: Vec::new(),
        };
        let make = if replace { TraceFolder::replace } else { TraceFolder::create };
        let folder = make(path, manifest)?;
        Ok(Recorder { plan, sources, application, path: path.to_path_buf(), folder })
    }

    /// What was recorded so far.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        self.folder.manifest()
    }

    /// Says in the manifest which metrics are computed from others.
    pub fn define(&mut self, derived: Vec<MetricDefinition>) -> Result<(), RecordError> {
        Ok(self.folder.update(|manifest| manifest.derived = derived)?)
    }

    /// Adds a table to a run that is over: metrics that were computed from what it recorded.
    pub fn add_table(&mut self, run: &str, name: &str, rows: &Rows) -> Result<(), RecordError> {
        let file = format!("{run}.{name}.parquet");
        // Readers know from its rows whether there must be a file.
        let entry = SamplerEntry {
            name: name.to_string(),
            file: file.clone(),
            interval: None,
            rows: 0,
            missed: 0,
            lateness: None,
            cpu_share: None,
            probes: Vec::new(),
        };
        let common = self.plan.common.as_deref();
        self.folder.update(|manifest| {
            add_metrics(manifest, rows.metrics().to_vec(), common);
            if let Some(run) = manifest.runs.iter_mut().find(|one| one.id == run) {
                run.samplers.push(entry);
            }
        })?;
        let mut writer = self.folder.writer(&file)?;
        writer.append(rows)?;
        writer.finish()?;
        let count = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        self.folder.update(|manifest| {
            let samplers = manifest.runs.iter_mut().flat_map(|run| &mut run.samplers);
            samplers.filter(|one| one.file == file).for_each(|one| one.rows = count);
        })?;
        Ok(())
    }

    /// Where it goes.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn planned(&self, n: usize) -> Result<&'a PlannedRun, RecordError> {
        let runs = self.plan.runs.len();
        self.plan
            .runs
            .get(n)
            .ok_or_else(|| RecordError::Broken(format!("run {} of {runs} is not planned", n + 1)))
    }

    /// Enters a run into the manifest, where readers find it even after a kill, and begins a file
    /// for each of its samplers.
    pub(super) fn enter(&mut self, run: &PlannedRun) -> Result<Vec<Box<dyn Sink>>, RecordError> {
        let entry = TraceRun {
            id: run.id.clone(),
            group: run.group.clone(),
            clock: None,
            ended: None,
            ending: None,
            samplers: run.samplers.iter().map(|sampler| begun(run, sampler)).collect(),
            notes: Vec::new(),
        };
        self.folder.update(|manifest| manifest.runs.push(entry))?;
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        for sampler in &run.samplers {
            match self.folder.writer(&file_name(run, &sampler.name)) {
                Ok(writer) => sinks.push(Box::new(writer)),
                Err(error) => {
                    self.forget(run);
                    return Err(error.into());
                }
            }
        }
        Ok(sinks)
    }

    /// Starts all observers of a run.
    pub(super) fn observe(
        &mut self,
        run: &PlannedRun,
        target: Target,
        avoid: Option<usize>,
        sinks: Vec<Box<dyn Sink>>,
        application: Option<Prepared>,
    ) -> Result<Observers, RecordError> {
        let setting = Setting { sources: self.sources, target, avoid, sinks, application };
        let observers = Observers::begin(run, setting)
            .map_err(|error| RecordError::Broken(format!("cannot start recording: {error}")))?;
        let planned = run.samplers.iter().filter(|one| one.interval.is_some());
        if let (0, reasons) = observers.opened()
            && planned.count() > 0
        {
            let error = RecordError::Unobservable { pid: target.pid(), reasons: reasons.to_vec() };
            observers.end(Span::ZERO);
            return Err(error);
        }
        // Without its clock and metrics its rows would be unreadable.
        match self.note_begin(run, &observers) {
            Ok(()) => Ok(observers),
            Err(error) => {
                observers.end(Span::ZERO);
                Err(error)
            }
        }
    }

    fn note_begin(&mut self, run: &PlannedRun, observers: &Observers) -> Result<(), RecordError> {
        let metrics = observers.live().take_metrics();
        let common = self.plan.common.as_deref();
        self.folder.update(|manifest| {
            add_metrics(manifest, metrics, common);
            if let Some(entry) = manifest.runs.iter_mut().find(|entry| entry.id == run.id) {
                entry.clock = Some(observers.origin());
            }
        })?;
        Ok(())
    }

    /// Called now and then while a run goes on: new metrics go into the manifest at once.
    pub(super) fn look_at(
        &mut self,
        n: usize,
        run: &PlannedRun,
        observers: &Observers,
        progress: &mut dyn FnMut(&RecordingProgress),
    ) {
        let live = observers.live();
        let metrics = live.take_metrics();
        if !metrics.is_empty() {
            let common = self.plan.common.as_deref();
            let updated = self.folder.update(|manifest| add_metrics(manifest, metrics, common));
            if let Err(error) = updated {
                live.trouble.note(error.to_string());
            }
        }
        let elapsed = elapsed(observers);
        progress(&RecordingProgress {
            run: n + 1,
            runs: self.plan.runs.len(),
            group: run.group.clone(),
            elapsed: elapsed.into(),
            samples: live.samples(),
            share: live.cpu().share_of(elapsed),
            trouble: live.trouble.reason(),
        });
    }

    /// The run is over. If even that cannot be written the run stays as it was when it began, which
    /// readers understand; and why is in the outcome.
    pub(super) fn end_entry(
        &mut self,
        run: &PlannedRun,
        observed: Observed,
        ended: EndedRun,
    ) -> RunOutcome {
        let Observed { samplers, metrics, mut notes, trouble, last_end } = observed;
        let length = Duration::from(ended.length);
        notes.extend(ended.notes);
        if let Some(reason) = &trouble {
            notes.push(format!("recording stopped early: {reason}"));
        }
        if length < self.plan.interval && run.samplers.iter().any(|one| one.interval.is_some()) {
            notes.push(format!(
                "the program ended after {}, before the second sample. Use a shorter --every, or \
                 let it run longer.",
                words(length)
            ));
        }
        let common = self.plan.common.as_deref();
        let named = samplers
            .into_iter()
            .map(|sampler| SamplerEntry { file: file_name(run, &sampler.name), ..sampler })
            .collect();
        let updated = self.folder.update(|manifest| {
            add_metrics(manifest, metrics, common);
            if let Some(entry) = manifest.runs.iter_mut().find(|entry| entry.id == run.id) {
                // Totals are read once more when it is over.
                entry.ended = Some((Timestamp::ZERO + ended.length).max(last_end));
                entry.ending = ended.ending;
                entry.samplers = named;
                entry.notes.clone_from(&notes);
            }
        });
        RunOutcome {
            id: run.id.clone(),
            length,
            ending: ended.ending,
            usage: None,
            interrupted: false,
            trouble: trouble.or_else(|| updated.err().map(|error| error.to_string())),
            said: Vec::new(),
            notes,
        }
    }

    /// A run that did not begin leaves nothing.
    pub(super) fn forget(&mut self, run: &PlannedRun) {
        // The entry goes first: files that no entry names do no harm.
        let _ = self.folder.update(|manifest| manifest.runs.retain(|entry| entry.id != run.id));
        self.remove_files(&run.id);
    }

    fn remove_files(&self, run_id: &str) {
        let Ok(entries) = std::fs::read_dir(&self.path) else { return };
        let prefix = format!("{run_id}.");
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        if self.folder.manifest().runs.is_empty() {
            let _ = std::fs::remove_file(self.path.join("manifest.json"));
            // Only an empty one goes.
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct EndedRun {
    pub(super) length: Span,
    pub(super) ending: Option<fathom_record::Ending>,
    pub(super) notes: Vec<String>,
}

/// How long a run has taken until now.
pub(super) fn elapsed(observers: &Observers) -> Span {
    clock::monotonic() - observers.origin().monotonic
}

fn file_name(run: &PlannedRun, sampler: &str) -> String {
    format!("{}.{sampler}.parquet", run.id)
}

fn begun(run: &PlannedRun, sampler: &PlannedSampler) -> SamplerEntry {
    SamplerEntry {
        name: sampler.name.clone(),
        file: file_name(run, &sampler.name),
        interval: sampler.interval.map(Span::from),
        rows: 0,
        missed: 0,
        lateness: None,
        cpu_share: None,
        probes: Vec::new(),
    }
}

/// Adds metrics that are not there yet. A common metric is named once it is one.
fn add_metrics(manifest: &mut Manifest, metrics: Vec<TraceMetric>, common: Option<&str>) {
    for metric in metrics {
        if manifest.metric(&metric.name).is_none() {
            manifest.metrics.push(metric);
        }
    }
    manifest.common = common.filter(|name| manifest.metric(name).is_some()).map(str::to_string);
}
