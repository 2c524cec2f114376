//! Plans and recordings as JSON.

use super::Recording;
use fathom_measure::recording::{
    PlannedProbe, PlannedRun, PlannedSampler, RecordingPlan, RecordingSummary,
};
use fathom_record::own_json;
use fathom_record::trace::{Layer, Manifest, ProbeCost, TraceMetric};
use serde::Serialize;
use std::path::Path;

/// The JSON of `fathom record --dry-run`.
#[derive(Debug, Serialize)]
pub struct PlanDocument<'a> {
    /// Which version of Fathom's JSON it is.
    schema: &'static str,
    /// What would be recorded.
    plan: PlanEntry<'a>,
}

/// What would be recorded.
#[derive(Debug, Serialize)]
pub struct PlanEntry<'a> {
    /// The time between two samples, in seconds.
    interval_s: f64,
    /// The metric that every run has, by which runs are aligned.
    common_metric: Option<&'a str>,
    /// The runs, in their order.
    runs: Vec<PlannedRunEntry<'a>>,
    /// Probes that cannot be read here.
    unavailable: Vec<UnavailableEntry<'a>>,
    /// What to know before.
    warnings: &'a [String],
}

/// A run of a plan.
#[derive(Debug, Serialize)]
pub struct PlannedRunEntry<'a> {
    /// "run-1".
    id: &'a str,
    /// What is recorded in it.
    group: &'a str,
    /// What sampling costs, as a share of one processor.
    cpu_share: f64,
    /// What is read.
    probes: Vec<PlannedProbeEntry<'a>>,
}

/// A probe of a planned run.
#[derive(Debug, Serialize)]
pub struct PlannedProbeEntry<'a> {
    /// Its name.
    probe: &'a str,
    /// What it tells.
    about: &'a str,
    /// Where its metrics come from.
    layer: Layer,
    /// Which sampler reads it.
    sampler: &'a str,
    /// The metrics that are known already.
    metrics: &'a [TraceMetric],
    /// Processor time per sample, in nanoseconds.
    ns_per_sample: u64,
    /// The same as a share of one processor.
    cpu_share: f64,
}

/// A probe that cannot be read here.
#[derive(Debug, Serialize)]
pub struct UnavailableEntry<'a> {
    /// Its name.
    probe: &'a str,
    /// Why not.
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
        ns_per_sample: probe.ns_per_sample,
        cpu_share: sampler.share_of(probe),
    }
}

/// The JSON of `fathom record`.
#[derive(Debug, Serialize)]
pub struct RecordingDocument<'a> {
    /// Which version of Fathom's JSON it is.
    schema: &'static str,
    /// Where the traces are.
    folder: &'a Path,
    /// What the folder's manifest says.
    traces: &'a Manifest,
    /// Rows of all runs and samplers.
    rows: u64,
    /// Rows that the schedules had room for and that are missing.
    missed: u64,
    /// What each probe cost, the dearest first.
    probes: Vec<ProbeCost>,
    /// Which probe to drop, if recording cost too much.
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
