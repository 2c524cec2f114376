//! Did it change? Commands side by side, in blocks, until the answer is there; or what was measured
//! before; or the functions of two builds.

mod bench_source;
mod builds;
mod functions;
mod measure;
mod plan;
mod report;
mod saved_results;
mod shell_refusal;
mod slots;
pub(crate) mod trial;

pub(crate) use measure::Measured;
#[cfg(test)]
pub(crate) use measure::measure;
pub(crate) use plan::ComparePlan;
pub(crate) use report::report;
pub(crate) use saved_results::report_of_files;

use crate::measuring::conduct::{self, Conducted, Ended};
use crate::measuring::machine::Machine;
use crate::measuring::session::Begun;
use crate::measuring::{session, settings, shell, subjects};
use crate::saved_session::SavedSession;
use crate::{Answer, Engine, EngineError, Gates};
use fathom_analyze::{EstimateRequest as Analysis, Report, StopReason};
use fathom_measure::Keeper;
use fathom_record::{Span, Timestamp};
use fathom_request::{CompareRequest, CompareSource, Request};
use std::time::Duration;
use trial::{SavedTrial, Trial};

impl Engine<'_> {
    /// Compares commands, saved results or builds.
    ///
    /// # Errors
    /// The request is wrong, or there is nothing to compare yet. What ended a measurement early
    /// stands in the answer.
    pub fn compare(&mut self, request: &CompareRequest) -> Result<Answer<Report>, EngineError> {
        let asked = Request::Compare(Box::new(request.clone()));
        let mut answer = match &request.source {
            CompareSource::Benches { .. } | CompareSource::Revision { .. } => {
                return self.compare_functions(request);
            }
            _ if request.exact || !request.skip.is_empty() => {
                return Err(EngineError::usage(
                    "--exact and --skip choose functions. Use --bench OLD NEW or --rev REV as well",
                ));
            }
            _ if request.layouts.is_some() || request.gate_unchanged => {
                return Err(EngineError::usage(
                    "--layouts and --gate-unchanged are for builds of functions. Use --bench OLD NEW \
                     or --rev REV as well",
                ));
            }
            CompareSource::Files(_) => {
                let report = report_of_files(request)?;
                let gates = gates(&report, request);
                Answer { gates, ..Answer::of(report) }
            }
            CompareSource::Baseline(name) => {
                self.compare_with_baseline(request, name, &asked, None)?
            }
            CompareSource::Commands => self.compare_commands(request, &asked, None)?,
        };
        answer.report.command_line = self.asked_by(&asked);
        Ok(answer)
    }

    /// Goes on with a session.
    pub(crate) fn resume_compare(
        &mut self,
        request: &CompareRequest,
        keeper: Keeper,
        saved: SavedSession,
    ) -> Result<Answer<Report>, EngineError> {
        let asked = Request::Compare(Box::new(request.clone()));
        let from = Some((keeper, saved));
        match &request.source {
            CompareSource::Baseline(name) => {
                self.compare_with_baseline(request, name, &asked, from)
            }
            _ => self.compare_commands(request, &asked, from),
        }
    }

    /// Runs commands side by side.
    fn compare_commands(
        &mut self,
        request: &CompareRequest,
        asked: &Request,
        from: Option<(Keeper, SavedSession)>,
    ) -> Result<Answer<Report>, EngineError> {
        let seed = session::seed(request.seed, from.as_ref());
        let subjects = subjects::build(&request.subjects, &request.running)?;
        let prepared = settings::prepare(&request.running, seed)?;
        let plan = ComparePlan::of(request, subjects, seed)?;
        if let Some((_, saved)) = &from {
            shell::refuse_subtracted(&plan.subjects, &saved.runs)?;
        }
        if let Some(line) = plan.too_few_to_answer() {
            self.watch.note(&line);
        }
        self.with_laboratory(|engine, laboratory| {
            let mut started = conduct::start(laboratory, &plan.subjects, prepared)?;
            let (keeper, environment, runs, state) = match from {
                None => {
                    let begun = engine.begin(asked, &plan.subjects, seed)?;
                    let Begun { keeper, environment, warning } = begun;
                    started.warn(warning);
                    (keeper, environment, Vec::new(), None)
                }
                Some((keeper, saved)) => {
                    let state = saved.plan.as_deref().and_then(SavedTrial::read);
                    (keeper, saved.environment, saved.runs, state)
                }
            };
            let before = runs.clone();
            let subjects = &plan.subjects;
            let conducted = conduct::conduct(
                laboratory,
                started,
                subjects,
                keeper,
                &before,
                engine.watch,
                |bench, watch| measure::measure(&plan, bench, runs, state, watch),
            );
            let mut answer = concluded(request, &plan, conducted, seed)?;
            answer.report.environment = environment;
            Ok(answer)
        })
    }
}

/// The answer to what was measured.
fn concluded(
    request: &CompareRequest,
    plan: &ComparePlan,
    conducted: Conducted<Measured>,
    seed: u64,
) -> Result<Answer<Report>, EngineError> {
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let Some(mut report) = report(plan, &measured, seed, warnings) else {
        return match Ended::of(measured.error, None, true) {
            Ended::Failed(error) | Ended::Shown(Some(error)) => Err(error),
            Ended::Shown(None) => Err(EngineError::interrupted()),
        };
    };
    report.session = keeper.id().map(|id| id.0);
    report.overhead_per_run = overhead_per_run;
    if measured.error.is_none()
        && let Err(error) = keeper.finish("done")
    {
        report.warnings.push(error.to_string().into());
    }
    let gates = gates(&report, request);
    match Ended::of(measured.error, report.session, false) {
        Ended::Failed(error) => Err(error),
        Ended::Shown(ended_early) => {
            Ok(Answer { report, gates, seconds: Some(measured.seconds), ended_early })
        }
    }
}

fn gates(report: &Report, request: &CompareRequest) -> Gates {
    Gates::of(report.comparisons.as_deref().unwrap_or_default(), request.allow_inconclusive)
}

/// The report of a saved session, and how long measuring took; `None` before the first block.
/// `analysis` says how subjects are analysed next to the comparison; absent: as they were.
pub(crate) fn report_of_session(
    engine: &mut Engine<'_>,
    request: &CompareRequest,
    saved: &SavedSession,
    analysis: Option<Analysis>,
) -> Result<Option<(Report, Option<f64>)>, EngineError> {
    if let CompareSource::Baseline(name) = &request.source {
        let report = engine.report_with_baseline(request, name, saved)?;
        return Ok(Some((report, None)));
    }
    let subjects = subjects::build(&request.subjects, &request.running)?;
    let mut plan = ComparePlan::of(request, subjects, saved.seed)?;
    let plan_text = saved.plan.as_deref();
    let state = plan_text.and_then(SavedTrial::read);
    let runs = saved.runs.clone();
    let trial = state.as_ref().map(|state| Trial::replayed(&plan, state, &runs));
    let stopped = state.as_ref().and_then(SavedTrial::stopped).unwrap_or(StopReason::Interrupted);
    let last = runs.last().map_or(Span::ZERO, |run| run.ended() - Timestamp::ZERO);
    let seconds = Duration::from(last).as_secs_f64();
    let measured = Measured { runs, trial, stopped, seconds, error: None };
    plan.request = analysis.unwrap_or(plan.request);
    let warnings = Machine::read(plan_text).warnings;
    Ok(report(&plan, &measured, saved.seed, warnings).map(|report| (report, Some(seconds))))
}
