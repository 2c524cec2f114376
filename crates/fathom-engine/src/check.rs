//! Does it keep its promise? Executions until enough of them satisfy a property, or do not.

mod adjustments;
mod answer;
mod conduct;
mod data;
mod expectation;
mod fleet;
mod judge;
mod plan_document;
mod prepared;
mod programs;
mod question;
mod repeats;
mod report;
mod sameness;
mod sampling;
mod saved_executions;
mod systems;
#[cfg(test)]
mod tests;

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
use fathom_record::Run;
use fathom_request::{CheckRequest, ExecutionSource, Executor, Request};
use prepared::PreparedCheck;
use report::{Circumstances, report};
use saved_executions::SavedExecutions;
pub(crate) use saved_executions::folder as executions_folder;
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Engine<'_> {
    /// Checks whether enough executions satisfy a property, or estimates the value that enough of
    /// them stay within.
    ///
    /// # Errors
    /// The request is wrong, an execution failed, or none ended. That the user ended it stands in the
    /// answer.
    pub fn check(&mut self, request: &CheckRequest) -> Result<Answer<CheckAnswer>, EngineError> {
        let options = match &request.executions {
            ExecutionSource::Commands(options) => options,
            ExecutionSource::Data { files, rows } => {
                let command_line = self.asked_by(&asked(request));
                return data::check(request, files, *rows, command_line);
            }
        };
        let seed = options.seed.unwrap_or_else(fathom_sys::seed::fresh);
        let check = PreparedCheck::of(request, self.working_folder()?, seed)?;
        let saving = self.saving_for(&options.executor)?;
        systems::find_programs(check.recipe())?;
        let request = asked(request);
        let Begun { keeper, warning } = self.begin_check(&check, &saving, &request)?;
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
        let begin = Begin {
            saved: SavedExecutions::new(keeper, journal, Duration::ZERO),
            folder,
            before: Vec::new(),
            warnings: warning.into_iter().collect(),
            command_line: self.asked_by(&request),
        };
        conduct(self, &check, begin)
    }

    /// What a check would run, and how many executions to expect. Nothing runs.
    ///
    /// # Errors
    /// The request is wrong, or runs nothing in any case.
    pub fn check_plan(&mut self, request: &CheckRequest) -> Result<CheckPlan, EngineError> {
        let seed = match &request.executions {
            ExecutionSource::Commands(options) => options.seed,
            ExecutionSource::Data { .. } => None,
        };
        let seed = seed.unwrap_or_else(fathom_sys::seed::fresh);
        let check = PreparedCheck::of(request, self.working_folder()?, seed)?;
        expectation::plan(&check)
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

fn asked(request: &CheckRequest) -> Request {
    Request::Check(Box::new(request.clone()))
}

/// Goes on with a saved check. `sessions` is the folder of sessions, `runs` are those of the session
/// in the store.
pub(crate) fn resume(
    engine: &mut Engine<'_>,
    request: &CheckRequest,
    keeper: Keeper,
    sessions: &Path,
    runs: &[Run],
    seed: u64,
) -> Result<Answer<CheckAnswer>, EngineError> {
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
        before: performed,
        warnings: torn.into_iter().collect(),
        command_line: engine.asked_by(&request),
    };
    conduct(engine, &check, begin)
}

/// What a saved check says, as far as it ran. `sessions` is the folder of sessions.
pub(crate) fn show(
    request: &CheckRequest,
    sessions: &Path,
    saved: &SavedSession,
    command_line: String,
) -> Result<CheckAnswer, EngineError> {
    let (id, seed) = (saved.id.0, saved.seed);
    let check = PreparedCheck::of(request, PathBuf::from(&saved.folder), seed)?;
    let performed = Journal::read(&saved_executions::folder(sessions, id))?;
    let (mut judge, plan) = check.judge()?;
    let unused = conduct::replay(&mut judge, performed)?;
    let caveats = programs::same_programs(&check);
    let circumstances = Circumstances {
        command_line,
        seed,
        session: Some(id),
        unused,
        stopped: conduct::stopped_of(&judge, &check),
        plan,
        is_given: false,
        origin: check.origin(),
        caveats: caveats.into_iter().chain(programs::saved_caveat(sessions, id)).collect(),
        warnings: conduct::doubts(&check, &judge),
    };
    let report = report(&judge, circumstances)?;
    if report.judged.is_empty() {
        return Err(EngineError::usage(format!("session {id} has no finished execution to show")));
    }
    Ok(CheckAnswer::of_commands(report, &check, &judge))
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
