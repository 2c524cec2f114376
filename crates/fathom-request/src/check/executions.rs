//! Where executions come from: commands that Fathom runs, or files.

use super::{ExecutionBudget, Executor, GridOptions};
use crate::command_line::CommandLine;
use crate::value::{OptionValue, as_text, as_texts_or_none};
use fathom_formats::RowsAre;
use fathom_measure::{EnvironmentOffset, Tolerated};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How often executions are sampled that are recorded, unless the user says otherwise.
pub const SAMPLED_EVERY: Duration = Duration::from_millis(10);

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
        /// The column with the group of each execution; every group has answers of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group_by: Option<String>,
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
    /// How often each execution is sampled while it runs; executions are not recorded if it is not set.
    #[serde(with = "as_texts_or_none", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub record: Option<Duration>,
    /// The seed from which every `{seed}` follows; a new one if it is not set.
    pub seed: Option<u64>,
    /// Parameters of the commands, of which every combination is asked the same.
    #[serde(skip_serializing_if = "GridOptions::is_empty")]
    pub grid: GridOptions,
    /// Whether executions with the same place in two systems or cells have the same seed.
    #[serde(skip_serializing_if = "is_false")]
    pub shared_seeds: bool,
    /// Executions of each command that run first and do not count.
    #[serde(skip_serializing_if = "is_zero")]
    pub warmup: u64,
    /// The command that a shell runs before every execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prepare: Option<String>,
    /// The processor that executions are bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<usize>,
    /// How the size of the environment varies.
    #[serde(with = "as_texts_or_none", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub env_offset: Option<EnvironmentOffset>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
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
    /// Whether commands have parameters, so that there is a grid.
    #[must_use]
    pub fn has_grid(&self) -> bool {
        match self {
            ExecutionSource::Commands(options) => !options.grid.is_empty(),
            ExecutionSource::Data { .. } => false,
        }
    }

    pub(super) fn write(&self, line: &mut CommandLine) {
        match self {
            ExecutionSource::Commands(options) => options.write(line),
            ExecutionSource::Data { files, rows, group_by } => {
                line.optional("--rows", rows.as_ref());
                line.optional("--group-by", group_by.as_ref());
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
        line.switch("--record", self.record.is_some());
        line.optional("--every", self.record.filter(|every| *every != SAMPLED_EVERY).as_ref());
        line.optional("--seed", self.seed.as_ref());
        line.switch("--shared-seeds", self.shared_seeds);
        line.value("--warmup", &self.warmup, &0);
        line.optional("--prepare", self.prepare.as_ref());
        line.optional("--cpu", self.cpu.as_ref());
        line.optional("--env-offset", self.env_offset.as_ref());
        self.grid.write(line);
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
