//! Does it keep its promise?

mod budget;
mod executions;
mod executor;
mod grid;
mod question;
mod reading;

pub use budget::ExecutionBudget;
pub use executions::{
    ExecutionOptions, ExecutionSource, NamedCommand, SAMPLED_EVERY, SystemOptions,
};
pub use executor::{Executor, ExecutorName, SlurmSettings};
pub use grid::GridOptions;
pub use question::{
    CheckMethod, CheckQuestion, EstimateQuestion, Indifference, PropertyMethod, PropertyQuestion,
    Vacuous, name_and_text,
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
    /// What is asked about the executions, one question or several: properties first, then estimates.
    /// A stored request names its kind `question`, so this has another name there.
    #[serde(rename = "about", with = "question::as_list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<CheckQuestion>"))]
    pub questions: Vec<CheckQuestion>,
    /// Whether each answer has the confidence for itself, instead of all of them together.
    pub per_question: bool,
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
            questions: vec![CheckQuestion::default()],
            per_question: false,
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
        let is_watched = !self.has_number();
        !is_fixed && self.questions.iter().all(|question| question.holds_at_every_look(is_watched))
    }

    /// Whether the number of executions follows from what is asked, if nothing else limits it: there
    /// are only estimates, none of which goes on until it is precise.
    #[must_use]
    pub fn has_number(&self) -> bool {
        self.questions.iter().all(CheckQuestion::has_number)
    }

    /// Whether the error of all answers is shared, so that it needs a method that can be shared.
    #[must_use]
    pub fn shares_error(&self) -> bool {
        let is_grouped =
            matches!(&self.executions, ExecutionSource::Data { group_by: Some(_), .. });
        let is_several = self.questions.len() > 1 || is_grouped || self.executions.has_grid();
        is_several && !self.per_question
    }

    /// The same, with at most this many executions.
    #[must_use]
    pub fn with_max_runs(mut self, most: u64) -> CheckRequest {
        if let ExecutionSource::Commands(options) = &mut self.executions {
            let (effort, time) = (options.budget.effort(), options.budget.time());
            options.budget = ExecutionBudget::AtMost { effort, runs: Some(most), time };
        }
        self
    }

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let usual = CheckRequest::default();
        let mut line = CommandLine::new("check");
        question::write_all(&self.questions, &mut line);
        line.switch("--per-question", self.per_question);
        line.value("--probability", &self.probability, &usual.probability);
        line.value("--confidence", &self.confidence, &usual.confidence);
        self.reading.write(&mut line);
        // Hours of a study do not end with its first crash.
        let on_failure = OnFailure::usual(self.executions.has_grid());
        line.value("--on-failure", &self.on_failure, &on_failure);
        self.executions.write(&mut line);
        line.finish()
    }
}
