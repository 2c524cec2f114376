//! What each metric was in each phase of each run.

use super::{ContrastError, ContrastQuestion};
use crate::align::{CarriedMoments, Reader, on_edges};
use crate::{Progress, ProgressWatch, Stage, Stopped, parallel};
use fathom_record::Timestamp;
use fathom_record::trace::{Samples, TraceMetric};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The metrics of one run.
pub(super) struct RunLevels {
    pub(super) metrics: Vec<MetricLevels>,
    /// From the first row of any metric to the last.
    pub(super) span: Option<(Timestamp, Timestamp)>,
}

/// One of them.
pub(super) struct MetricLevels {
    pub(super) metric: TraceMetric,
    pub(super) whole: Option<f64>,
    /// As many as there are phases; none if runs are not divided.
    pub(super) phases: Vec<Option<f64>>,
}

/// Reads every metric of every run.
pub(super) fn read(
    reader: Reader<'_>,
    question: &ContrastQuestion,
    carried: Option<&CarriedMoments>,
    watch: ProgressWatch<'_>,
) -> Result<Vec<RunLevels>, ContrastError> {
    let runs = reader.source.runs();
    let mut jobs = Vec::new();
    for (run, entry) in runs.iter().enumerate() {
        let wanted = entry.metrics.iter().filter(|metric| question.wants(&metric.name));
        jobs.extend(wanted.map(|metric| (run, metric)));
    }
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |n: usize| -> Result<(MetricLevels, Option<(Timestamp, Timestamp)>), ContrastError> {
        if stopped.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        let (run, metric) = jobs[n];
        let samples = reader.samples(&runs[run].id, &metric.name).inspect_err(|_| {
            stopped.store(true, Ordering::Relaxed);
        })?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        watch(Progress { stage: Stage::Scoring, done, of: jobs.len() }).inspect_err(|Stopped| {
            stopped.store(true, Ordering::Relaxed);
        })?;
        let moments = carried.and_then(|carried| carried.runs.get(run));
        let moments = moments.map(|run| run.moments.as_slice());
        Ok((levels(&samples, moments), span(&samples)))
    };
    let mut all: Vec<RunLevels> =
        runs.iter().map(|_| RunLevels { metrics: Vec::new(), span: None }).collect();
    let mut first_error = None;
    for (&(run, _), result) in jobs.iter().zip(parallel::map(jobs.len(), work)) {
        match result {
            Ok((levels, span)) => {
                all[run].metrics.push(levels);
                all[run].span = joined(all[run].span, span);
            }
            // What failed says more than that others then stopped.
            Err(error) if matches!(first_error, None | Some(ContrastError::Stopped(_))) => {
                first_error = Some(error);
            }
            Err(_) => {}
        }
    }
    match first_error {
        Some(error) => Err(error),
        None => Ok(all),
    }
}

/// A metric's level over the whole run, and in each phase between these moments.
fn levels(samples: &Samples, moments: Option<&[Timestamp]>) -> MetricLevels {
    let metric = samples.metric.clone();
    let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
    let ends = match moments {
        Some(moments) => moments.first().copied().zip(moments.last().copied()),
        None => span(samples),
    };
    let whole = ends.and_then(|(start, end)| {
        on_edges(samples, &[start, end]).first().copied().and_then(finite)
    });
    let phases = match moments.filter(|moments| moments.len() > 2) {
        Some(moments) => on_edges(samples, moments).into_iter().map(finite).collect(),
        None => Vec::new(),
    };
    MetricLevels { metric, whole, phases }
}

fn span(samples: &Samples) -> Option<(Timestamp, Timestamp)> {
    let start = samples.starts.iter().min().copied()?;
    let end = samples.ends.iter().max().copied()?;
    (start < end).then_some((start, end))
}

fn joined(
    one: Option<(Timestamp, Timestamp)>,
    other: Option<(Timestamp, Timestamp)>,
) -> Option<(Timestamp, Timestamp)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}
