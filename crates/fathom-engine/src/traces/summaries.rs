//! What a folder of traces holds: every run with its metrics in a few numbers.

use crate::EngineError;
use fathom_analyze::traces::{MetricSummary, SHAPE_STRETCHES, TraceRunSummary};
use fathom_formats::trace::Trace;
use fathom_record::Unit;
use fathom_record::trace::{Kind, Layer, Manifest, Samples, TraceRun};
use fathom_record::{Timestamp, nearest, own_json};
use serde::Serialize;
use std::path::Path;

/// Whether a word means a folder of traces and not a session.
#[must_use]
pub fn is_traces(word: &str) -> bool {
    let path = Path::new(word);
    // A session may have the name of a folder; a slash means the folder.
    path.join("manifest.json").exists() || (word.contains('/') && !word.contains('@'))
}

/// What a folder of traces holds.
#[derive(Debug)]
pub struct TraceSummaries {
    /// The manifest of the folder.
    pub manifest: Manifest,
    /// The runs that can be read.
    pub runs: Vec<TraceRunSummary>,
    /// Why another one cannot be read.
    pub damaged: Option<EngineError>,
}

/// Sums up a folder of traces: all runs or one, and metrics whose name contains a text of `filter`.
///
/// # Errors
/// The folder cannot be read, none of its runs can, or there is no such run or metric.
pub fn summaries(
    folder: &Path,
    run: Option<&str>,
    filter: &[String],
) -> Result<TraceSummaries, EngineError> {
    let trace = Trace::open(folder)?;
    let manifest = trace.manifest();
    let (mut runs, mut damaged) = (Vec::new(), None);
    for run in chosen(manifest, run)? {
        match summary(&trace, run, filter) {
            Ok(summary) => runs.push(summary),
            // One damaged run does not hide the others.
            Err(error) => damaged = damaged.or(Some(error)),
        }
    }
    if runs.is_empty()
        && let Some(error) = damaged
    {
        return Err(error);
    }
    if runs.iter().all(|run| run.summaries.is_empty()) && !filter.is_empty() {
        return Err(no_such_metric(manifest, filter));
    }
    Ok(TraceSummaries { manifest: manifest.clone(), runs, damaged })
}

/// The run that was asked for, or all.
pub(super) fn chosen<'a>(
    manifest: &'a Manifest,
    id: Option<&str>,
) -> Result<Vec<&'a TraceRun>, EngineError> {
    let Some(id) = id else { return Ok(manifest.runs.iter().collect()) };
    let ids: Vec<&str> = manifest.runs.iter().map(|run| run.id.as_str()).collect();
    match manifest.run(id) {
        Some(run) => Ok(vec![run]),
        None => {
            Err(EngineError::usage(format!("there is no run \"{id}\"; there are {}", some(&ids))))
        }
    }
}

/// As many names as one reads.
pub(super) fn some(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    match names.len() {
        0 => "none".to_string(),
        n if n > SHOWN => format!("{} and {} more", names[..SHOWN].join(", "), n - SHOWN),
        _ => names.join(", "),
    }
}

fn no_such_metric(manifest: &Manifest, filter: &[String]) -> EngineError {
    let names: Vec<&str> = manifest.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let near = filter.iter().find_map(|name| nearest(name, &names).first().copied());
    let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    EngineError::usage(format!(
        "no metric's name contains {}{near}; there are {}",
        filter.join(" or "),
        some(&names)
    ))
}

fn summary(
    trace: &Trace,
    run: &TraceRun,
    wanted: &[String],
) -> Result<TraceRunSummary, EngineError> {
    let samples = trace.all_samples(&run.id)?;
    let last = samples.iter().filter_map(|one| one.ends.iter().max().copied()).max();
    let length = run.ended.max(last).unwrap_or_default() - Timestamp::ZERO;
    let mut run = run.clone();
    if run.ended.is_none() {
        count_rows(trace, &mut run, &samples)?;
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|text| name.contains(text));
    let summaries = samples
        .iter()
        .filter(|one| is_wanted(&one.metric.name))
        .map(|one| MetricSummary::of(one, length, SHAPE_STRETCHES))
        .collect();
    Ok(TraceRunSummary { run, length, summaries })
}

/// The manifest of a recording that was killed does not know how many rows there are.
fn count_rows(trace: &Trace, run: &mut TraceRun, samples: &[Samples]) -> Result<(), EngineError> {
    for sampler in &mut run.samplers {
        let metrics = trace.metrics_of_sampler(&run.id, &sampler.name)?;
        let first = metrics.first().map(|metric| &metric.name);
        let rows =
            samples.iter().find(|one| Some(&one.metric.name) == first).map_or(0, Samples::len);
        sampler.rows = u64::try_from(rows).unwrap_or(u64::MAX);
    }
    Ok(())
}

impl TraceSummaries {
    /// As JSON, with the numbers of the small pictures if they are wanted.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self, with_shapes: bool) -> Result<String, EngineError> {
        let metrics = self.runs.iter().flat_map(|of| {
            of.summaries.iter().map(|summary| entry(&of.run.id, summary, with_shapes))
        });
        let document = TracesDocument {
            schema: own_json::SCHEMA,
            traces: &self.manifest,
            metrics: metrics.collect(),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

/// The JSON of `fathom show` of a folder of traces.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TraceSummaries"))]
pub struct TracesDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The manifest of the folder ([format](trace-format.md)).
    traces: &'a Manifest,
    /// Every metric of every run.
    metrics: Vec<MetricEntry<'a>>,
}

/// A metric of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MetricSummary"))]
pub struct MetricEntry<'a> {
    /// The run.
    run: &'a str,
    /// The name of the metric.
    metric: &'a str,
    /// Where it comes from.
    layer: Layer,
    /// What its values mean.
    kind: Kind,
    /// Its unit.
    unit: &'a Unit,
    /// The mean over time; per second for counters and events. `null` without values.
    mean: Option<f64>,
    /// The lowest value; `null` without values.
    min: Option<f64>,
    /// The highest value; `null` without values.
    max: Option<f64>,
    /// The number of rows with a value.
    samples: usize,
    /// The number of rows without a value.
    missing: usize,
    /// Where values are missing: start and end, in nanoseconds after the origin of the run.
    #[serde(rename = "gaps_ns")]
    gaps: Vec<[Timestamp; 2]>,
    /// How often a counter went back.
    resets: usize,
    /// Whether all values are equal.
    constant: bool,
    /// The metric over the whole run, as means of parts of equal length. Present with
    /// `--include-values` and in `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<&'a [Option<f64>]>,
}

fn entry<'a>(run: &'a str, summary: &'a MetricSummary, with_shape: bool) -> MetricEntry<'a> {
    MetricEntry {
        run,
        metric: &summary.metric.name,
        layer: summary.metric.layer,
        kind: summary.metric.kind,
        unit: &summary.metric.unit,
        mean: summary.mean,
        min: summary.range.map(|range| range.0),
        max: summary.range.map(|range| range.1),
        samples: summary.seen,
        missing: summary.missing,
        gaps: summary.gaps.iter().map(|gap| [gap.start, gap.end]).collect(),
        resets: summary.resets,
        constant: summary.is_constant,
        shape: with_shape.then_some(&*summary.shape),
    }
}
