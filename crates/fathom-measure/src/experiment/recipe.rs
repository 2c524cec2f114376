//! A recipe: what every execution of an experiment does, and what is read from it.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What every execution does. Kept as JSON, so that another process or node can perform one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// What is executed; a ticket says which.
    pub systems: Vec<System>,
    /// The folder in which commands run.
    pub folder: PathBuf,
    /// How long an execution may take; then it is cut.
    pub timeout: Option<Duration>,
    /// `--metric` options as they were written.
    pub metrics: Vec<String>,
    /// `--read` options as they were written: files of signals, events and scalars that an
    /// execution writes; `{dir}`, `{run}` and `{seed}` stand for its own. "-" is its output.
    pub files: Vec<String>,
}

/// One of the systems whose executions are looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct System {
    /// What properties and reports call it.
    pub name: String,
    /// The command's words, in which `{seed}`, `{run}` and `{dir}` stand for those of the
    /// execution. With a shell, these are the shell, `-c` and one text.
    pub words: Vec<String>,
}
