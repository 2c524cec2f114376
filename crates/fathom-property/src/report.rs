//! What a check found: the one type that renderers see.

use crate::decide::{CheckSummary, CheckVerdict, ErrorSharing};
use crate::{Bounds, Caveat, DataSource, Truth, ValueAnswer, ValueQuestion};
use fathom_record::{Environment, Unit};
use fathom_stats::proportion::SampleSizePlan;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability};
use std::sync::Arc;

/// What a check found about one question.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// The name of the question, if it has one; of a group, the group's as well.
    pub name: Option<String>,
    /// The group of executions that it is about, if they are grouped.
    pub group: Option<String>,
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
    /// Whether it shares the error with the other questions; `None` if it is the only one.
    pub sharing: Option<ErrorSharing>,
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

/// One execution, or one tuple of them. There may be a million of them for each question, so it is small.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The numbers of the executions, from 1.
    pub runs: Box<[u64]>,
    /// Their seeds; empty for executions that were made elsewhere.
    pub seeds: Box<[u32]>,
    /// Where the execution is from, for executions that were made elsewhere.
    pub source: Option<DataSource>,
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
        /// What that is in, and by which part of the property, where that can be said. A million
        /// executions have a handful of these.
        decided_by: Option<Arc<(String, String)>>,
        /// When in the execution that was, in which unit, where it changes over time.
        at: Option<Box<(f64, Arc<str>)>>,
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

    /// What was asked, as it was written.
    #[must_use]
    pub fn asked(&self) -> &str {
        match &self.answer {
            PropertyAnswer::Verdict { property, .. } => property,
            PropertyAnswer::Value { expression, .. } => expression,
        }
    }

    /// What the question is called: its name, or what was asked.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.asked())
    }

    /// The execution that is worst for the promise: the one that violates the property by most or comes
    /// nearest to that, or of an estimate the one with the most extreme value. `None` if margins have
    /// no common unit, or nothing is known.
    #[must_use]
    pub fn worst(&self) -> Option<&Judged> {
        match &self.answer {
            PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
                CheckVerdict::False => self.counterexample(),
                _ => self.nearest_to_false().or_else(|| self.counterexample()),
            },
            PropertyAnswer::Value { question, .. } => {
                let sign = match question.direction {
                    Direction::Below | Direction::AtMost => 1.0,
                    Direction::Above | Direction::AtLeast => -1.0,
                };
                let known = self.judged.iter().filter_map(|judged| match &judged.result {
                    JudgedAs::Value(bounds) => bounds.known().map(|value| (sign * value, judged)),
                    _ => None,
                });
                // The first of several that are alike.
                let worse = |a: (f64, _), b: (f64, _)| if b.0 > a.0 { b } else { a };
                known.reduce(worse).map(|(_, judged)| judged)
            }
        }
    }

    /// The execution with the smallest known margin.
    #[must_use]
    pub fn nearest_to_false(&self) -> Option<&Judged> {
        let mut nearest: Option<(&Judged, f64, bool)> = None;
        let mut only_unit: Option<&str> = None;
        for judged in &self.judged {
            let JudgedAs::Property { truth, robustness, decided_by, .. } = &judged.result else {
                continue;
            };
            let is_true = match truth {
                Truth::True => true,
                Truth::False => false,
                Truth::Vacuous | Truth::Unknown => continue,
            };
            let margin = robustness.known().filter(|value| value.is_finite());
            let (Some(margin), Some((unit, _))) = (margin, decided_by.as_deref()) else { continue };
            // Margins in different units cannot be ranked.
            if only_unit.replace(unit).is_some_and(|other| other != unit) {
                return None;
            }
            let is_nearer = |&(_, least, was_true): &(&Judged, f64, bool)| {
                margin.total_cmp(&least).then(is_true.cmp(&was_true)).is_lt()
            };
            if nearest.as_ref().is_none_or(is_nearer) {
                nearest = Some((judged, margin, is_true));
            }
        }
        nearest.map(|(judged, ..)| judged)
    }

    /// An execution that does not satisfy the property: the one that misses by most where margins
    /// are comparable, else the first, else one that failed and counts.
    #[must_use]
    pub fn counterexample(&self) -> Option<&Judged> {
        let misses = || self.judged.iter().filter_map(Miss::of);
        let first = misses().next();
        let is_one_unit =
            first.as_ref().is_some_and(|first| misses().all(|miss| miss.unit == first.unit));
        let worst = match is_one_unit {
            true => misses().min_by(|a, b| a.margin.total_cmp(&b.margin)),
            false => first,
        };
        let failed = |judged: &&Judged| matches!(judged.result, JudgedAs::Failed(_));
        worst
            .map(|miss| miss.judged)
            .or_else(|| self.judged.iter().filter(|_| !self.leaves_failed_out).find(failed))
    }
}

/// An execution that does not satisfy the property.
struct Miss<'a> {
    judged: &'a Judged,
    margin: f64,
    unit: Option<&'a str>,
}

impl<'a> Miss<'a> {
    fn of(judged: &'a Judged) -> Option<Miss<'a>> {
        match &judged.result {
            JudgedAs::Property { truth: Truth::False, robustness, decided_by, .. } => {
                let unit = decided_by.as_deref().map(|(unit, _)| unit.as_str());
                let margin = robustness.sure().unwrap_or(f64::NEG_INFINITY);
                Some(Miss { judged, margin, unit })
            }
            _ => None,
        }
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
