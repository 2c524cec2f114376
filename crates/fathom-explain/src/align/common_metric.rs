//! The metric that runs are aligned by.

use super::error::AlignError;
use super::reader::Reader;
use crate::RunEntry;
use fathom_record::trace::{Kind, TraceMetric};
use std::collections::BTreeMap;

/// Whether a run has a metric.
pub(super) fn has(run: &RunEntry, metric: &str) -> bool {
    run.metrics.iter().any(|one| one.name == metric)
}

/// The one that was asked for, or the one that was recorded for it, or the target, or the first of
/// the reference's that changes; it is in all runs. `None` if there is but one run.
pub(super) fn choose(
    reader: Reader<'_>,
    reference: &RunEntry,
    target: &str,
    wanted: Option<&str>,
) -> Result<Option<String>, AlignError> {
    let runs = reader.source.runs();
    let in_all = |metric: &str| runs.iter().all(|run| has(run, metric));
    if let Some(wanted) = wanted.filter(|wanted| !in_all(wanted)) {
        let lacking = lacking(runs, wanted);
        let shared = shared(runs, reference).map(|metric| metric.name.clone()).collect();
        return Err(AlignError::CommonMissing { common: wanted.to_string(), lacking, shared });
    }
    if runs.len() < 2 {
        return Ok(None);
    }
    if let Some(wanted) = wanted {
        return Ok(Some(wanted.to_string()));
    }
    if let Some(known) = reader.source.common().filter(|known| in_all(known)) {
        return Ok(Some(known.to_string()));
    }
    if in_all(target) {
        return Ok(Some(target.to_string()));
    }
    let shared: Vec<&TraceMetric> = shared(runs, reference).collect();
    if shared.is_empty() {
        return Err(nothing_shared(runs));
    }
    // Events say when something was, but nothing of what lies between.
    let (events, sampled): (Vec<&TraceMetric>, Vec<&TraceMetric>) =
        shared.iter().copied().partition(|metric| metric.kind == Kind::Event);
    for metric in sampled.into_iter().chain(events) {
        if let Ok(rows) = reader.all_rows(reference, &metric.name)
            && changes(rows.values.seen())
        {
            return Ok(Some(metric.name.clone()));
        }
    }
    let shared = shared.into_iter().map(|metric| metric.name.clone()).collect();
    Err(AlignError::CommonConstant { run: reference.id.clone(), shared })
}

pub(super) fn changes(mut values: impl Iterator<Item = f64>) -> bool {
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// The metrics that all runs have, in the reference's order.
fn shared<'a>(
    runs: &'a [RunEntry],
    reference: &'a RunEntry,
) -> impl Iterator<Item = &'a TraceMetric> {
    let in_all = |metric: &&TraceMetric| runs.iter().all(|run| has(run, &metric.name));
    reference.metrics.iter().filter(in_all)
}

fn lacking(runs: &[RunEntry], metric: &str) -> Vec<String> {
    runs.iter().filter(|run| !has(run, metric)).map(|run| run.id.clone()).collect()
}

fn nothing_shared(runs: &[RunEntry]) -> AlignError {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for metric in runs.iter().flat_map(|run| &run.metrics) {
        *counts.entry(&metric.name).or_default() += 1;
    }
    let names = runs.iter().flat_map(|run| &run.metrics).map(|metric| metric.name.as_str());
    // The first of those that most runs have.
    let best = names.rev().max_by_key(|name| counts.get(name).copied()).unwrap_or_default();
    AlignError::NoCommon { best: best.to_string(), lacking: lacking(runs, best) }
}
