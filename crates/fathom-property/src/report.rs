//! What a check found: the one type that renderers see.

use crate::decide::Summary;
use crate::{Bounds, Truth, ValueAnswer, ValueQuestion};
use fathom_record::{Environment, Unit};
use fathom_stats::proportion::Plan;
use fathom_stats::{Confidence, Probability};

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// The command as it was typed.
    pub command_line: String,
    /// Where seeds came from.
    pub seed: u64,
    /// Where it was checked.
    pub environment: Environment,
    /// The session's number, if it is saved.
    pub session: Option<i64>,
    /// Of which share of all executions something was asked.
    pub probability: Probability,
    /// How sure the answer was to be.
    pub confidence: Confidence,
    /// The answer, to the question that was asked.
    pub answer: Answer,
    /// What makes a tuple: the systems' names for a property of several executions, else empty.
    pub tuple: Vec<String>,
    /// Every execution or tuple that was judged, in the order of their numbers.
    pub judged: Vec<Judged>,
    /// Executions that were done and do not count, because the answer came before them.
    pub unused: usize,
    /// Why there are no more executions.
    pub stopped: Stopped,
    /// What was to be expected beforehand, where executions were made for the question.
    pub plan: Option<Plan>,
    /// What the reader should know, each with what to do.
    pub warnings: Vec<String>,
}

/// The answer to what was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Whether a property is true of enough executions.
    Verdict {
        /// The property.
        property: String,
        /// The answer.
        summary: Summary,
    },
    /// Which value enough executions keep to.
    Value {
        /// Of what.
        expression: String,
        /// What it is in.
        unit: Unit,
        /// What was asked.
        question: ValueQuestion,
        /// The answer.
        value: ValueAnswer,
    },
}

/// One execution, or one tuple of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The numbers of the executions, from 1.
    pub runs: Vec<u64>,
    /// Their seeds; empty for executions that were made elsewhere.
    pub seeds: Vec<u32>,
    /// Where the execution is from, for executions that were made elsewhere.
    pub source: Option<String>,
    /// What came of it.
    pub result: JudgedAs,
}

/// What came of an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgedAs {
    /// It was judged by a property.
    Property {
        /// Whether it holds.
        truth: Truth,
        /// By how much.
        robustness: Bounds,
        /// What that is in, and by which part of the property, where that can be said.
        decided_by: Option<(String, String)>,
    },
    /// It gave a value.
    Value(Bounds),
    /// It failed, and why.
    Failed(String),
}

/// Why there are no more executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The question is answered.
    Answered,
    /// So many were asked for.
    Fixed,
    /// The most executions that were allowed.
    MaxRuns,
    /// The most time that was allowed.
    MaxTime,
    /// The user ended it.
    Interrupted,
}

impl Stopped {
    /// As it is written in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Answered => "answered",
            Stopped::Fixed => "fixed",
            Stopped::MaxRuns => "max_runs",
            Stopped::MaxTime => "max_time",
            Stopped::Interrupted => "interrupted",
        }
    }
}
