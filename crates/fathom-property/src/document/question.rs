//! A question with its answer and its executions, in JSON.

use super::answer::AnswerEntry;
use super::execution::ExecutionEntry;
use crate::decide::CheckVerdict;
use crate::{Caveat, CheckReport, PropertyAnswer};
use serde::Serialize;

/// A question and its answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "QuestionAnswer"))]
pub(super) struct QuestionEntry<'a> {
    /// The name of the question, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// The group of executions that the answer is about. Present with `--group-by` and in a
    /// study, where it is the name of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// The answer.
    #[serde(flatten)]
    answer: AnswerEntry<'a>,
    /// The names of the executions in a tuple. Present if the question is about several executions
    /// at once.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tuple: &'a [String],
    /// Present if executions evidently depend on each other. The verdict, the interval and the
    /// bounds take it into account.
    #[serde(skip_serializing_if = "Option::is_none")]
    dependence: Option<DependenceEntry>,
    /// The number of executions that were cut short.
    cut: usize,
    /// The answer about all executions, whatever the skipped ones would have given. Present if
    /// failed executions are skipped and some failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_all: Option<AnswerEntry<'a>>,
    /// An execution that is false. Present if the verdict is `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<ExecutionEntry<'a>>,
    /// The execution that violates the property by most or comes nearest to it; of an estimate, the one
    /// with the most extreme value. Absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<ExecutionEntry<'a>>,
    /// Every execution. Present with `--include-values` and in `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<Vec<ExecutionEntry<'a>>>,
    /// How often the conditions of implications held. Present if the property has implications.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<ConditionEntry<'a>>,
    /// What limits the answer so much that Fathom says it together with the answer. Absent if there
    /// is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<CaveatEntry<'a>>,
    /// What may be wrong, each with what to do. The texts of `caveats` come first.
    warnings: Vec<&'a str>,
}

/// How often the condition of an implication held.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ConditionEntry<'a> {
    /// The condition as you wrote it: `a` in `a -> b`.
    condition: &'a str,
    /// The number of executions in which it held when it was needed.
    held_in: usize,
    /// The number of executions that were judged.
    of: usize,
}

/// Something that limits the answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CaveatEntry<'a> {
    /// `identical`: all executions are the same one and count as one; `alike`: all gave the same
    /// whole numbers, without a seed of their own; `untested`: no execution tested the property or
    /// a part of it; `barely_tested`: the executions that tested it do not give the answer alone.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::CaveatKind::ALL.map(|kind| kind.name()))))]
    kind: &'static str,
    /// The caveat in words.
    text: &'a str,
}

/// How much executions depend on each other.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DependenceEntry {
    /// The rank correlation of neighbouring executions.
    lag1: f64,
    /// The number of independent executions that they are worth.
    effective_n: f64,
    /// The whole number of independent executions that the answer is based on.
    counts_as: usize,
}

impl<'a> CaveatEntry<'a> {
    pub(super) fn of(caveat: &'a Caveat) -> CaveatEntry<'a> {
        CaveatEntry { kind: caveat.kind.name(), text: &caveat.text }
    }
}

impl<'a> QuestionEntry<'a> {
    pub(super) fn of(report: &'a CheckReport, with_executions: bool) -> QuestionEntry<'a> {
        let tally = report.tally();
        let entry = |answer: &'a PropertyAnswer| AnswerEntry::of(answer, report, &tally);
        let dependence = match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => summary.dependence,
            PropertyAnswer::Value { value, .. } => value.dependence,
        };
        QuestionEntry {
            name: report.name.as_deref(),
            group: report.group.as_deref(),
            answer: entry(&report.answer),
            tuple: &report.tuple,
            dependence: dependence.map(|alike| DependenceEntry {
                lag1: alike.lag1,
                effective_n: alike.effective,
                counts_as: alike.independent,
            }),
            cut: tally.cut,
            of_all: report.of_all.as_ref().map(entry),
            counterexample: match &report.answer {
                PropertyAnswer::Verdict { summary, .. }
                    if summary.verdict == CheckVerdict::False =>
                {
                    report.counterexample().map(ExecutionEntry::of)
                }
                _ => None,
            },
            worst: report.worst().map(ExecutionEntry::of),
            executions: with_executions
                .then(|| report.judged.iter().map(ExecutionEntry::of).collect()),
            conditions: report
                .conditions
                .iter()
                .map(|one| ConditionEntry {
                    condition: &one.condition,
                    held_in: one.held_in,
                    of: one.of,
                })
                .collect(),
            caveats: report.caveats.iter().map(CaveatEntry::of).collect(),
            warnings: (report.caveats.iter().map(|caveat| caveat.text.as_str()))
                .chain(report.warnings.iter().map(String::as_str))
                .collect(),
        }
    }
}
