//! Executions as traces: each is a run, whose name says whether it kept the promise if a check told.

use crate::EngineError;
use crate::check::RunVerdicts;
use fathom_explain::RunEntry;
use fathom_formats::trace::{MANIFEST, Trace};
use fathom_formats::{AttemptSlot, FileAttempts, ObservationOptions, read_attempts_by_file};
use fathom_record::trace::{Kind, Layer, Number, Samples, TraceMetric, Values};
use fathom_record::{Observation, Shape, TimeUnit, Timestamp, Unit};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Executions that can be asked about like runs of a trace.
#[derive(Debug)]
pub(super) struct ExecutionTraces {
    pub(super) runs: Vec<ExecutionTrace>,
    /// What bare numbers in windows count.
    pub(super) time_unit: TimeUnit,
    pub(super) notes: Vec<String>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct ExecutionTrace {
    pub(super) entry: RunEntry,
    pub(super) held: HeldExecution,
}

/// Where its samples are.
#[derive(Debug)]
pub(super) enum HeldExecution {
    /// In memory.
    Samples(Vec<Samples>),
    /// In a run of a trace folder.
    Folder { trace: Arc<Trace>, run: String },
}

impl ExecutionTraces {
    /// Reads executions in files and folders. Only what has times becomes a run.
    pub(super) fn read(paths: &[PathBuf]) -> Result<ExecutionTraces, EngineError> {
        let mut all = Vec::new();
        let mut notes = Vec::new();
        let mut units: Vec<TimeUnit> = Vec::new();
        for path in paths {
            let folders = trace_folders(path);
            for folder in &folders {
                all.extend(of_folder(folder)?);
                units.push(TimeUnit::Seconds);
            }
            if folders.is_empty() {
                for file in read_attempts_by_file(path, &ObservationOptions::default())? {
                    of_file(&file, &mut all, &mut units, &mut notes);
                }
            }
        }
        units.dedup();
        let time_unit = match units.as_slice() {
            [unit] => *unit,
            [] => {
                return Err(EngineError::usage(
                    "these executions hold nothing over time: there are only numbers for each \
                     execution as a whole. Record them with `fathom check --record`, or have them \
                     write signals",
                ));
            }
            [first, other, ..] => {
                return Err(EngineError::usage(format!(
                    "the executions disagree: times are in {} in one and in {} in another. Ask about \
                     those of one unit",
                    first.symbol(),
                    other.symbol()
                )));
            }
        };
        make_unique(&mut all);
        Ok(ExecutionTraces { runs: all, time_unit, notes })
    }
}

/// Whether a trace folder is that of an execution of a check.
pub(super) fn is_of_a_check(folder: &Path) -> bool {
    RunVerdicts::near(folder).is_some()
}

/// The trace folders in a folder, or the folder itself, in the order of their runs.
fn trace_folders(path: &Path) -> Vec<PathBuf> {
    if path.join(MANIFEST).is_file() {
        return vec![path.to_path_buf()];
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let folders = entries.flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> =
        folders.filter(|folder| folder.join(MANIFEST).is_file()).collect();
    folders.sort_by_key(|folder| (run_number(folder), folder.clone()));
    folders
}

/// The runs of a trace folder.
fn of_folder(folder: &Path) -> Result<Vec<ExecutionTrace>, EngineError> {
    let trace = Arc::new(Trace::open(folder)?);
    let verdicts = RunVerdicts::near(folder);
    let name = name_of(folder);
    let is_single = trace.manifest().runs.len() == 1;
    let mut all = Vec::new();
    for run in &trace.manifest().runs {
        let metrics = trace.metrics_of(&run.id)?;
        let id = if is_single { name.clone() } else { format!("{name}/{}", run.id) };
        let id = labelled(id, run_number(folder), verdicts.as_ref());
        let held = HeldExecution::Folder { trace: Arc::clone(&trace), run: run.id.clone() };
        all.push(ExecutionTrace { entry: RunEntry { id, metrics }, held });
    }
    Ok(all)
}

/// The executions in a file that have times.
fn of_file(
    file: &FileAttempts,
    all: &mut Vec<ExecutionTrace>,
    units: &mut Vec<TimeUnit>,
    notes: &mut Vec<String>,
) {
    let verdicts = RunVerdicts::near(&file.path);
    let is_journal = file.left_out_of_journal.is_some();
    let stem = file.path.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into());
    // gem5 gives all of its files one name; its folders have different ones.
    let stem = match (stem.as_str(), file.path.parent()) {
        ("stats" | "stats.txt", Some(folder)) => name_of(folder),
        _ => stem,
    };
    let mut slot = AttemptSlot::default();
    let mut without = 0_usize;
    for place in 0..file.attempts.len() {
        file.attempts.read_into(place, &mut slot);
        let Ok(seen) = slot.attempt() else {
            without += 1;
            continue;
        };
        if seen.signals().is_empty() && seen.events().is_empty() {
            without += 1;
            continue;
        }
        let clock = RunClock::of(seen);
        let samples = samples(seen, clock);
        let number = place as u64 + 1;
        let id = match (is_journal, file.attempts.len()) {
            (true, _) => labelled(format!("run-{number}"), Some(number), verdicts.as_ref()),
            (false, 1) => stem.clone(),
            (false, _) => format!("{stem}-{number}"),
        };
        let metrics = samples.iter().map(|one| one.metric.clone()).collect();
        if units.last() != Some(&clock.unit) {
            units.push(clock.unit);
        }
        if let (Some(note), true) = (clock.note(seen), all.is_empty()) {
            notes.push(note);
        }
        all.push(ExecutionTrace {
            entry: RunEntry { id, metrics },
            held: HeldExecution::Samples(samples),
        });
    }
    if without > 0 {
        let (are, they) = if without == 1 { ("is", "it has") } else { ("are", "they have") };
        notes.push(format!(
            "{without} of {} executions in {} {are} left out: {they} nothing over time",
            file.attempts.len(),
            file.path.display()
        ));
    }
}

/// How times of an execution become times of a trace.
#[derive(Debug, Clone, Copy)]
struct RunClock {
    unit: TimeUnit,
    nanoseconds: f64,
}

impl RunClock {
    fn of(seen: &Observation) -> RunClock {
        let unit = match seen.time_unit() {
            Unit::Time(unit) => *unit,
            // Cycles, ticks and steps are numbered: one is shown as a nanosecond.
            _ => TimeUnit::Nanoseconds,
        };
        RunClock { unit, nanoseconds: unit.convert(1.0, TimeUnit::Nanoseconds) }
    }

    fn timestamp(self, time: f64) -> Timestamp {
        Timestamp::from_seconds(time * self.nanoseconds * 1e-9)
    }

    fn note(self, seen: &Observation) -> Option<String> {
        let is_time = matches!(seen.time_unit(), Unit::Time(_));
        let symbol = seen.time_unit().symbol();
        let what = if symbol.is_empty() { "steps" } else { symbol };
        (!is_time).then(|| format!("times are {what}, shown as if one were 1 ns"))
    }
}

/// Signals as levels, and events as what happened at a moment. A step holds until the next one, so its
/// row ends there.
fn samples(seen: &Observation, clock: RunClock) -> Vec<Samples> {
    let metric = |name: &str, unit: &Unit, kind: Kind| TraceMetric {
        name: name.to_string(),
        layer: Layer::Application,
        unit: unit.clone(),
        kind,
        number: Number::Real,
        probe: "execution".to_string(),
        about: String::new(),
    };
    let present = |value: f64| value.is_finite().then_some(value);
    let mut all = Vec::new();
    for (name, signal) in seen.signals() {
        let times: Vec<Timestamp> =
            signal.times().iter().map(|&time| clock.timestamp(time)).collect();
        let values = signal.values().iter().map(|&value| present(value));
        let metric = metric(name, signal.unit(), Kind::Gauge);
        let (starts, ends): (Vec<Timestamp>, Vec<Timestamp>) = match signal.shape() {
            Shape::Step => {
                let end = seen.end().map(|end| clock.timestamp(end));
                let until = times.iter().skip(1).copied().chain(end);
                // A value at the very end holds for no time.
                times.iter().copied().zip(until).filter(|(start, end)| start < end).unzip()
            }
            Shape::Linear => {
                let since = times.first().into_iter().chain(&times).copied();
                since.zip(times.iter().copied()).unzip()
            }
        };
        let values = Values::Reals(values.take(ends.len()).collect());
        all.push(Samples { metric, starts: starts.into(), ends: ends.into(), values });
    }
    for (name, events) in seen.events() {
        let times: Arc<[Timestamp]> =
            events.times().iter().map(|&time| clock.timestamp(time)).collect();
        let of = |metric: TraceMetric, values: Vec<Option<f64>>| Samples {
            metric,
            starts: Arc::clone(&times),
            ends: Arc::clone(&times),
            values: Values::Reals(values),
        };
        let once = vec![Some(1.0); times.len()];
        all.push(of(metric(name, &Unit::Unknown, Kind::Event), once));
        for (attribute, values) in events.attributes() {
            let name = format!("{name}.{attribute}");
            let numbers = values.values.iter().map(|&value| present(value)).collect();
            all.push(of(metric(&name, &values.unit, Kind::Event), numbers));
        }
    }
    all
}

fn name_of(folder: &Path) -> String {
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    match folder_number(&name) {
        // "run-000012-base" is run 12 of that system.
        Some((number, rest)) => format!("run-{number}{rest}"),
        None => name,
    }
}

fn run_number(folder: &Path) -> Option<u64> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    folder_number(&name).map(|(number, _)| number)
}

/// The number in "run-000012-base", and what follows it.
fn folder_number(name: &str) -> Option<(u64, &str)> {
    let rest = name.strip_prefix("run-")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    Some((number.parse().ok()?, rest))
}

/// "run-12 (broken)".
fn labelled(id: String, number: Option<u64>, verdicts: Option<&RunVerdicts>) -> String {
    let verdict = number.zip(verdicts).and_then(|(number, verdicts)| verdicts.of(number));
    verdict.map_or(id.clone(), |verdict| format!("{id} ({verdict})"))
}

/// Several files may hold executions of one name.
fn make_unique(all: &mut [ExecutionTrace]) {
    let mut known: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    for one in all {
        let name = one.entry.id.clone();
        let mut count = 2;
        while !known.insert(one.entry.id.clone()) {
            one.entry.id = format!("{name} #{count}");
            count += 1;
        }
    }
}
