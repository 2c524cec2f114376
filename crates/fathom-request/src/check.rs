//! Does it keep its promise?

mod budget;
mod executions;
mod executor;
mod question;
mod reading;

pub use budget::ExecutionBudget;
pub use executions::{ExecutionOptions, ExecutionSource, NamedCommand, SystemOptions};
pub use executor::{Executor, ExecutorName, SlurmSettings};
pub use question::{
    CheckMethod, CheckQuestion, EstimateQuestion, Indifference, PropertyMethod, PropertyQuestion,
    Vacuous,
};
pub use reading::{Frequency, MetricUnit, OnFailure, ReadingOptions};

use crate::command_line::CommandLine;
use crate::value::as_text;
use fathom_stats::{Confidence, Probability};
use serde::{Deserialize, Serialize};

/// Checks whether enough executions satisfy a property, or estimates the value that enough of them
/// stay within.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CheckRequest {
    /// What is asked about the executions. A stored request names its kind `question`, so this has
    /// another name there.
    #[serde(rename = "about")]
    pub question: CheckQuestion,
    /// The share of all executions that is enough.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub probability: Probability,
    /// The confidence of the answer.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub confidence: Confidence,
    /// Where executions come from.
    pub executions: ExecutionSource,
    /// How files and numbers of an execution are understood.
    pub reading: ReadingOptions,
    /// What happens when an execution fails.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub on_failure: OnFailure,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            question: CheckQuestion::default(),
            probability: Probability::P90,
            confidence: Confidence::DEFAULT,
            executions: ExecutionSource::default(),
            reading: ReadingOptions::default(),
            on_failure: OnFailure::default(),
        }
    }
}

impl CheckRequest {
    /// Whether more executions may run after the answer was seen: only if the error of the answer
    /// holds at every look, and the number of executions was not fixed.
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        let is_fixed = match &self.executions {
            ExecutionSource::Commands(options) => {
                matches!(options.budget, ExecutionBudget::Exactly(_))
            }
            ExecutionSource::Data { .. } => true,
        };
        !is_fixed && self.question.holds_at_every_look()
    }

    /// The same, with at most this many executions.
    #[must_use]
    pub fn with_max_runs(mut self, most: u64) -> CheckRequest {
        if let ExecutionSource::Commands(options) = &mut self.executions {
            let time = match options.budget {
                ExecutionBudget::AtMost { time, .. } => time,
                ExecutionBudget::Exactly(_) => None,
            };
            options.budget = ExecutionBudget::AtMost { runs: Some(most), time };
        }
        self
    }

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let usual = CheckRequest::default();
        let mut line = CommandLine::new("check");
        self.question.write(&mut line);
        line.value("--probability", &self.probability, &usual.probability);
        line.value("--confidence", &self.confidence, &usual.confidence);
        self.reading.write(&mut line);
        line.value("--on-failure", &self.on_failure, &usual.on_failure);
        self.executions.write(&mut line);
        line.finish()
    }
}
