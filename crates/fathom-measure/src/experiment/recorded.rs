//! Records executions while they run, each into a trace folder of its own.

use super::scratch::folder_name;
use super::{Recipe, Ticket};
use crate::laboratory::{Execution, Invocation, LaboratoryError};
use crate::local::Local;
use crate::recording::{PlanError, RecordError, Recorder, RecordingOptions, offers, plan};
use fathom_record::trace::RecordingPlan;
use fathom_record::{Environment, Provenance, utc};
use fathom_sys::clock;
use fathom_sys::probes::sources;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How executions are recorded.
#[derive(Debug, Clone)]
pub struct ExecutionRecording {
    folder: PathBuf,
    plan: RecordingPlan,
    environment: Environment,
}

impl ExecutionRecording {
    /// Records all that this machine offers, in one run, into trace folders in this folder: `run-000012`
    /// for the execution whose `{run}` is 12, with the name of the system if there are several.
    ///
    /// # Errors
    /// The interval is too short, or this machine offers nothing.
    pub fn new(
        folder: PathBuf,
        interval: Duration,
        environment: Environment,
    ) -> Result<ExecutionRecording, PlanError> {
        let options = RecordingOptions { interval, runs: Some(1), ..RecordingOptions::default() };
        let plan = plan(&offers(&sources()), &options)?;
        Ok(ExecutionRecording { folder, plan, environment })
    }

    /// Where the trace folders are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Executes a command and records it. What an earlier attempt left is replaced. An execution that is
    /// called off leaves nothing.
    pub(super) fn execute(
        &self,
        recipe: &Recipe,
        ticket: Ticket,
        local: &mut Local,
        invocation: &Invocation,
    ) -> Result<Execution, LaboratoryError> {
        let broken = |error: RecordError| match error {
            RecordError::Interrupted => LaboratoryError::Interrupted,
            RecordError::CannotStart(why) => LaboratoryError::CannotStart(why),
            error => LaboratoryError::Broken(format!(
                "run {} cannot be recorded: {error}",
                ticket.number.saturating_add(1)
            )),
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            let folder = self.folder.display();
            LaboratoryError::Broken(format!("cannot create the folder {folder}: {error}"))
        })?;
        let folder = self.folder.join(folder_name(recipe, ticket));
        // Of an execution that was killed together with Fathom.
        if folder.exists() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        let sources = sources();
        let words = invocation.words.clone();
        let environment = self.environment_now();
        let recorder =
            Recorder::create(&folder, false, words, environment, &self.plan, &sources, None);
        let mut recorder = recorder.map_err(broken)?;
        let recorded = recorder.record_execution(0, local, invocation, &mut |_| {});
        let (_, execution) = recorded.map_err(broken)?;
        drop(recorder);
        execution.ok_or_else(|| {
            let _ = std::fs::remove_dir_all(&folder);
            LaboratoryError::Interrupted
        })
    }

    /// Every execution has a beginning of its own.
    fn environment_now(&self) -> Environment {
        let seconds = u64::try_from(clock::wall().nanoseconds() / 1_000_000_000).unwrap_or(0);
        let measured = self.environment.measured.as_deref().cloned();
        let measured =
            measured.map(|measured| Box::new(Provenance { at: utc(seconds), ..measured }));
        Environment { measured, ..self.environment.clone() }
    }
}
