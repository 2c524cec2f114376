//! How fast is it? Commands one after another, each until its interval is narrow enough.

mod lines;
mod measure;
mod plan;
mod report;
mod target;

pub(crate) use measure::Measured;
#[cfg(test)]
pub(crate) use measure::measure;
pub(crate) use plan::RunPlan;
pub(crate) use report::report;

use crate::measuring::conduct::{self, Conducted, Ended, Started};
use crate::measuring::machine::Machine;
use crate::measuring::session::{About, Begun};
use crate::measuring::settings::{self, Prepared};
use crate::measuring::subjects::{self, Subjects};
use crate::measuring::{session, shell};
use crate::saved_session::SavedSession;
use crate::{Answer, Engine, EngineError};
use fathom_analyze::compare::{Comparison, Margin, compare_unpaired};
use fathom_analyze::{EstimateRequest as Analysis, Report};
use fathom_measure::{Keeper, Laboratory};
use fathom_request::{Request, RunRequest};

impl Engine<'_> {
    /// Times commands until every interval is narrow enough, or the time is over.
    ///
    /// # Errors
    /// The request is wrong, or nothing was measured. What ended a measurement early stands in the
    /// answer.
    pub fn run(&mut self, request: &RunRequest) -> Result<Answer<Report>, EngineError> {
        let asked = Request::Run(Box::new(request.clone()));
        self.measure_runs(request, &asked, None)
    }

    /// Measures for a request; `asked` is what the session stores. `from` is a session that goes on.
    pub(crate) fn measure_runs(
        &mut self,
        request: &RunRequest,
        asked: &Request,
        from: Option<(Keeper, SavedSession)>,
    ) -> Result<Answer<Report>, EngineError> {
        let seed = session::seed(request.seed, from.as_ref());
        let Subjects { all, .. } = subjects::build(&request.subjects, &request.running)?;
        let prepared = settings::prepare(&request.running, seed)?;
        let plan = RunPlan::of(request, all, &prepared, seed)?;
        self.with_laboratory(|engine, laboratory| {
            let mut started = conduct::start(laboratory, &plan.subjects, prepared)?;
            let (keeper, environment, before) = match from {
                None => {
                    let begun = engine.begin(asked, &plan.subjects, seed)?;
                    let Begun { keeper, environment, warning } = begun;
                    started.warn(warning);
                    (keeper, environment, Measured::nothing())
                }
                Some((keeper, saved)) => {
                    shell::refuse_subtracted(&plan.subjects, &saved.runs)?;
                    let before = Measured::of(saved.runs, saved.plan.as_deref());
                    (keeper, saved.environment, before)
                }
            };
            let mut answer = finish(engine, laboratory, &plan, started, keeper, before, seed)?;
            answer.report.command_line = engine.asked_by(asked);
            answer.report.environment = environment;
            answer.report.comparisons = with_reference(request, &answer.report)?;
            Ok(answer)
        })
    }
}

/// The report of a saved session, as far as it was measured.
pub(crate) fn report_of_session(
    request: &RunRequest,
    saved: &SavedSession,
) -> Result<Report, EngineError> {
    let Subjects { all, .. } = subjects::build(&request.subjects, &request.running)?;
    let metrics = settings::judged(&request.running)?;
    let prepared = Prepared { metrics, ..Prepared::default() };
    let plan = RunPlan::of(request, all, &prepared, saved.seed)?;
    let plan_text = saved.plan.as_deref();
    let measured = Measured::of(saved.runs.clone(), plan_text);
    let mut report = report(&plan, &measured, saved.seed, Machine::read(plan_text).warnings);
    report.comparisons = with_reference(request, &report)?;
    Ok(report)
}

/// Measures and reports.
fn finish(
    engine: &mut Engine<'_>,
    laboratory: &mut dyn Laboratory,
    plan: &RunPlan,
    started: Started,
    keeper: Keeper,
    before: Measured,
    seed: u64,
) -> Result<Answer<Report>, EngineError> {
    let runs = before.runs.clone();
    let subjects = &plan.subjects;
    let conducted = conduct::conduct(
        laboratory,
        started,
        subjects,
        keeper,
        &runs,
        engine.watch,
        |bench, watch| measure::measure(plan, bench, before, watch),
    );
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let mut report = report(plan, &measured, seed, warnings);
    report.session = keeper.id().map(|id| id.0);
    report.overhead_per_run = overhead_per_run;
    if measured.error.is_none()
        && let Err(error) = keeper.finish("done")
    {
        report.warnings.push(error.to_string().into());
    }
    match Ended::of(measured.error, report.session, report.subjects.is_empty()) {
        Ended::Failed(error) => Err(error),
        Ended::Shown(ended_early) => Ok(Answer { ended_early, ..Answer::of(report) }),
    }
}

/// Every subject against the reference, if one was asked for. They were measured one after
/// another, and the report says what that means.
fn with_reference(
    request: &RunRequest,
    report: &Report,
) -> Result<Option<Vec<Comparison>>, EngineError> {
    if request.subjects.reference.is_none() || report.subjects.len() < 2 {
        return Ok(None);
    }
    if request.running.on.len() > 1 || !request.running.metrics.is_empty() {
        return Err(EngineError::usage(
            "--reference compares one metric. Use --on once, or leave out --reference",
        ));
    }
    let Subjects { all, reference } = subjects::build(&request.subjects, &request.running)?;
    let is_reference =
        |subject: &&fathom_analyze::Subject| subject.series.name() == all[reference].name;
    let Some(reference) = report.subjects.iter().find(is_reference) else { return Ok(None) };
    let analysis =
        Analysis { confidence: request.confidence, ..request.cleaning.apply(Analysis::default()) };
    let others = report.subjects.iter().filter(|subject| !is_reference(subject));
    let compared: Result<Vec<Comparison>, String> = others
        .map(|subject| compare_unpaired(reference, subject, &analysis, Margin::DEFAULT, &[]))
        .collect();
    compared.map(Some).map_err(EngineError::usage)
}

impl Engine<'_> {
    /// Begins a session about these subjects.
    pub(crate) fn begin(
        &mut self,
        asked: &Request,
        subjects: &[fathom_measure::CommandSubject],
        seed: u64,
    ) -> Result<Begun, EngineError> {
        let commands: Vec<Vec<String>> = subjects.iter().map(|one| one.command.words()).collect();
        let about = About {
            request: asked.clone(),
            words: self.words.clone().unwrap_or_else(|| asked.words()),
            subjects: subjects.iter().map(|subject| subject.name.clone()).collect(),
            commands: &commands,
            seed,
            folder: self.working_folder()?,
        };
        session::begin(&self.saving, about, self.watch)
    }
}
