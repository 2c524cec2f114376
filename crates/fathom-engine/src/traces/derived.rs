//! Metrics that are computed from others, in the runs of a trace.

use super::summaries::some;
use crate::EngineError;
use fathom_property::{DeriveError, DerivedMetric, ResolvedMetric};
use fathom_record::trace::{MetricDefinition, Rows, Samples, TraceMetric};
use std::collections::HashSet;
use std::sync::Arc;

/// What `--derive` defines, each name once.
///
/// # Errors
/// A text defines no metric, or two have one name.
pub(crate) fn defined(texts: &[String]) -> Result<Vec<DerivedMetric>, EngineError> {
    let mut derived: Vec<DerivedMetric> = Vec::new();
    for text in texts {
        let metric = DerivedMetric::parse(text).map_err(refused)?;
        if derived.iter().any(|earlier| earlier.name() == metric.name()) {
            return Err(EngineError::usage(format!(
                "--derive: two metrics are named {}; choose another name for one",
                metric.name()
            )));
        }
        derived.push(metric);
    }
    Ok(derived)
}

/// A run, as far as definitions need it.
pub(crate) struct RunMetrics<'a> {
    pub(crate) id: &'a str,
    pub(crate) metrics: &'a [TraceMetric],
}

/// What each of these runs can compute, in the order of definition: a metric may need earlier ones.
/// Definitions that the traces hold already (`stored`) are not computed again where a run has them.
///
/// # Errors
/// A metric cannot be computed in any run, has the name of another, or has no meaning.
pub(crate) fn resolve(
    derived: &[DerivedMetric],
    stored: &[MetricDefinition],
    runs: &[RunMetrics<'_>],
) -> Result<Vec<Vec<ResolvedMetric>>, EngineError> {
    let mut known: Vec<Vec<TraceMetric>> = runs.iter().map(|run| run.metrics.to_vec()).collect();
    let mut resolved: Vec<Vec<ResolvedMetric>> = runs.iter().map(|_| Vec::new()).collect();
    for metric in derived {
        let is_stored = stored.contains(&metric.definition());
        let mut is_anywhere = false;
        for (run, (known, resolved)) in runs.iter().zip(known.iter_mut().zip(&mut resolved)) {
            if known.iter().any(|one| one.name == metric.name()) {
                if is_stored {
                    is_anywhere = true;
                    continue;
                }
                return Err(EngineError::usage(format!(
                    "--derive: run {} has a metric {} already; choose another name",
                    run.id,
                    metric.name()
                )));
            }
            match metric.resolve(known) {
                Ok(found) => {
                    is_anywhere = true;
                    known.push(found.metric().clone());
                    resolved.push(found);
                }
                // Another run may have what this one lacks.
                Err(error) if error.is_unknown_name() => {}
                Err(error) => return Err(refused(error)),
            }
        }
        if !is_anywhere {
            return Err(nowhere(metric, runs, &known));
        }
    }
    Ok(resolved)
}

/// Why no run can compute a metric.
fn nowhere(
    metric: &DerivedMetric,
    runs: &[RunMetrics<'_>],
    known: &[Vec<TraceMetric>],
) -> EngineError {
    let mut seen = HashSet::new();
    let all: Vec<TraceMetric> =
        known.iter().flatten().filter(|one| seen.insert(one.name.as_str())).cloned().collect();
    let found = match metric.resolve(&all) {
        Ok(found) => found,
        Err(error) => return refused(error),
    };
    let places = found.inputs().iter().map(|input| {
        let has = |metrics: &&Vec<TraceMetric>| metrics.iter().any(|one| one.name == *input);
        let with = runs.iter().zip(known).filter(|(_, metrics)| has(metrics));
        let with: Vec<&str> = with.map(|(run, _)| run.id).collect();
        format!("{input} is in {}", some(&with))
    });
    EngineError::usage(format!(
        "--derive {}: no run has all the metrics that it needs: {}. Record them together, with \
         --group or --runs 1",
        metric.name(),
        places.collect::<Vec<_>>().join(", ")
    ))
}

fn refused(error: DeriveError) -> EngineError {
    EngineError::from(error).about("--derive")
}

/// The derived metrics of a run whose samples are all here, as tables by their rows.
pub(crate) fn tables(resolved: &[ResolvedMetric], samples: &[Samples]) -> Vec<(String, Rows)> {
    let mut computed: Vec<Samples> = Vec::new();
    for metric in resolved {
        if let Some(one) = compute(metric, samples, &computed) {
            computed.push(one);
        }
    }
    by_rows(computed)
        .into_iter()
        .enumerate()
        .map(|(n, group)| {
            let name = match n {
                0 => DerivedMetric::PROBE.to_string(),
                n => format!("{}-{}", DerivedMetric::PROBE, n + 1),
            };
            (name, rows(&group))
        })
        .collect()
}

/// A metric from those that it needs; `None` if one is not here.
pub(crate) fn compute(
    metric: &ResolvedMetric,
    samples: &[Samples],
    earlier: &[Samples],
) -> Option<Samples> {
    let find = |name: &String| samples.iter().chain(earlier).find(|one| one.metric.name == *name);
    let inputs: Option<Vec<&Samples>> = metric.inputs().iter().map(find).collect();
    Some(metric.compute(&inputs?))
}

/// Those with the same rows together.
fn by_rows(computed: Vec<Samples>) -> Vec<Vec<Samples>> {
    let mut groups: Vec<Vec<Samples>> = Vec::new();
    for one in computed {
        let has_its_rows = |group: &&mut Vec<Samples>| {
            group.first().is_some_and(|first| first.starts == one.starts && first.ends == one.ends)
        };
        match groups.iter_mut().find(has_its_rows) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn rows(group: &[Samples]) -> Rows {
    let metrics: Arc<[TraceMetric]> = group.iter().map(|one| one.metric.clone()).collect();
    let mut rows = Rows::new(metrics);
    if let Some(first) = group.first() {
        for (n, (&start, &end)) in first.starts.iter().zip(first.ends.iter()).enumerate() {
            let values: Vec<_> = group.iter().map(|one| one.values.get(n)).collect();
            rows.push(start, end, &values);
        }
    }
    rows
}
