//! What was recorded, and how each run ended.

use super::Manifest;
use crate::{Ending, Usage};
use std::path::PathBuf;
use std::time::Duration;

/// What was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Where it is.
    pub folder: PathBuf,
    /// What is in it.
    pub manifest: Manifest,
    /// How each run ended.
    pub outcomes: Vec<RunOutcome>,
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
