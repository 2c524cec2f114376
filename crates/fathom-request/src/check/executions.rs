//! Where executions come from: commands that Fathom runs, or files.

use super::{ExecutionBudget, Executor};
use crate::command_line::CommandLine;
use crate::value::{OptionValue, as_text, as_texts_or_none};
use fathom_formats::RowsAre;
use fathom_measure::Tolerated;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Where executions come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExecutionSource {
    /// Commands that Fathom runs.
    Commands(Box<ExecutionOptions>),
    /// Files with executions that ran elsewhere.
    Data {
        /// Files and folders; with several systems, `NAME=FILE`.
        files: Vec<String>,
        /// What the rows of a table are that looks like a trace.
        #[serde(default, with = "as_texts_or_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
        rows: Option<RowsAre>,
    },
}

impl Default for ExecutionSource {
    fn default() -> ExecutionSource {
        ExecutionSource::Commands(Box::default())
    }
}

/// How Fathom runs executions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ExecutionOptions {
    /// What is executed.
    pub systems: SystemOptions,
    /// The shell that runs the commands; none if it is not set.
    pub shell: Option<String>,
    /// Numbers to read from an execution's output, `NAME=HOW`.
    pub metrics: Vec<String>,
    /// Files to read that an execution writes.
    pub files: Vec<String>,
    /// How many executions there may be.
    pub budget: ExecutionBudget,
    /// Exit codes that do not count as failures.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub ignore_failure: Tolerated,
    /// How long an execution may take before it is cut off.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timeout: Option<Duration>,
    /// Where executions run.
    pub executor: Executor,
    /// Where each execution's folder and output are kept.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub keep_files: Option<PathBuf>,
    /// The seed from which every `{seed}` follows; a new one if it is not set.
    pub seed: Option<u64>,
}

/// What is executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SystemOptions {
    /// One command, as words.
    Command(Vec<String>),
    /// Several systems, which a property refers to by name.
    Several(Vec<NamedCommand>),
}

impl Default for SystemOptions {
    fn default() -> SystemOptions {
        SystemOptions::Command(Vec::new())
    }
}

/// A system's name and its command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedCommand {
    /// The name.
    pub name: String,
    /// The command, as a line.
    pub command: String,
}

impl ExecutionSource {
    pub(super) fn write(&self, line: &mut CommandLine) {
        match self {
            ExecutionSource::Commands(options) => options.write(line),
            ExecutionSource::Data { files, rows } => {
                line.optional("--rows", rows.as_ref());
                if files.iter().any(|file| file.starts_with('-') || file.is_empty()) {
                    line.repeated("--data", files);
                } else if !files.is_empty() {
                    line.several("--data", files.iter().map(String::as_str));
                }
            }
        }
    }
}

impl ExecutionOptions {
    fn write(&self, line: &mut CommandLine) {
        self.budget.write(line);
        line.optional("--shell", self.shell.as_ref());
        line.repeated("--metric", &self.metrics);
        line.repeated("--read", &self.files);
        if self.ignore_failure != Tolerated::Nothing {
            line.attached("--ignore-failure", &self.ignore_failure.text());
        }
        line.optional("--timeout", self.timeout.as_ref());
        self.executor.write(line);
        line.optional("--keep-files", self.keep_files.as_ref());
        line.optional("--seed", self.seed.as_ref());
        match &self.systems {
            SystemOptions::Command(words) => line.behind_dashes(words),
            SystemOptions::Several(systems) => {
                let texts = systems
                    .iter()
                    .map(|NamedCommand { name, command }| format!("{name}={command}"));
                line.repeated("--system", &texts.collect::<Vec<String>>());
            }
        }
    }
}
