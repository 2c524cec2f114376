//! What a check found: the one type that renderers see.

use crate::decide::CheckSummary;
use crate::{Bounds, Caveat, Truth, ValueAnswer, ValueQuestion};
use fathom_record::{Environment, Unit};
use fathom_stats::proportion::SampleSizePlan;
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
    /// The share of executions that the question is about.
    pub probability: Probability,
    /// The requested confidence.
    pub confidence: Confidence,
    /// The answer to the question.
    pub answer: PropertyAnswer,
    /// What makes a tuple: the systems' names for a property of several executions, else empty.
    pub tuple: Vec<String>,
    /// Every execution or tuple that was judged, in the order of their numbers.
    pub judged: Vec<Judged>,
    /// Whether failed executions are left out of the answer, which is then about those that
    /// succeed.
    pub leaves_failed_out: bool,
    /// If so, and some failed: the answer about all executions, whatever those would have given.
    pub of_all: Option<PropertyAnswer>,
    /// Whether the user requested a precision for the interval.
    pub asks_precision: bool,
    /// Executions that were done and do not count, because the answer came before them.
    pub unused: usize,
    /// Why there are no more executions.
    pub stopped: CheckStopReason,
    /// What was expected beforehand, if executions were run for the question.
    pub plan: Option<SampleSizePlan>,
    /// The conditions of the property (`a` of `a -> b`), and in how many executions each held.
    pub conditions: Vec<ConditionCount>,
    /// What belongs to the headline.
    pub caveats: Vec<Caveat>,
    /// What the reader should know, each with what to do.
    pub warnings: Vec<String>,
}

/// A condition of a property, and in how many executions it held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionCount {
    /// As it was written.
    pub condition: String,
    /// In how many executions, or tuples, it held when the property asked for it.
    pub held_in: usize,
    /// Of how many that were judged.
    pub of: usize,
}

impl CheckReport {
    /// Whether all executions are the same one, so that more of them would say no more.
    #[must_use]
    pub fn is_one_execution(&self) -> bool {
        self.caveats.iter().any(|caveat| caveat.kind == crate::CaveatKind::Identical)
    }
}

/// The answer to the question.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyAnswer {
    /// Whether enough executions satisfy a property.
    Verdict {
        /// The property.
        property: String,
        /// The answer.
        summary: CheckSummary,
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
    /// Whether it was ended before it was done, or one of the tuple was.
    pub is_cut: bool,
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
        /// When in the execution that was, in which unit, where it changes over time.
        at: Option<(f64, String)>,
    },
    /// It gave a value.
    Value(Bounds),
    /// It failed, and why.
    Failed(String),
}

/// Why there are no more executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckStopReason {
    /// The question is answered.
    Answered,
    /// The requested number is reached.
    Fixed,
    /// The most executions that were allowed.
    MaxRuns,
    /// The most time that was allowed.
    MaxTime,
    /// Executions depend on each other so much that all that are allowed would not be enough.
    Dependent,
    /// The user ended it.
    Interrupted,
}

/// What became of executions that an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// All that were judged.
    pub executions: usize,
    /// Ended before they were done.
    pub cut: usize,
    /// Failed, whether they count or not.
    pub failed: usize,
    /// Those whose answer is unknown.
    pub unknown: usize,
}

impl CheckReport {
    /// What became of the executions.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally { executions: self.judged.len(), ..Tally::default() };
        for judged in &self.judged {
            tally.cut += usize::from(judged.is_cut);
            match &judged.result {
                JudgedAs::Failed(_) => tally.failed += 1,
                JudgedAs::Property { truth, .. } => {
                    tally.unknown += usize::from(*truth == Truth::Unknown);
                }
                JudgedAs::Value(bounds) => {
                    tally.unknown += usize::from(bounds.known().is_none());
                }
            }
        }
        tally
    }

    /// An execution that does not satisfy the property: the one that misses by most where margins
    /// are comparable, else the first, else one that failed and counts.
    #[must_use]
    pub fn counterexample(&self) -> Option<&Judged> {
        let miss = |judged: &Judged| match &judged.result {
            JudgedAs::Property { truth: Truth::False, robustness, decided_by, .. } => {
                let unit = decided_by.as_ref().map(|(unit, _)| unit.clone());
                Some((robustness.sure().unwrap_or(f64::NEG_INFINITY), unit))
            }
            _ => None,
        };
        let misses: Vec<(&Judged, f64, Option<String>)> = self
            .judged
            .iter()
            .filter_map(|judged| miss(judged).map(|(margin, unit)| (judged, margin, unit)))
            .collect();
        let is_one_unit = misses.windows(2).all(|pair| pair[0].2 == pair[1].2);
        let worst = match is_one_unit {
            true => misses.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
            false => misses.first(),
        };
        let failed = |judged: &&Judged| matches!(judged.result, JudgedAs::Failed(_));
        worst
            .map(|(judged, ..)| *judged)
            .or_else(|| self.judged.iter().filter(|_| !self.leaves_failed_out).find(failed))
    }
}

impl CheckStopReason {
    /// All of them.
    pub const ALL: [CheckStopReason; 6] = [
        CheckStopReason::Answered,
        CheckStopReason::Fixed,
        CheckStopReason::MaxRuns,
        CheckStopReason::MaxTime,
        CheckStopReason::Dependent,
        CheckStopReason::Interrupted,
    ];

    /// As it is written in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CheckStopReason::Answered => "answered",
            CheckStopReason::Fixed => "fixed",
            CheckStopReason::MaxRuns => "max_runs",
            CheckStopReason::MaxTime => "max_time",
            CheckStopReason::Dependent => "dependent",
            CheckStopReason::Interrupted => "interrupted",
        }
    }
}
