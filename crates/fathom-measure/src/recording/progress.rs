//! How far a recording is.

use fathom_record::{Ending, Usage};
use std::time::Duration;

/// How far a recording is, while a run goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingProgress {
    /// Which run, from 1.
    pub run: usize,
    /// Of how many.
    pub runs: usize,
    /// What is recorded in it.
    pub group: String,
    /// How long it has taken so far.
    pub elapsed: Duration,
    /// Rows so far, of all samplers.
    pub samples: u64,
    /// What recording takes, as a share of one processor.
    pub share: f64,
    /// Why nothing more is recorded, while the command goes on.
    pub trouble: Option<String>,
}

/// A run that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutcome {
    /// "run-1".
    pub id: String,
    /// How long it took.
    pub length: Duration,
    /// How the command ended; `None` if it was not started by Fathom, or interrupted.
    pub ending: Option<Ending>,
    /// What it cost, as the kernel accounts for it.
    pub usage: Option<Usage>,
    /// Whether the user wanted to stop.
    pub interrupted: bool,
    /// Why recording stopped before the command did: the disk is full. There is no use in more runs.
    pub trouble: Option<String>,
    /// The last lines of the command's standard error, where that was not shown.
    pub said: Vec<String>,
    /// What a reader should know; also in the manifest.
    pub notes: Vec<String>,
}
