//! Where are the anomalies?

use crate::TraceFiles;
use crate::command_line::CommandLine;
use serde::{Deserialize, Serialize};

/// Proposes windows that are worth explaining: of a metric, or of all metrics together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SuggestRequest {
    /// The traces.
    pub traces: TraceFiles,
    /// The metric to look at; where many metrics depart from their level at once, if it is not set.
    pub target: Option<String>,
    /// The run to look at; the first that has the target if it is not set.
    pub run: Option<String>,
}

impl SuggestRequest {
    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("explain");
        self.traces.write(&mut line);
        line.optional("--target", self.target.as_ref());
        line.optional("--run", self.run.as_ref());
        line.switch("--suggest", true);
        line.finish()
    }
}
