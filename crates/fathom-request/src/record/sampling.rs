//! What is sampled, how often, in how many runs.

use crate::command_line::CommandLine;
use crate::value::as_text;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is sampled, how often, in how many runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SamplingOptions {
    /// The time between two samples.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub every: Duration,
    /// Only these probes; all that this machine has if none is named.
    pub probes: Vec<String>,
    /// Probes, separated by commas, that are recorded together in a run of their own.
    pub groups: Vec<String>,
    /// Events to count in every run, by the names that the kernel gives them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// How often the command is run; once for each group of probes if it is not set.
    pub runs: Option<u32>,
    /// The metric that every run has, used to align runs.
    pub common: Option<String>,
}

impl SamplingOptions {
    const EVERY: Duration = Duration::from_millis(10);

    pub(super) fn write(&self, line: &mut CommandLine) {
        line.value("--every", &self.every, &SamplingOptions::EVERY);
        line.repeated("--probe", &self.probes);
        line.repeated("--group", &self.groups);
        line.repeated("--event", &self.events);
        line.optional("--runs", self.runs.as_ref());
        line.optional("--common", self.common.as_ref());
    }
}

impl Default for SamplingOptions {
    fn default() -> SamplingOptions {
        SamplingOptions {
            every: SamplingOptions::EVERY,
            probes: Vec::new(),
            groups: Vec::new(),
            events: Vec::new(),
            runs: None,
            common: None,
        }
    }
}
