//! A recipe: what every execution of an experiment does, and what is read from it.

use crate::settings::Tolerated;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What may stand in braces in commands and paths: the execution's seed, its number from 1, and a
/// folder of its own.
pub(super) const NAMES: [&str; 3] = ["seed", "run", "dir"];

/// What every execution does. Kept as JSON, so that another process or node can perform one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
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
    /// execution writes; `{dir}`, `{run}` and `{seed}` are its own. "-" is its output.
    pub files: Vec<String>,
    /// The format of these files, `--input-format` as it was written; told from their content if it
    /// is not given.
    #[serde(default)]
    pub format: Option<String>,
    /// Which of their columns are read, `--column`; all if none is named.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Which endings besides exit status 0 are not failures, so that properties can use
    /// `exit_code`.
    #[serde(default)]
    pub tolerated: Tolerated,
    /// The processor that executions are bound to.
    #[serde(default)]
    pub cpu: Option<usize>,
    /// `--env-offset` as it was written.
    #[serde(default)]
    pub env_offset: Option<String>,
    /// The seed of random offsets.
    #[serde(default)]
    pub offset_seed: u64,
    /// Whether what an execution prints is kept with what was seen of it, so that other metrics can be
    /// read from it later.
    #[serde(default)]
    pub keeps_output: bool,
}

/// One of the systems whose executions are looked at.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct System {
    /// What properties and reports call it.
    pub name: String,
    /// The command's words, in which `{seed}`, `{run}` and `{dir}` are those of the execution. With
    /// a shell, these are the shell, `-c` and one text.
    pub words: Vec<String>,
    /// A command that a shell runs before every execution. It has the same placeholders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare: Option<String>,
}
