//! Plans and recordings as JSON.

use crate::arguments::RecordArguments;
use crate::failure::Failure;
use crate::render::traces::{Detail, Recorded};
use fathom_measure::recording::{Plan, PlannedProbe, PlannedSampler, Summary};
use fathom_record::own_json;
use serde_json::{Value, json};

pub(super) fn detail(arguments: &RecordArguments) -> Detail {
    match (arguments.quiet, arguments.verbose) {
        (true, _) => Detail::Answer,
        (_, true) => Detail::Everything,
        _ => Detail::Usual,
    }
}

pub(super) fn plan(plan: &Plan) -> Result<String, Failure> {
    let probe = |sampler: &PlannedSampler, probe: &PlannedProbe| {
        json!({
            "probe": probe.name,
            "about": probe.about,
            "layer": probe.layer,
            "sampler": sampler.name,
            "metrics": probe.metrics,
            "ns_per_sample": probe.ns_per_sample,
            "cpu_share": sampler.share_of(probe),
        })
    };
    let runs: Vec<Value> = plan
        .runs
        .iter()
        .map(|run| {
            let probes: Vec<Value> =
                run.probes().map(|(sampler, one)| probe(sampler, one)).collect();
            json!({
                "id": run.id,
                "group": run.group,
                "cpu_share": run.share(),
                "probes": probes,
            })
        })
        .collect();
    let unavailable: Vec<Value> = plan
        .unavailable
        .iter()
        .map(|(probe, reason)| json!({ "probe": probe, "reason": reason }))
        .collect();
    text(&json!({
        "schema": own_json::SCHEMA,
        "plan": {
            "interval_s": plan.interval.as_secs_f64(),
            "common_metric": plan.common,
            "runs": runs,
            "unavailable": unavailable,
            "warnings": plan.warnings,
        },
    }))
}

pub(super) fn recorded(recorded: &Recorded<'_>) -> Result<String, Failure> {
    let summary = Summary::of(recorded.manifest);
    text(&json!({
        "schema": own_json::SCHEMA,
        "folder": recorded.folder,
        "traces": recorded.manifest,
        "rows": summary.rows,
        "missed": summary.missed,
        "probes": summary.probes,
        "advice": summary.advice,
    }))
}

fn text(document: &Value) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(document).map_err(Failure::input)? + "\n")
}
