//! How a command is run, whether it is timed or recorded.

use crate::command_line::CommandLine;
use crate::value::{OptionValue, as_text, as_texts_or_none};
use fathom_measure::{Input, Output, Tolerated};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a command is run, whether it is timed or recorded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CommandOptions {
    /// The shell that runs the command; none if it is not set.
    pub shell: Option<String>,
    /// Failures after which the next run starts anyway.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub ignore_failure: Tolerated,
    /// How long a run may take.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timeout: Option<Duration>,
    /// Where the command's output goes.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub output: Output,
    /// What the command reads.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub input: Input,
    /// The processor that the command is bound to.
    pub cpu: Option<usize>,
}

impl CommandOptions {
    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.optional("--shell", self.shell.as_ref());
        if self.ignore_failure != Tolerated::Nothing {
            line.attached("--ignore-failure", &self.ignore_failure.text());
        }
        line.optional("--timeout", self.timeout.as_ref());
        line.value("--stdout", &self.output, &Output::Null);
        line.value("--input", &self.input, &Input::Null);
        line.optional("--cpu", self.cpu.as_ref());
    }
}
