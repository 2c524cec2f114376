//! The program's own metrics.

use crate::command_line::CommandLine;
use serde::{Deserialize, Serialize};

/// The program's own metrics.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ApplicationOptions {
    /// Numbers to read from its lines: `NAME=REGEX`, `NAME=json:PATH`, `NAME=last-number`.
    pub metrics: Vec<String>,
    /// Whether every number in lines that are JSON objects is read.
    pub json: bool,
    /// Where lines or metrics come from: `stdout`, `pipe`, `pipe:PATH`, a log file, an address.
    pub sources: Vec<String>,
}

impl ApplicationOptions {
    pub(super) fn write(&self, line: &mut CommandLine) {
        line.repeated("--app-metric", &self.metrics);
        line.switch("--app-json", self.json);
        line.repeated("--app-from", &self.sources);
    }
}
