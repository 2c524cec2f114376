//! How commands are run.

use crate::command_line::CommandLine;
use crate::value::{as_texts, as_texts_or_none};
use crate::{CommandOptions, MetricOption};
use fathom_measure::EnvironmentOffset;
use fathom_record::Metric;
use serde::{Deserialize, Serialize};

/// How commands are run, and which metrics are judged.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RunningOptions {
    /// Runs of each command that do not count; each question has a default.
    pub warmup: Option<usize>,
    /// Commands for a shell before the first run of a command: one for all, or one each.
    pub setup: Vec<String>,
    /// Before every run.
    pub prepare: Vec<String>,
    /// After every run.
    pub conclude: Vec<String>,
    /// After the last run of a command.
    pub cleanup: Vec<String>,
    /// Between any two runs.
    pub between: Option<String>,
    /// How each command itself is run.
    #[serde(flatten)]
    pub command: CommandOptions,
    /// How the size of the environment varies.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub env_offset: Option<EnvironmentOffset>,
    /// What the kernel counts.
    pub counters: Vec<String>,
    /// What is read from the commands' output.
    pub metrics: Vec<MetricOption>,
    /// What is judged; wall time, and everything in `metrics`, if nothing is named.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub on: Vec<Metric>,
}

impl RunningOptions {
    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.optional("--warmup", self.warmup.as_ref());
        line.repeated("--setup", &self.setup);
        line.repeated("--prepare", &self.prepare);
        line.repeated("--conclude", &self.conclude);
        line.repeated("--cleanup", &self.cleanup);
        line.optional("--between", self.between.as_ref());
        self.command.write(line);
        line.optional("--env-offset", self.env_offset.as_ref());
        if !self.counters.is_empty() {
            line.attached("--counters", &self.counters.join(","));
        }
        line.repeated("--metric", &self.metrics);
        line.repeated("--on", &self.on);
    }
}
