//! Why does it do that?

mod alignment;
mod ranking;

pub use alignment::{AlignmentOptions, AlignmentPenalty};
pub use ranking::RankingOptions;

use crate::command_line::CommandLine;
use crate::{RunSpan, TraceFiles, TypedSpan};
use serde::{Deserialize, Serialize};

/// Finds the metrics behind an anomaly of the target.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ExplainRequest {
    /// The traces.
    pub traces: TraceFiles,
    /// The metric with the anomaly.
    pub target: String,
    /// The run that the windows are in; the first that has the target if it is not set.
    pub run: Option<String>,
    /// The windows with the anomaly; all of the target if there are none.
    pub windows: Vec<TypedSpan>,
    /// What the windows are compared with; everything before them if it is not set.
    pub against: Option<TypedSpan>,
    /// Windows of single runs, which are not aligned then.
    pub run_windows: Vec<RunSpan>,
    /// What the windows of these runs are compared with.
    pub run_baselines: Vec<RunSpan>,
    /// How runs are aligned.
    pub alignment: AlignmentOptions,
    /// How metrics are ranked.
    pub ranking: RankingOptions,
}

impl ExplainRequest {
    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.words_after("explain")
    }

    /// The words after `fathom` that open the same question in the browser.
    #[must_use]
    pub fn ui_words(&self) -> Vec<String> {
        self.words_after("ui")
    }

    fn words_after(&self, command: &str) -> Vec<String> {
        let mut line = CommandLine::new(command);
        self.traces.write(&mut line);
        line.optional("--target", Some(&self.target));
        line.optional("--run", self.run.as_ref());
        line.repeated("--window", &self.windows);
        line.repeated("--window", &self.run_windows);
        line.optional("--against", self.against.as_ref());
        line.repeated("--against", &self.run_baselines);
        self.alignment.write(&mut line);
        self.ranking.write(&mut line);
        line.finish()
    }
}
