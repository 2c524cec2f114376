//! Metrics that are computed from what a run recorded.

use crate::EngineError;
use crate::traces::{RunMetrics, defined, resolve, tables};
use fathom_formats::trace::Trace;
use fathom_measure::recording::Recorder;
use fathom_property::DerivedMetric;
use fathom_record::trace::{RecordingPlan, Samples, TraceMetric};
use fathom_request::RecordRequest;
use std::collections::HashSet;

/// What the request defines, as far as the plan shows whether it can be computed.
///
/// # Errors
/// A definition has no meaning, or no run of the plan can have what it needs.
pub(super) fn planned(
    request: &RecordRequest,
    plan: &RecordingPlan,
    has_application: bool,
) -> Result<Vec<DerivedMetric>, EngineError> {
    let derived = defined(&request.derived)?;
    let runs: Vec<(&str, Vec<TraceMetric>)> = plan
        .runs
        .iter()
        .map(|run| {
            let metrics = run.probes().flat_map(|(_, probe)| probe.metrics.iter().cloned());
            (run.id.as_str(), metrics.collect())
        })
        .collect();
    let probes = || plan.runs.iter().flat_map(|run| run.probes());
    // Some metrics appear only once the program runs: whether a name is one of theirs shows then.
    let are_open = has_application || probes().any(|(_, probe)| probe.metrics.is_empty());
    let mut all: Vec<TraceMetric> = Vec::new();
    let mut names = HashSet::new();
    for metric in runs.iter().flat_map(|(_, metrics)| metrics) {
        if names.insert(metric.name.as_str()) {
            all.push(metric.clone());
        }
    }
    let mut certain = Vec::new();
    for metric in &derived {
        match metric.resolve(&all) {
            Err(error) if are_open && error.is_unknown_name() => {}
            found => {
                // A later definition may need this one.
                all.extend(found.ok().map(|found| found.metric().clone()));
                certain.push(metric.clone());
            }
        }
    }
    let runs: Vec<RunMetrics<'_>> =
        runs.iter().map(|(id, metrics)| RunMetrics { id, metrics }).collect();
    resolve(&certain, &[], &runs)?;
    Ok(derived)
}

/// Computes the metrics of a run that is over, as far as it has what they need; how many.
///
/// # Errors
/// What was recorded cannot be read, or the table cannot be written.
pub(super) fn compute(
    recorder: &mut Recorder<'_>,
    run: &str,
    derived: &[DerivedMetric],
) -> Result<Vec<String>, EngineError> {
    if derived.is_empty() {
        return Ok(Vec::new());
    }
    let trace = Trace::open(recorder.path())?;
    let mut known = trace.metrics_of(run)?;
    let mut resolved = Vec::new();
    for metric in derived {
        if known.iter().any(|one| one.name == metric.name()) {
            return Err(EngineError::usage(format!(
                "--derive: run {run} has a metric {} already; choose another name",
                metric.name()
            )));
        }
        match metric.resolve(&known) {
            Ok(found) => {
                known.push(found.metric().clone());
                resolved.push(found);
            }
            Err(error) if error.is_unknown_name() => {}
            Err(error) => return Err(EngineError::from(error).about("--derive")),
        }
    }
    let mut needed: Vec<&String> = resolved.iter().flat_map(|metric| metric.inputs()).collect();
    needed.sort_unstable();
    needed.dedup();
    let is_computed = |name: &&&String| resolved.iter().any(|one| one.metric().name == ***name);
    let samples = needed.iter().filter(|name| !is_computed(name));
    let samples = samples.map(|name| Ok(trace.samples(run, name)?));
    let samples = samples.collect::<Result<Vec<Samples>, EngineError>>()?;
    for (name, rows) in tables(&resolved, &samples) {
        recorder.add_table(run, &name, &rows)?;
    }
    Ok(resolved.into_iter().map(|one| one.metric().name.clone()).collect())
}
