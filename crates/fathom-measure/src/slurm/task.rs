//! One task of a job array: what runs on a node.

use super::session_folder::SessionFolder;
use crate::experiment::{FleetError, Scratch, perform};
use crate::laboratory::{Laboratory, LaboratoryError};
use fathom_record::Ending;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The status of a task that was asked to end. Fathom does not ask, so it is tried again.
pub(super) const EXIT_INTERRUPTED: i32 = 75;
/// The status of a task that does not find what it needs on its node.
pub(super) const EXIT_MISPLACED: i32 = 72;
/// The status of a task whose own part failed.
pub(super) const EXIT_BROKEN: i32 = 70;

/// After a command has ended, a signal for us as well is awaited for so long.
const DOUBT: Duration = Duration::from_millis(200);
/// If it ended badly, a signal is more likely.
const MORE_DOUBT: Duration = Duration::from_secs(2);

/// Why a task left no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Something that it needs is not on its node.
    #[error("{0}")]
    Misplaced(String),
    /// It was asked to end.
    #[error("interrupted")]
    Interrupted,
    /// Fathom's own part failed.
    #[error("{0}")]
    Broken(String),
}

impl TaskError {
    /// With which status the process must end: the controlling process reads it from Slurm.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        let status = match self {
            TaskError::Misplaced(_) => EXIT_MISPLACED,
            TaskError::Interrupted => EXIT_INTERRUPTED,
            TaskError::Broken(_) => EXIT_BROKEN,
        };
        u8::try_from(status).unwrap_or(u8::MAX)
    }
}

/// Performs task `index` of a batch and leaves its result in the session's folder. `laboratory`
/// gets the folder in which commands run.
///
/// # Errors
/// Something is missing on this node, it was asked to end, or Fathom's own part failed. An
/// execution that fails is a result.
pub fn perform_task<L: Laboratory>(
    folder: &Path,
    batch: u32,
    index: usize,
    laboratory: impl FnOnce(&Path) -> Result<L, LaboratoryError>,
) -> Result<(), TaskError> {
    let folder = SessionFolder::new(folder.to_path_buf());
    let unread = |what: &str, error: &io::Error| {
        let top = folder.top().display();
        TaskError::Misplaced(format!("cannot read {what} in {top} on this node: {error}"))
    };
    let work = folder.read_work().map_err(|error| unread("work.json", &error))?;
    let tickets =
        folder.tickets(batch).map_err(|error| unread(&format!("batch {batch}"), &error))?;
    let Some(&ticket) = tickets.get(index) else {
        let text =
            format!("batch {batch} has {} tickets, so there is no task {index}", tickets.len());
        return Err(TaskError::Broken(text));
    };
    // Another attempt may have been faster.
    if folder.result(ticket.number).exists() {
        return Ok(());
    }
    if !work.recipe.folder.is_dir() {
        let text = format!("{} is not a folder on this node", work.recipe.folder.display());
        return Err(TaskError::Misplaced(text));
    }
    // Slurm counts how often it restarted the task.
    let restarts = std::env::var("SLURM_RESTART_COUNT").unwrap_or_else(|_| "0".to_string());
    let scratch = match &work.kept {
        Some(kept) => Scratch::kept(kept),
        None => Scratch::temporary(folder.scratch(batch, &restarts)),
    };
    let mut laboratory =
        laboratory(&work.recipe.folder).map_err(|error| TaskError::Broken(error.to_string()))?;
    let mut performed =
        perform(&work.recipe, ticket, &scratch, &mut laboratory).map_err(|error| match error {
            FleetError::Interrupted => TaskError::Interrupted,
            FleetError::Broken(text) => TaskError::Broken(text),
        })?;
    // When Slurm ends a task it signals one process after the other, the command perhaps before
    // us. What came of such an execution is not its own doing.
    thread::sleep(if performed.ending == Some(Ending::Exited(0)) { DOUBT } else { MORE_DOUBT });
    if laboratory.is_interrupted() {
        return Err(TaskError::Interrupted);
    }
    // Slurm's name of the node is the one that its other commands understand.
    if let Ok(node) = std::env::var("SLURMD_NODENAME") {
        performed.host = node;
    }
    if let (Some(Ending::Signalled(9)), Err(failure)) = (performed.ending, &mut performed.outcome) {
        let hint = "If it needs a lot of memory, raise --slurm-memory.";
        failure.hint.get_or_insert_with(|| hint.to_string());
    }
    folder.write_result(&performed).map_err(|error| {
        let path = folder.result(ticket.number);
        TaskError::Broken(format!("cannot write {}: {error}", path.display()))
    })
}
