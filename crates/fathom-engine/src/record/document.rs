//! Plans and recordings as JSON.

use fathom_record::Span;
use fathom_record::own_json;
use fathom_record::trace::{
    Layer, Manifest, PlannedProbe, PlannedRun, PlannedSampler, ProbeCost, Recording, RecordingPlan,
    RecordingSummary, TraceMetric,
};
use serde::Serialize;
use std::path::Path;

/// The JSON of `fathom record --dry-run`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RecordingPlan"))]
pub struct PlanDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// What would be recorded.
    plan: PlanEntry<'a>,
}

/// What would be recorded.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PlannedRecording"))]
pub struct PlanEntry<'a> {
    /// The time between two samples, in seconds.
    interval_s: f64,
    /// The metric that every run has and by which runs are aligned; `null` if there is none.
    common_metric: Option<&'a str>,
    /// The runs, in order.
    runs: Vec<PlannedRunEntry<'a>>,
    /// Probes that cannot be read on this machine.
    unavailable: Vec<UnavailableEntry<'a>>,
    /// What to know before you record.
    warnings: &'a [String],
}

/// A planned run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedRunEntry<'a> {
    /// The name of the run: `run-1`.
    id: &'a str,
    /// The probe group that would be recorded in it.
    group: &'a str,
    /// What sampling costs, as a share of one processor.
    cpu_share: f64,
    /// What would be read.
    probes: Vec<PlannedProbeEntry<'a>>,
}

/// A probe of a planned run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedProbeEntry<'a> {
    /// The name of the probe.
    probe: &'a str,
    /// What it reads.
    about: &'a str,
    /// Where its metrics come from.
    layer: Layer,
    /// The sampler that reads it.
    sampler: &'a str,
    /// The metrics that are known before recording.
    metrics: &'a [TraceMetric],
    /// Processor time per sample, in nanoseconds.
    #[serde(rename = "ns_per_sample")]
    cpu_per_sample: Span,
    /// The same as a share of one processor.
    cpu_share: f64,
}

/// A probe that cannot be read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UnavailableProbe"))]
pub struct UnavailableEntry<'a> {
    /// The name of the probe.
    probe: &'a str,
    /// Why it cannot be read.
    reason: &'a str,
}

impl<'a> PlanDocument<'a> {
    /// Of a plan.
    #[must_use]
    pub fn of(plan: &'a RecordingPlan) -> PlanDocument<'a> {
        let unavailable =
            |(probe, reason): &'a (String, String)| UnavailableEntry { probe, reason };
        PlanDocument {
            schema: own_json::SCHEMA,
            plan: PlanEntry {
                interval_s: plan.interval.as_secs_f64(),
                common_metric: plan.common.as_deref(),
                runs: plan.runs.iter().map(run).collect(),
                unavailable: plan.unavailable.iter().map(unavailable).collect(),
                warnings: &plan.warnings,
            },
        }
    }
}

fn run(run: &PlannedRun) -> PlannedRunEntry<'_> {
    PlannedRunEntry {
        id: &run.id,
        group: &run.group,
        cpu_share: run.share(),
        probes: run.probes().map(|(sampler, one)| probe(sampler, one)).collect(),
    }
}

fn probe<'a>(sampler: &'a PlannedSampler, probe: &'a PlannedProbe) -> PlannedProbeEntry<'a> {
    PlannedProbeEntry {
        probe: &probe.name,
        about: &probe.about,
        layer: probe.layer,
        sampler: &sampler.name,
        metrics: &probe.metrics,
        cpu_per_sample: probe.cpu_per_sample,
        cpu_share: sampler.share_of(probe),
    }
}

/// The JSON of `fathom record`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Recording"))]
pub struct RecordingDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The trace folder.
    folder: &'a Path,
    /// The manifest of the folder ([format](trace-format.md)).
    traces: &'a Manifest,
    /// The rows of all runs and samplers.
    rows: u64,
    /// Scheduled rows that are missing.
    missed: u64,
    /// What each probe cost, the most expensive first.
    probes: Vec<ProbeCost>,
    /// Which probe to drop if recording cost too much; `null` if it did not.
    advice: Option<String>,
}

impl<'a> RecordingDocument<'a> {
    /// Of a recording.
    #[must_use]
    pub fn of(recording: &'a Recording) -> RecordingDocument<'a> {
        let summary = RecordingSummary::of(&recording.manifest);
        RecordingDocument {
            schema: own_json::SCHEMA,
            folder: &recording.folder,
            traces: &recording.manifest,
            rows: summary.rows,
            missed: summary.missed,
            probes: summary.probes,
            advice: summary.advice,
        }
    }
}
