//! Which metrics are scored in which runs, and which run speaks for a metric that several scored.

use super::error::ExplainError;
use super::panel::Scored;
use super::request::{ScoreIn, TraceQuestion};
use crate::TraceSource;
use crate::align::Aligned;
use crate::significance::Chance;
use fathom_record::nearest;
use fathom_record::trace::TraceMetric;
use std::collections::HashMap;

/// What to score.
pub(super) struct Jobs {
    /// The metrics that take part.
    pub(super) metrics: Vec<TraceMetric>,
    /// Numbers of run and metric, run by run.
    pub(super) jobs: Vec<(usize, usize)>,
}

/// Which metrics take part, and which is scored in which run.
pub(super) fn jobs(
    source: &dyn TraceSource,
    request: &TraceQuestion,
    aligned: &Aligned,
) -> Result<Jobs, ExplainError> {
    let mut metrics: Vec<TraceMetric> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut jobs = Vec::new();
    for run in order(aligned, request.score_in) {
        let Some(entry) = aligned
            .runs
            .get(run)
            .and_then(|aligned| source.runs().iter().find(|entry| entry.id == aligned.run))
        else {
            continue;
        };
        for metric in &entry.metrics {
            if metric.name == request.selection.target || !request.wants(&metric.name) {
                continue;
            }
            let known = numbers.get(metric.name.as_str()).copied();
            if known.is_some() && request.score_in == ScoreIn::Nearest {
                continue;
            }
            let number = known.unwrap_or(metrics.len());
            if known.is_none() {
                numbers.insert(metric.name.as_str(), number);
                metrics.push(metric.clone());
            }
            jobs.push((run, number));
        }
    }
    if jobs.is_empty() {
        return Err(ExplainError::NothingToRank(nothing(source, request)));
    }
    Ok(Jobs { metrics, jobs })
}

/// Runs in the order they are asked: for the nearest, the run of the selection and then those that
/// are aligned best; else as they come.
fn order(aligned: &Aligned, score_in: ScoreIn) -> Vec<usize> {
    let mut order: Vec<usize> = (0..aligned.runs.len()).collect();
    if score_in == ScoreIn::Nearest {
        let cost = |run: usize| match aligned.runs.get(run).and_then(|run| run.quality.as_ref()) {
            Some(quality) => quality.relative_cost.unwrap_or(f64::MAX),
            None if run == aligned.reference => -1.0,
            None => f64::INFINITY,
        };
        order.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)));
    }
    order
}

fn nothing(source: &dyn TraceSource, request: &TraceQuestion) -> String {
    let names: Vec<&str> = source
        .runs()
        .iter()
        .flat_map(|run| &run.metrics)
        .map(|metric| metric.name.as_str())
        .filter(|name| *name != request.selection.target)
        .collect();
    if names.is_empty() {
        return format!(
            "the target {} is the only metric, so there is nothing to rank; record more metrics",
            request.selection.target
        );
    }
    let asked = request.only.join(" or ");
    let near = request.only.iter().find_map(|part| nearest(part, &names).first().copied());
    let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    format!("no metric name contains {asked}{near}")
}

/// Which run speaks for a metric: the middle one, so that a single run that went astray counts as
/// little as one that fits by chance. Among an even number the more certain of the two in the middle.
///
/// With it the chance that this many runs say as much or more if there is nothing, given each run's.
pub(super) fn middle(
    said: &[&Scored],
    chance: &dyn Fn(&Scored) -> Option<Chance>,
) -> (usize, Option<Chance>) {
    let mut order: Vec<usize> = (0..said.len()).collect();
    let chance = |n: usize| said.get(n).and_then(|scored| chance(scored));
    // Those that cannot say how sure they are come last.
    order.sort_by(|&a, &b| {
        let key = |n| chance(n).map_or(f64::INFINITY, |chance| chance.p_value());
        key(a).total_cmp(&key(b))
    });
    let place = said.len().saturating_sub(1) / 2;
    let middle = order.get(place).copied().unwrap_or(0);
    (middle, chance(middle).map(|chance| chance.in_runs(place + 1, said.len())))
}
