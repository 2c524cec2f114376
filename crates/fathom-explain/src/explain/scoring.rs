//! Every metric of every run, scored on all cores.

use super::choice::{self, Jobs};
use super::error::ExplainError;
use super::outline::Outline;
use super::panel::{Panel, Scored};
use super::request::TraceQuestion;
use crate::align::{Aligned, Reader};
use crate::change::ChangeEvidence;
use crate::onset::Onset;
use crate::rank::exclusion::Exclusion;
use crate::{Correlator, Progress, ProgressWatch, Stage, Stopped, parallel};
use fathom_record::Span;
use fathom_record::trace::{Samples, TraceMetric};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The evidence of all runs on all metrics.
pub(super) struct MetricScores {
    /// The metrics that take part, in the order they are first met.
    pub(super) metrics: Vec<TraceMetric>,
    /// For each, what each run says that scored it, in the order of runs.
    pub(super) said: Vec<Vec<Result<Scored, Exclusion>>>,
    pub(super) outline: Outline,
    pub(super) target_outline: Vec<Option<f64>>,
    pub(super) target_change: Option<ChangeEvidence>,
    /// When the target began, in each run that has it and where that is clear.
    pub(super) target_onsets: BTreeMap<usize, Onset>,
    /// Why correlators have nothing to say, in the run of the selection.
    pub(super) silent: Vec<(Correlator, String)>,
}

/// Scores all metrics that the request wants.
pub(super) fn score(
    reader: Reader<'_>,
    request: &TraceQuestion,
    aligned: &Aligned,
    watch: ProgressWatch<'_>,
) -> Result<MetricScores, ExplainError> {
    let Jobs { metrics, jobs } = choice::jobs(reader.source, request, aligned)?;
    // The others' questions are not asked.
    let asked: BTreeSet<usize> =
        jobs.iter().map(|(run, _)| *run).chain([aligned.reference]).collect();
    let asked: Vec<usize> = asked.into_iter().collect();
    let panels =
        parallel::map(asked.len(), |n| Panel::new(asked[n], &aligned.runs[asked[n]].question));
    let panels: BTreeMap<usize, Panel<'_>> = asked.iter().copied().zip(panels).collect();
    let reference = &aligned.runs[aligned.reference].question;
    let outline = Outline::of(reference);
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |n: usize| -> Result<Result<Scored, Exclusion>, ExplainError> {
        if stopped.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        let (run, metric) = jobs[n];
        let run_aligned = &aligned.runs[run];
        let name = &metrics[metric].name;
        let samples = reader.samples(&run_aligned.run, name).inspect_err(|_| {
            stopped.store(true, Ordering::Relaxed);
        })?;
        let sequence = run_aligned.sequence(&samples);
        let scored = panels[&run].score(&sequence, sampled(&samples), outline);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        watch(Progress { stage: Stage::Scoring, done, of: jobs.len() }).inspect_err(|Stopped| {
            stopped.store(true, Ordering::Relaxed);
        })?;
        Ok(scored)
    };
    let mut said: Vec<Vec<Result<Scored, Exclusion>>> =
        metrics.iter().map(|_| Vec::new()).collect();
    let mut first_error = None;
    for (&(_, metric), result) in jobs.iter().zip(parallel::map(jobs.len(), work)) {
        match result {
            Ok(scored) => said[metric].push(scored),
            // What failed says more than that others then stopped.
            Err(error) if matches!(first_error, None | Some(ExplainError::Stopped(_))) => {
                first_error = Some(error);
            }
            Err(_) => {}
        }
    }
    if let Some(error) = first_error {
        return Err(error);
    }
    let panel = &panels[&aligned.reference];
    // A run without a target of its own has it through the warp, which is no clock.
    let own = panels.iter().filter(|(run, _)| aligned.runs[**run].has_own_target);
    let onset = |(run, panel): (&usize, &Panel<'_>)| Some((*run, panel.target_onset(Span::ZERO)?));
    let target_onsets = own.filter_map(onset).collect();
    Ok(MetricScores {
        target_onsets,
        said,
        outline,
        target_outline: outline.draw(reference, &reference.target),
        target_change: panel.target_change(),
        silent: panel.silent(),
        metrics,
    })
}

/// How far apart the samples of a metric usually are.
fn sampled(samples: &Samples) -> Span {
    let mut apart: Vec<Span> = samples.ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = apart.len() / 2;
    if apart.is_empty() { Span::ZERO } else { *apart.select_nth_unstable(middle).1 }
}
