//! Does it keep its promise? Executions until enough of them satisfy a property, or do not.

mod absent_events;
mod adjustments;
mod answer;
mod conduct;
mod data;
mod expectation;
mod fleet;
mod grid;
mod host_time;
mod judge;
mod kept;
mod meaning;
mod outcomes;
mod panel;
mod plan_document;
mod prepared;
mod programs;
mod property_parts;
mod question;
mod recorded_executions;
mod repeats;
mod report;
mod round;
mod run_verdicts;
mod sameness;
mod sampling;
mod saved_executions;
mod study;
mod study_comparisons;
mod systems;
#[cfg(test)]
mod tests;
mod tuples;
mod worst_executions;

pub use answer::CheckAnswer;
pub use plan_document::CheckPlanDocument;

use crate::measuring::session::{self, About, Begun};
use crate::saved_session::SavedSession;
use crate::{Answer, Engine, EngineError, Saving, SessionFolder};
use conduct::{Begin, conduct};
use fathom_measure::experiment::{Journal, OpenedJournal};
use fathom_measure::slurm::perform_task;
use fathom_measure::{Keeper, LaboratoryError, Local};
use fathom_property::CheckPlan;
use fathom_request::{CheckRequest, ExecutionOptions, ExecutionSource, Executor, Request};
use kept::{EarlierStudy, KeptExecutions};
use prepared::PreparedCheck;
use report::{Circumstances, joint_report};
pub(crate) use run_verdicts::RunVerdicts;
use saved_executions::SavedExecutions;
pub(crate) use saved_executions::folder as executions_folder;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Of how many of the worst executions a page shows what they did over their time.
const SHOWN_WORST: usize = 3;

impl Engine<'_> {
    /// Checks whether enough executions satisfy a property, or estimates the value that enough of
    /// them stay within.
    ///
    /// # Errors
    /// The request is wrong, an execution failed, or none ended. That the user ended it stands in the
    /// answer.
    pub fn check(&mut self, request: &CheckRequest) -> Result<Answer<CheckAnswer>, EngineError> {
        let answer = self.check_all(request);
        answer.map_err(|error| error.placed(&self.places))
    }

    fn check_all(&mut self, request: &CheckRequest) -> Result<Answer<CheckAnswer>, EngineError> {
        let options = match &request.executions {
            ExecutionSource::Commands(options) => options,
            ExecutionSource::Data { files, rows, group_by } => {
                let command_line = self.asked_by(&asked(request));
                let group_by = group_by.as_deref();
                return data::check(request, files, *rows, group_by, command_line, None);
            }
        };
        let earlier = kept::earlier(self, options, &request.reading)?;
        let seed = chosen_seed(options, &earlier);
        let check = PreparedCheck::of(request, self.working_folder()?, seed)?;
        let kept = self.kept(&check, &earlier)?;
        let saving = self.saving_for(&options.executor)?;
        systems::find_programs(check.recipe())?;
        let request = asked(request);
        let Begun { keeper, environment, warning } = self.begin_check(&check, &saving, &request)?;
        let folder = match keeper.id() {
            Some(id) => Some(saved_executions::folder(&saving.folder.path()?, id.0)),
            None => None,
        };
        let journal = match &folder {
            Some(folder) => {
                let mut journal = Journal::open(folder)?.journal;
                journal.begin(&request.to_value())?;
                Some(journal)
            }
            None => None,
        };
        let mut saved = SavedExecutions::new(keeper, journal, Duration::ZERO);
        saved.save_kept(&kept.performed)?;
        let begin = Begin {
            saved,
            folder,
            environment,
            before: kept.performed,
            warnings: warning.into_iter().chain(kept.notes).collect(),
            command_line: self.asked_by(&request),
        };
        conduct(self, &check, begin)
    }

    /// The same for a check of files that is opened to be looked at: its answer also says what the
    /// worst executions did over their time. Nothing runs.
    ///
    /// # Errors
    /// The check runs commands, whose executions only their session has; or as for [`Engine::check`].
    pub fn look_at_check(&mut self, request: &CheckRequest) -> Result<CheckAnswer, EngineError> {
        let ExecutionSource::Data { files, rows, group_by } = &request.executions else {
            return Err(EngineError::usage(
                "the check ran commands, and their executions are saved in its session only",
            ));
        };
        let command_line = self.asked_by(&asked(request));
        let group_by = group_by.as_deref();
        let answer = data::check(request, files, *rows, group_by, command_line, Some(SHOWN_WORST));
        Ok(answer.map_err(|error| error.placed(&self.places))?.report)
    }

    /// What a check would run, and how many executions to expect. Nothing runs.
    ///
    /// # Errors
    /// The request is wrong, or runs nothing in any case.
    pub fn check_plan(&mut self, request: &CheckRequest) -> Result<CheckPlan, EngineError> {
        let plan = self.try_plan(request);
        plan.map_err(|error| error.placed(&self.places))
    }

    fn try_plan(&mut self, request: &CheckRequest) -> Result<CheckPlan, EngineError> {
        let (earlier, seed) = match &request.executions {
            ExecutionSource::Commands(options) => {
                let earlier = kept::earlier(self, options, &request.reading)?;
                let seed = chosen_seed(options, &earlier);
                (earlier, seed)
            }
            ExecutionSource::Data { .. } => (Vec::new(), fathom_sys::seed::fresh()),
        };
        let check = PreparedCheck::of(request, self.working_folder()?, seed)?;
        let kept = self.kept(&check, &earlier)?;
        expectation::plan(&check, kept)
    }

    /// What earlier studies performed of this one.
    fn kept(
        &self,
        check: &PreparedCheck<'_>,
        earlier: &[EarlierStudy],
    ) -> Result<KeptExecutions, EngineError> {
        if earlier.is_empty() {
            return Ok(KeptExecutions::default());
        }
        let (panel, _) = check.panel()?;
        let executions = check.executions(&panel);
        kept::collect(check, &executions, earlier, &self.saving.folder.path()?)
    }

    /// Where a check is saved. On Slurm, nodes write into the session's folder, so that going on
    /// without one is not an option.
    fn saving_for(&self, executor: &Executor) -> Result<Saving, EngineError> {
        let saving = self.saving.clone();
        match executor {
            Executor::Local { .. } => Ok(saving),
            Executor::Slurm(_) if saving.is_off => Err(EngineError::usage(
                "--executor slurm keeps executions in the session's folder, where the nodes write \
                 them. Leave out --no-save, and choose that folder with --session-dir",
            )),
            Executor::Slurm(_) => {
                let folder = SessionFolder(Some(saving.folder.path()?));
                Ok(Saving { folder, ..saving })
            }
        }
    }

    fn begin_check(
        &mut self,
        check: &PreparedCheck<'_>,
        saving: &Saving,
        request: &Request,
    ) -> Result<Begun, EngineError> {
        let commands = check.commands();
        let about = About {
            request: request.clone(),
            words: self.words.clone().unwrap_or_else(|| request.words()),
            subjects: check.recipe().systems.iter().map(|system| system.name.clone()).collect(),
            commands: &commands,
            seed: check.seed(),
            folder: check.recipe().folder.clone(),
        };
        session::begin(saving, about, self.watch)
    }
}

/// Where seeds come from: as asked; or, so that nothing is repeated, where those of the latest study with
/// one of these systems do.
fn chosen_seed(options: &ExecutionOptions, earlier: &[EarlierStudy]) -> u64 {
    let before = earlier.first().map(|study| study.seed);
    options.seed.or(before).unwrap_or_else(fathom_sys::seed::fresh)
}

fn asked(request: &CheckRequest) -> Request {
    Request::Check(Box::new(request.clone()))
}

/// Goes on with a saved check. `sessions` is the folder of sessions.
pub(crate) fn resume(
    engine: &mut Engine<'_>,
    request: &CheckRequest,
    keeper: Keeper,
    sessions: &Path,
    session: &SavedSession,
) -> Result<Answer<CheckAnswer>, EngineError> {
    let SavedSession { runs, seed, .. } = session;
    let (runs, seed) = (runs.as_slice(), *seed);
    let check = PreparedCheck::of(request, engine.working_folder()?, seed)?;
    let Some(id) = keeper.id() else { return Err(EngineError::interrupted()) };
    let folder = saved_executions::folder(sessions, id.0);
    let OpenedJournal { mut journal, performed, torn, .. } = Journal::open(&folder)?;
    let request = asked(request);
    // One that was killed at its very beginning has no first line.
    journal.begin(&request.to_value())?;
    let torn = torn.map(|torn| {
        format!(
            "the last line of {} was cut off when Fathom was killed ({} bytes). That execution runs \
             again",
            journal.path().display(),
            torn.bytes
        )
    });
    let spent = saved_executions::spent(runs);
    let mut saved = SavedExecutions::new(keeper, Some(journal), spent);
    saved.catch_up(&performed, runs)?;
    let begin = Begin {
        saved,
        folder: Some(folder),
        environment: session.environment.clone(),
        before: performed,
        warnings: torn.into_iter().collect(),
        command_line: engine.asked_by(&request),
    };
    conduct(engine, &check, begin)
}

/// What a saved check says, as far as it ran. `sessions` is the folder of sessions. If the check is
/// looked at, the answer also says what the worst executions did over their time.
pub(crate) fn show(
    request: &CheckRequest,
    sessions: &Path,
    saved: &SavedSession,
    command_line: String,
    is_looked_at: bool,
) -> Result<CheckAnswer, EngineError> {
    let (id, seed) = (saved.id.0, saved.seed);
    let check = PreparedCheck::of(request, PathBuf::from(&saved.folder), seed)?;
    let folder = saved_executions::folder(sessions, id);
    let performed = Journal::read(&folder)?;
    let (mut panel, plan) = check.panel()?;
    if is_looked_at {
        panel.keep_worst(SHOWN_WORST);
    }
    let executions = check.executions(&panel);
    let unused = conduct::replay(&mut panel, &executions, performed)?;
    let caveats = programs::same_programs(&check);
    let circumstances = Circumstances {
        command_line,
        seed,
        session: Some(id),
        unused,
        stopped: conduct::stopped_of(&panel, &check),
        plan,
        is_given: false,
        origin: check.origin(),
        environment: saved.environment.clone(),
        recorded: check.recordings(Some(&folder)).as_deref().and_then(recorded_executions::of),
        caveats: caveats.into_iter().chain(programs::saved_caveat(sessions, id)).collect(),
        warnings: conduct::doubts(&check, &panel),
    };
    if panel.is_empty() {
        return Err(EngineError::usage(format!("session {id} has no finished execution to show")));
    }
    let report = joint_report(&mut panel, circumstances)?;
    Ok(CheckAnswer::of_commands(report, &check, &panel))
}

/// Performs one execution of a check on a node of a cluster, for the job script.
///
/// # Errors
/// There is no result. The kind holds the status with which the process must end.
pub fn perform_execution(folder: &Path, batch: u32, index: usize) -> Result<(), EngineError> {
    let laboratory = |folder: &Path| -> Result<Local, LaboratoryError> {
        Local::start("/proc/self/exe".as_ref(), folder)
    };
    Ok(perform_task(folder, batch, index, laboratory)?)
}
