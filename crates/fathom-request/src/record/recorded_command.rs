//! How the recorded command is run.

use crate::CommandOptions;
use crate::command_line::CommandLine;
use serde::{Deserialize, Serialize};

/// How the recorded command is run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RecordedCommandOptions {
    /// A command for a shell before every run.
    pub prepare: Option<String>,
    /// A command for a shell after every run.
    pub conclude: Option<String>,
    /// How the command itself is run.
    #[serde(flatten)]
    pub command: CommandOptions,
}

impl RecordedCommandOptions {
    pub(super) fn write(&self, line: &mut CommandLine) {
        line.optional("--prepare", self.prepare.as_ref());
        line.optional("--conclude", self.conclude.as_ref());
        self.command.write(line);
    }
}
