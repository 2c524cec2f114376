//! What does it do while it runs?

mod application;
mod recorded_command;
mod sampling;

pub use application::ApplicationOptions;
pub use recorded_command::RecordedCommandOptions;
pub use sampling::SamplingOptions;

use crate::command_line::CommandLine;
use crate::value::as_texts_or_none;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Records many metrics over time while a program runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RecordRequest {
    /// The command and its arguments; empty to record a running process.
    pub command: Vec<String>,
    /// The running process to record.
    pub pid: Option<u32>,
    /// How long to record the process in each run; until it ends if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub duration: Option<Duration>,
    /// What is sampled, how often, in how many runs.
    pub sampling: SamplingOptions,
    /// The program's own metrics.
    pub application: ApplicationOptions,
    /// Metrics that are computed from others: `NAME=EXPRESSION`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// How the command is run.
    pub running: RecordedCommandOptions,
}

impl RecordRequest {
    /// What is recorded, in words: the command, or "process 4711".
    #[must_use]
    pub fn subject(&self) -> String {
        match self.pid {
            Some(pid) => format!("process {pid}"),
            None => self.command.join(" "),
        }
    }

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("record");
        line.optional("--pid", self.pid.as_ref());
        line.optional("--duration", self.duration.as_ref());
        self.sampling.write(&mut line);
        self.application.write(&mut line);
        line.repeated("--derive", &self.derived);
        self.running.write(&mut line);
        line.behind_dashes(&self.command);
        line.finish()
    }
}
