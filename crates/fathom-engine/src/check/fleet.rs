//! Where the executions of a check run: on this machine, or on a cluster.

use super::prepared::PreparedCheck;
use crate::EngineError;
use fathom_measure::experiment::{ExecutionRecording, Fleet, LocalFleet, Scratch};
use fathom_measure::slurm::{Pace, SlurmFleet};
use fathom_record::Environment;
use fathom_request::Executor;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where traces of executions are: with their other files if the user keeps those, or in the folder of
/// the session's executions.
pub(super) fn recordings(kept: Option<&Path>, folder: Option<&Path>) -> Option<PathBuf> {
    kept.or(folder).map(|folder| folder.join("traces"))
}

/// Where executions run.
pub(super) enum CheckFleet {
    Local {
        fleet: Box<LocalFleet>,
        /// Removed when it is dropped, after the fleet.
        _temporary: Option<tempfile::TempDir>,
    },
    Slurm(Box<SlurmFleet>),
}

impl CheckFleet {
    /// `folder` is that of the session's executions, `environment` says with what they are measured, `done`
    /// are the numbers of those that ran before: in this session, or in another if this one is new.
    pub(super) fn of(
        check: &PreparedCheck<'_>,
        folder: Option<&Path>,
        environment: &Environment,
        done: &BTreeSet<u64>,
        is_new: bool,
    ) -> Result<CheckFleet, EngineError> {
        let options = check.options();
        let kept = options.keep_files.as_ref().map(|kept| check.recipe().folder.join(kept));
        let kept = kept.as_deref();
        if let (Some(kept), true) = (kept, is_new) {
            Scratch::kept(kept).check_empty()?;
        }
        let recipe = check.recipe();
        let jobs = match (&options.executor, folder) {
            (Executor::Local { jobs }, _) => *jobs,
            (Executor::Slurm(settings), Some(folder)) => {
                let program = std::env::current_exe().map_err(|error| {
                    let message = format!("the path of Fathom itself is not known ({error})");
                    EngineError::file(message, error)
                })?;
                let options = settings.slurm_options();
                let pace = Pace::default();
                let fleet =
                    SlurmFleet::resume(recipe, folder, options, &program, kept, pace, done)?;
                return Ok(CheckFleet::Slurm(Box::new(fleet)));
            }
            (Executor::Slurm(_), None) => {
                return Err(EngineError::usage(
                    "--executor slurm needs a folder of sessions. Choose one with --session-dir",
                ));
            }
        };
        let (scratch, temporary) = match (kept, folder) {
            (Some(kept), _) => (Scratch::kept(kept), None),
            (None, Some(folder)) => (Scratch::temporary(folder.join("scratch")), None),
            (None, None) => {
                let temporary = tempfile::tempdir().map_err(|error| {
                    let message = format!("cannot make a temporary folder ({error}). Set TMPDIR");
                    EngineError::file(message, error)
                })?;
                (Scratch::temporary(temporary.path()), Some(temporary))
            }
        };
        let program = "/proc/self/exe".as_ref();
        let recording = match options.record {
            None => None,
            Some(every) => {
                let folder = recordings(kept, folder).ok_or_else(|| {
                    EngineError::usage(
                        "--record keeps traces in the session's folder. Leave out --no-save, or name a \
                         folder with --keep-files",
                    )
                })?;
                Some(ExecutionRecording::new(folder, every, environment.clone())?)
            }
        };
        let jobs = usize::from(jobs);
        let fleet = LocalFleet::recorded(recipe.clone(), program, jobs, scratch, recording)?;
        Ok(CheckFleet::Local { fleet: Box::new(fleet), _temporary: temporary })
    }

    pub(super) fn fleet(&mut self) -> &mut dyn Fleet {
        match self {
            CheckFleet::Local { fleet, .. } => fleet.as_mut(),
            CheckFleet::Slurm(fleet) => fleet.as_mut(),
        }
    }

    /// The numbers of executions that run already, in a session that goes on.
    pub(super) fn under_way(&self) -> BTreeSet<u64> {
        match self {
            CheckFleet::Local { .. } => BTreeSet::new(),
            CheckFleet::Slurm(fleet) => {
                fleet.under_way().iter().map(|ticket| ticket.number).collect()
            }
        }
    }

    /// Executions that were lost on the way.
    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            CheckFleet::Local { .. } => Vec::new(),
            CheckFleet::Slurm(fleet) => fleet
                .losses()
                .iter()
                .map(|loss| {
                    format!("run {} was lost ({}) and ran again", loss.ticket.number + 1, loss.why)
                })
                .collect(),
        }
    }
}
