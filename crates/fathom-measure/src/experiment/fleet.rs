//! A fleet: where numbered executions are performed, one or many at a time.

use fathom_record::{Ending, Observation, Usage};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// One execution to perform. Everything random in it follows from its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ticket {
    /// Its number, from 0, in the order in which executions count. Never the order in which they
    /// end: that would favour the fast ones.
    pub number: u64,
    /// Which system, from 0.
    pub system: usize,
    /// The value of `{seed}`.
    pub seed: u32,
}

/// An execution that was performed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Performed {
    /// Which.
    pub ticket: Ticket,
    /// Where.
    pub host: String,
    /// How it ended; `None` if it could not be started.
    pub ending: Option<Ending>,
    /// What it cost.
    pub usage: Usage,
    /// What was seen, or what went wrong.
    pub outcome: Result<Observation, ExecutionFailure>,
    /// What it printed, if that is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The session that performed it, if that was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<i64>,
}

/// Why an execution gave nothing to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{how}")]
pub struct ExecutionFailure {
    /// "exited with status 3", "was killed by signal 9", "printed no number for ipc".
    pub how: String,
    /// The last lines it wrote to standard error.
    pub said: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
}

/// Where executions are performed.
pub trait Fleet {
    /// How many executions it wants to have under way.
    fn width(&self) -> usize;

    /// How many it wants to be given at once, so that a queue is not asked for every single one.
    fn batch(&self) -> usize {
        1
    }

    /// Begins executions. They may wait in line.
    fn start(&mut self, tickets: &[Ticket]) -> Result<(), FleetError>;

    /// Waits until one of those under way is done, whichever it is; `None` if none is under way,
    /// or at the deadline. While it waits it calls `watch` several times a second with how things
    /// stand ("4 running", "job 17: 3 running, 12 waiting").
    fn next(
        &mut self,
        deadline: Option<Instant>,
        watch: &mut dyn FnMut(&str),
    ) -> Result<Option<Performed>, FleetError>;

    /// Stops all that is under way; says how many executions that were.
    fn cancel(&mut self) -> Result<usize, FleetError>;
}

/// Why a fleet cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// What failed and what to do.
    #[error("{0}")]
    Broken(String),
}
