//! A trace folder as executions: every run that was recorded is one.
//!
//! A level becomes a signal; so does a total, counted from the beginning of the run. What `event` metrics
//! hold becomes events with the attributes `value` and `duration`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fathom_record::trace::{Kind, Samples, TraceRun};
use fathom_record::{
    Attribute, Ending, Events, Observation, ObservationError, Scalar, Shape, Signal, Span, Unit,
};

use super::attempts::Attempts;
use super::folder;
use super::found::{Attempt, FailedExecution, ParsedAttempts};
use crate::error::{Flaw, quoted};
use crate::trace::{MANIFEST, Trace, TraceError};

/// Where a trace may be.
#[derive(Debug, PartialEq)]
pub(super) enum TracePath {
    /// In this folder.
    Folder(PathBuf),
    /// Others next to this folder hold one.
    Without(PathBuf),
}

/// Whether this is a trace folder.
pub(super) fn is_trace(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// The trace folders in a folder, or the folder itself; none if it holds something else.
pub(super) fn folders(path: &Path) -> Vec<TracePath> {
    if is_trace(path) {
        return vec![TracePath::Folder(path.to_path_buf())];
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // Files are other executions, or something else altogether.
        if !entry.path().is_dir() {
            return Vec::new();
        }
        all.push(entry.path());
    }
    if !all.iter().any(|folder| is_trace(folder)) {
        return Vec::new();
    }
    let place = |folder: PathBuf| match is_trace(&folder) {
        true => TracePath::Folder(folder),
        false => TracePath::Without(folder),
    };
    folder::sorted(all).into_iter().map(place).collect()
}

/// The runs of a trace folder; of metrics only those that are named, if any are.
pub(super) fn read(path: &Path, columns: &[String]) -> Result<ParsedAttempts, Flaw> {
    let unreadable =
        |error: TraceError| Flaw::new(error.to_string(), "record it again, or leave it out");
    let trace = Trace::open(path).map_err(unreadable)?;
    let known = &trace.manifest().metrics;
    if let Some(column) =
        columns.iter().find(|column| !known.iter().any(|metric| metric.name == **column))
    {
        return Err(Flaw::new(
            format!("there is no metric {}", quoted(column)),
            format!("`fathom show -v {}` lists the metrics", path.display()),
        ));
    }
    let mut attempts = Attempts::default();
    for run in &trace.manifest().runs {
        if let Some(how) = failure(run) {
            attempts.push(Err(FailedExecution { how }));
            continue;
        }
        let samples = trace.all_samples(&run.id).map_err(unreadable)?;
        let wanted = |one: &&Samples| columns.is_empty() || columns.contains(&one.metric.name);
        let seen = observation(run, samples.iter().filter(wanted));
        attempts.push(seen.map_err(|error| {
            Flaw::of_observation(&error, "rename the metric, or choose others with --column")
                .within(run.id.clone())
        })?);
    }
    if attempts.is_empty() {
        return Err(Flaw::new("the folder contains no run yet", "record one first"));
    }
    Ok(ParsedAttempts::of(attempts, "record one run, with `fathom record --runs 1`"))
}

/// Why a run gives nothing to judge.
fn failure(run: &TraceRun) -> Option<String> {
    match run.ending? {
        Ending::Exited(0) | Ending::TimedOut => None,
        ending => Some(ending.in_words(None)),
    }
}

fn observation<'a>(
    run: &TraceRun,
    samples: impl Iterator<Item = &'a Samples>,
) -> Result<Attempt, ObservationError> {
    let mut seen = observed(samples)?;
    let is_cut = run.ended.is_none() || run.ending == Some(Ending::TimedOut);
    seen.set_cut(is_cut);
    if let Some(ended) = run.ended {
        seen.set_end(seen.end().unwrap_or(0.0).max(ended.seconds()))?;
    }
    if let (Some(ended), false) = (run.ended, is_cut) {
        seen.set_scalar("runtime", Scalar::new(ended.seconds(), Unit::SECONDS))?;
    }
    if let Some(Ending::Exited(code)) = run.ending {
        seen.set_scalar("exit_code", Scalar::new(f64::from(code), Unit::Unknown))?;
    }
    Ok(Ok(seen))
}

/// What the metrics of one run are to a property: levels and totals are signals, what happened are
/// events. Times are in seconds, and the run lasts until the last row ends.
///
/// # Errors
/// Rows are not in the order of time.
pub fn observed<'a>(
    samples: impl Iterator<Item = &'a Samples>,
) -> Result<Observation, ObservationError> {
    let mut seen = Observation::new();
    seen.set_time_unit(Unit::SECONDS);
    let mut last = 0.0_f64;
    for one in samples {
        let name = &one.metric.name;
        // One that two samplers have: the first counts, as everywhere.
        if seen.signals().contains_key(name) || seen.events().contains_key(name) {
            continue;
        }
        last = one.ends.last().map_or(last, |end| last.max(end.seconds()));
        match one.metric.kind {
            Kind::Event => seen.set_events(name.clone(), events(one)?)?,
            Kind::Gauge | Kind::Counter => {
                if let Some(signal) = signal(one)? {
                    seen.set_signal(name.clone(), signal)?;
                }
            }
        }
    }
    seen.set_end(last)?;
    Ok(seen)
}

/// A level, or a total from the beginning of the run. Of rows that end at one moment the last counts.
fn signal(samples: &Samples) -> Result<Option<Signal>, ObservationError> {
    let mut times: Vec<f64> = Vec::with_capacity(samples.len());
    let mut values: Vec<f64> = Vec::with_capacity(samples.len());
    let mut total = Total::default();
    for (end, value) in samples.ends.iter().zip(samples.values.reals()) {
        let value = match samples.metric.kind {
            Kind::Counter => value.and_then(|value| total.since_the_beginning(value)),
            Kind::Gauge | Kind::Event => value,
        };
        let value = value.unwrap_or(f64::NAN);
        if times.last() == Some(&end.seconds()) {
            times.pop();
            values.pop();
        }
        times.push(end.seconds());
        values.push(value);
    }
    if times.is_empty() {
        return Ok(None);
    }
    Signal::new(samples.metric.unit.clone(), Shape::Step, times, values).map(Some)
}

/// What a counter grew by since its first value.
#[derive(Default)]
struct Total {
    last: Option<f64>,
    growth: f64,
}

impl Total {
    /// `None` where it was reset: by how much it grew there is unknown.
    fn since_the_beginning(&mut self, value: f64) -> Option<f64> {
        let before = self.last.replace(value).unwrap_or(value);
        if value < before {
            return None;
        }
        self.growth += value - before;
        Some(self.growth)
    }
}

/// What happened, when it was over.
fn events(samples: &Samples) -> Result<Events, ObservationError> {
    let rows = samples.starts.iter().zip(samples.ends.iter()).zip(samples.values.reals());
    let (mut times, mut values, mut durations) = (Vec::new(), Vec::new(), Vec::new());
    for ((&start, &end), value) in rows {
        // A row without a value is of another event.
        let Some(value) = value else { continue };
        times.push(end.seconds());
        values.push(value);
        durations.push((end - start).max(Span::ZERO).nanoseconds_f64() * 1e-9);
    }
    let attribute = |unit: &Unit, values| Attribute { unit: unit.clone(), values };
    let attributes = BTreeMap::from([
        ("value".to_string(), attribute(&samples.metric.unit, values)),
        ("duration".to_string(), attribute(&Unit::SECONDS, durations)),
    ]);
    Events::new(times, attributes)
}
