//! Traces to ask about: a folder that Fathom wrote, or files of other tools.

use super::executions::{self, ExecutionTrace, ExecutionTraces, HeldExecution};
use super::joined::{JoinedTraces, NamedPart, joined, short_paths};
use super::names;
use super::question::Moments;
use super::trace_provenance::TraceProvenance;
use crate::stores::{self, SeriesNames, StoredRun};
use crate::traces::{MetricDescriptions, RunMetrics, compute, defined, into_samples, resolve};
use crate::{EngineError, Watch};
use fathom_explain::{ExplainCache, Mask, RunEntry, SourceError, TargetRange, TraceSource};
use fathom_formats::holds_executions;
use fathom_formats::trace::Trace;
use fathom_formats::trace_imports::{ImportOptions, ImportedRun, read_traces};
use fathom_property::{DerivedMetric, ResolvedMetric, RowCondition};
use fathom_record::trace::{Clock, MetricDefinition, Samples, TraceMetric};
use fathom_record::{CalendarMoment, TimeUnit, Timestamp};
use fathom_request::{ExplainRequest, TraceFiles, TypedSpan};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Traces that can be asked about.
pub struct TraceSet {
    runs: Vec<RunEntry>,
    clocks: Vec<Option<Clock>>,
    common: Option<String>,
    time_unit: TimeUnit,
    held: Held,
    /// What the user says of metrics.
    described: MetricDescriptions,
    /// What each run computes from its other metrics.
    derived: HashMap<String, Vec<ResolvedMetric>>,
    /// The definitions that came with the traces.
    stored: Vec<MetricDefinition>,
    /// What conditions leave out of each run that can judge them; `None` without conditions.
    masks: Option<HashMap<String, Mask>>,
    except: Vec<TypedSpan>,
    notes: Vec<String>,
    provenance: TraceProvenance,
    /// What series of a metric store can be called; `None` for files.
    names: Option<SeriesNames>,
}

enum Held {
    Executions(HashMap<String, HeldExecution>),
    Folder(Box<Trace>),
    /// Of files, or of a metric store: by run and metric.
    Files(HashMap<String, HashMap<String, Samples>>),
    Joined {
        traces: JoinedTraces,
        has_wall_times: bool,
    },
}

impl TraceSet {
    /// Opens them.
    ///
    /// # Errors
    /// They cannot be read, or not together.
    pub fn open(files: &TraceFiles) -> Result<TraceSet, EngineError> {
        if files.store.is_some() {
            return TraceSet::open_for(&mut files.clone(), &mut [], &mut ());
        }
        TraceSet::stored(files)?.completed(files)
    }

    /// With what a request says of metrics and rows.
    fn completed(mut self, files: &TraceFiles) -> Result<TraceSet, EngineError> {
        self.describe(MetricDescriptions::new(&files.counters, &files.layers)?)?;
        self.derive(&files.derived)?;
        self.leave_out(&files.conditions)?;
        self.except.clone_from(&files.except);
        for run in &self.runs {
            let moments = Moments::of_run(&self, Some(&run.id));
            for span in &files.except {
                moments.range(span).map_err(|error| error.about("--except"))?;
            }
        }
        Ok(self)
    }

    /// As they are in the files.
    fn stored(files: &TraceFiles) -> Result<TraceSet, EngineError> {
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
            let own =
                if says_itself { own } else { TraceFiles { paths: own.paths, ..files.clone() } };
            parts.push(NamedPart { name, may_be_alone: true, traces: TraceSet::stored(&own)? });
        }
        let mut stored: Vec<MetricDefinition> = Vec::new();
        for definition in parts.iter().flat_map(|part| &part.traces.stored) {
            if !stored.iter().any(|known| known.name == definition.name) {
                stored.push(definition.clone());
            }
        }
        Ok(TraceSet { stored, ..joined(parts)?.0 })
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
        TraceSet {
            runs,
            clocks,
            common,
            time_unit,
            held,
            described: MetricDescriptions::default(),
            derived: HashMap::new(),
            stored: Vec::new(),
            masks: None,
            except: Vec::new(),
            notes,
            provenance,
            names: None,
        }
    }

    /// Whether all samples are in memory.
    pub(super) fn is_held(&self) -> bool {
        match &self.held {
            Held::Files(_) => true,
            Held::Folder(_) | Held::Executions(_) => false,
            Held::Joined { traces, .. } => traces.are_held(),
        }
    }

    /// Opens the traces of a question: of a metric store, what its windows need. Times of day in it then
    /// become moments that mean the same tomorrow, and the target gets its short name.
    ///
    /// # Errors
    /// They cannot be read, or not together.
    pub fn open_question(
        request: &mut ExplainRequest,
        watch: &mut dyn Watch,
    ) -> Result<TraceSet, EngineError> {
        let mut windows: Vec<&mut TypedSpan> =
            request.windows.iter_mut().chain(&mut request.against).collect();
        let traces = TraceSet::open_for(&mut request.traces, &mut windows, watch)?;
        request.target = traces.named_metric(&request.target)?;
        Ok(traces)
    }

    /// Opens them. The range of a metric store is set to what was read.
    ///
    /// # Errors
    /// They cannot be read, or not together.
    pub fn open_watched(
        files: &mut TraceFiles,
        watch: &mut dyn Watch,
    ) -> Result<TraceSet, EngineError> {
        TraceSet::open_for(files, &mut [], watch)
    }

    fn open_for(
        files: &mut TraceFiles,
        windows: &mut [&mut TypedSpan],
        watch: &mut dyn Watch,
    ) -> Result<TraceSet, EngineError> {
        let Some(store) = &mut files.store else { return TraceSet::open(files) };
        if !files.paths.is_empty() && !store.address.is_empty() {
            return Err(EngineError::usage("give either files, or --from and a metric store"));
        }
        let options = ImportOptions {
            format: None,
            time_unit: files.time_unit,
            counters: files.counters.clone(),
        };
        let StoredRun { run, names } = stores::read(store, windows, &options, watch)?;
        let set = TraceSet::imported(vec![run], &[])?;
        TraceSet { names: Some(names), ..set }.completed(files)
    }

    /// Executions, each a run.
    fn executions(paths: &[PathBuf], options: &ImportOptions) -> Result<TraceSet, EngineError> {
        if options.time_unit.is_some() {
            return Err(EngineError::usage(
                "executions state what their times are; leave out --trace-time-unit",
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
        let stored = runs.first().map_or_else(Vec::new, |one| match &one.held {
            HeldExecution::Folder { trace, .. } => trace.manifest().derived.clone(),
            HeldExecution::Samples(_) => Vec::new(),
        });
        let entries = runs.iter().map(|one| one.entry.clone()).collect();
        let held = runs.into_iter().map(|one| (one.entry.id, one.held)).collect();
        Ok(TraceSet {
            runs: entries,
            clocks,
            common,
            time_unit,
            held: Held::Executions(held),
            described: MetricDescriptions::default(),
            derived: HashMap::new(),
            stored,
            masks: None,
            except: Vec::new(),
            notes,
            provenance: TraceProvenance { paths: paths.to_vec(), measured },
            names: None,
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
        // A series of a metric store may be called by any of its labels.
        let word = match &self.names {
            Some(names) => &names.resolve(word)?,
            None => word,
        };
        let all = self.runs.iter().flat_map(|run| &run.metrics);
        let found = names::meant("metric", word, all.map(|metric| metric.name.as_str()))?;
        Ok(found.unwrap_or(word).to_string())
    }

    fn folder(path: &Path, options: &ImportOptions) -> Result<TraceSet, EngineError> {
        if options.time_unit.is_some() {
            return Err(EngineError::usage(format!(
                "{} says itself what its times are; leave out --trace-time-unit",
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
            stored: manifest.derived.clone(),
            described: MetricDescriptions::default(),
            derived: HashMap::new(),
            masks: None,
            except: Vec::new(),
            held: Held::Folder(Box::new(trace)),
            notes,
            names: None,
        })
    }

    fn files(paths: &[PathBuf], options: &ImportOptions) -> Result<TraceSet, EngineError> {
        TraceSet::imported(read_traces(paths, options)?, paths)
    }

    fn imported(imported: Vec<ImportedRun>, paths: &[PathBuf]) -> Result<TraceSet, EngineError> {
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
            let samples = into_samples(run);
            let metrics = samples.iter().map(|one| one.metric.clone()).collect();
            runs.push(RunEntry { id: id.clone(), metrics });
            let by_name = samples.into_iter().map(|one| (one.metric.name.clone(), one));
            kept.insert(id, by_name.collect());
        }
        Ok(TraceSet {
            runs,
            clocks,
            common: None,
            time_unit,
            held: Held::Files(kept),
            described: MetricDescriptions::default(),
            derived: HashMap::new(),
            stored: Vec::new(),
            masks: None,
            except: Vec::new(),
            notes,
            provenance: TraceProvenance { paths: paths.to_vec(), measured: None },
            names: None,
        })
    }

    /// Describes metrics as the user does.
    fn describe(&mut self, described: MetricDescriptions) -> Result<(), EngineError> {
        let metrics = self.runs.iter().flat_map(|run| &run.metrics);
        let mut names: Vec<&str> = metrics.map(|metric| metric.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        described.refuse_unused(&names)?;
        for metric in self.runs.iter_mut().flat_map(|run| &mut run.metrics) {
            *metric = described.of(metric);
        }
        self.described = described;
        Ok(())
    }

    /// Adds metrics that are computed from others: those that the user defines, and those that a
    /// recording defines but was killed before it could compute.
    fn derive(&mut self, texts: &[String]) -> Result<(), EngineError> {
        let mut all: Vec<DerivedMetric> = Vec::new();
        let asked = defined(texts)?;
        for definition in &self.stored {
            let has_it = |run: &RunEntry| has(run, &definition.name);
            let is_asked = asked.iter().any(|metric| metric.name() == definition.name);
            // One that a later version wrote may have no meaning here.
            let metric = DerivedMetric::of(definition).ok();
            all.extend(metric.filter(|_| !is_asked && !self.runs.iter().all(has_it)));
        }
        let metrics = |runs: &[RunEntry]| -> Vec<(String, Vec<_>)> {
            runs.iter().map(|run| (run.id.clone(), run.metrics.clone())).collect()
        };
        for (metric, must_be) in
            all.into_iter().map(|one| (one, false)).chain(asked.into_iter().map(|one| (one, true)))
        {
            let known = metrics(&self.runs);
            let runs: Vec<RunMetrics<'_>> =
                known.iter().map(|(id, metrics)| RunMetrics { id, metrics }).collect();
            let found = match resolve(std::slice::from_ref(&metric), &self.stored, &runs) {
                Ok(found) => found,
                Err(error) if must_be => return Err(error),
                Err(_) => continue,
            };
            let mut computed = 0_usize;
            for (run, resolved) in self.runs.iter_mut().zip(found) {
                for one in resolved {
                    computed += 1;
                    run.metrics.push(one.metric().clone());
                    self.derived.entry(run.id.clone()).or_default().push(one);
                }
            }
            if computed > 0 && computed < self.runs.len() {
                self.notes.push(format!(
                    "{} is computed in {computed} of {} runs: the others lack a metric that it needs",
                    metric.name(),
                    self.runs.len()
                ));
            }
        }
        Ok(())
    }

    /// Leaves out the rows in which a condition does not hold, in every run that has its metrics.
    fn leave_out(&mut self, texts: &[String]) -> Result<(), EngineError> {
        if texts.is_empty() {
            return Ok(());
        }
        let refused = |error| EngineError::from(error).about("--while");
        let conditions = texts.iter().map(|text| RowCondition::parse(text).map_err(refused));
        let conditions = conditions.collect::<Result<Vec<_>, EngineError>>()?;
        let mut masks = HashMap::new();
        for run in &self.runs {
            let mut stretches = Some(Vec::new());
            for condition in &conditions {
                match condition.resolve(&run.metrics) {
                    Ok(condition) => {
                        let inputs =
                            condition.inputs().iter().map(|input| self.samples(&run.id, input));
                        let inputs = inputs.collect::<Result<Vec<Samples>, SourceError>>();
                        let inputs = inputs.map_err(|error| {
                            EngineError::usage(format!("--while: run {}: {error}", run.id))
                        })?;
                        let fails = condition.fails_in(&inputs.iter().collect::<Vec<_>>());
                        stretches.iter_mut().for_each(|all| all.extend(fails.iter().copied()));
                    }
                    // What counts in such a run follows from the others.
                    Err(error) if error.is_unknown_name() => stretches = None,
                    Err(error) => return Err(refused(error)),
                }
            }
            masks.extend(stretches.map(|stretches| (run.id.clone(), Mask::new(stretches))));
        }
        if masks.is_empty() {
            let mut all: Vec<TraceMetric> = Vec::new();
            for metric in self.runs.iter().flat_map(|run| &run.metrics) {
                if !all.iter().any(|one| one.name == metric.name) {
                    all.push(metric.clone());
                }
            }
            for condition in &conditions {
                condition.resolve(&all).map_err(refused)?;
            }
            return Err(EngineError::usage(
                "--while: no run has all the metrics of the condition; record them together",
            ));
        }
        self.masks = Some(masks);
        Ok(())
    }

    /// A metric as it is in the files.
    fn stored_samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
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
                .and_then(|samples| samples.get(metric))
                .cloned()
                .ok_or_else(|| format!("{run} has no metric {metric}").into()),
            Held::Joined { traces, .. } => traces.samples(run, metric),
        }
    }

    /// A metric that is computed, if this is one in this run.
    fn computed(&self, run: &str, metric: &str) -> Option<&ResolvedMetric> {
        self.derived.get(run)?.iter().find(|one| one.metric().name == metric)
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

    /// Whether the series are of a metric store, whose users know them by times of day.
    #[must_use]
    pub fn is_of_store(&self) -> bool {
        self.names.is_some()
    }

    /// What times in messages count from, where files have times since 1970.
    #[must_use]
    pub fn origin_line(&self) -> Option<String> {
        let origin = self.clocks.first().copied().flatten().filter(|_| self.has_wall_times())?;
        if self.is_of_store() {
            let first = CalendarMoment::of(origin.wall).text();
            return Some(format!("times above count from the first sample, at {first}"));
        }
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
        if let Some(computed) = self.computed(run, metric) {
            let inputs = computed.inputs().iter().map(|input| self.samples(run, input));
            let inputs = inputs.collect::<Result<Vec<Samples>, SourceError>>()?;
            return Ok(computed.compute(&inputs.iter().collect::<Vec<_>>()));
        }
        let stored = self.stored_samples(run, metric)?;
        let metric = self.described.of(&stored.metric);
        Ok(Samples { metric, ..stored })
    }

    fn mask(&self, run: &str) -> Option<Mask> {
        match &self.masks {
            None => Some(Mask::default()),
            Some(masks) => masks.get(run).cloned(),
        }
    }

    fn except(&self, run: &str) -> Vec<TargetRange> {
        let moments = Moments::of_run(self, Some(run));
        // Spans that mean nothing were refused when the traces were opened.
        self.except.iter().filter_map(|span| moments.range(span).ok()).collect()
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        let entry_id = run;
        let (trace, run) = match &self.held {
            Held::Folder(trace) => (&**trace, run),
            Held::Executions(runs) => match runs.get(run)? {
                HeldExecution::Folder { trace, run } => (&**trace, run.as_str()),
                HeldExecution::Samples(_) => return None,
            },
            Held::Files(_) => return None,
            // What is computed or described here is not known there.
            Held::Joined { .. } if !self.derived.is_empty() || !self.described.is_empty() => {
                return None;
            }
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
        let whole = trace.all_samples(run).map_err(SourceError::from);
        let derived = self.derived.get(entry_id).map_or(&[][..], Vec::as_slice);
        Some(whole.map(|mut whole| {
            if !self.described.is_empty() {
                whole.iter_mut().for_each(|one| one.metric = self.described.of(&one.metric));
            }
            for metric in derived {
                whole.extend(compute(metric, &whole, &[]));
            }
            whole
        }))
    }
}

fn has(run: &RunEntry, name: &str) -> bool {
    run.metrics.iter().any(|metric| metric.name == name)
}

/// What a run may take in memory to be read whole.
const LARGEST: usize = 512 << 20;
const BYTES_PER_VALUE: u64 = 16;
