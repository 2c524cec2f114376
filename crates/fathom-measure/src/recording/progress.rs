//! How far a recording is.

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
