//! Answers in JSON: to a property, and to an estimate.

use crate::decide::{CheckSummary, Method};
use crate::{CheckReport, PropertyAnswer, Tally, ValueAnswer, ValueQuestion};
use fathom_record::own_json::End;
use fathom_record::{MoreNeeded, Unit};
use serde::Serialize;

/// The answer to a property, or to `--estimate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum AnswerEntry<'a> {
    Verdict(VerdictEntry<'a>),
    Value(ValueEntry<'a>),
}

/// The answer to a property.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PropertyAnswer"))]
pub(super) struct VerdictEntry<'a> {
    /// The property as you wrote it.
    property: &'a str,
    /// Whether at least `probability` of all executions satisfy the property.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::decide::CheckVerdict::ALL.map(crate::decide::CheckVerdict::name))))]
    verdict: &'static str,
    /// The number of executions or tuples that count.
    samples: usize,
    /// How many of them satisfy the property.
    satisfied: usize,
    /// The largest probability that the verdict is wrong: 1 - confidence; for `spa`, the true error
    /// of the rule within the budget. If several questions share the error, the probability that any
    /// of their verdicts is wrong. For `wald` it holds if the true share is not within
    /// `indifference` of `probability`.
    error_bound: f64,
    /// The decision rule.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Method::NAMES)))]
    method: &'static str,
    /// The half width of the zone in which `wald` may answer either way.
    #[serde(skip_serializing_if = "Option::is_none")]
    indifference: Option<f64>,
    /// The number of samples after which the verdict was reached; `null` if it is inconclusive.
    decided_at: Option<usize>,
    /// The share of samples that satisfy the property: lowest and highest, which differ if some are
    /// unknown. `null` without samples.
    estimate: Option<[f64; 2]>,
    /// The lower end of the two-sided interval of the true share at `confidence`. It is valid at
    /// every look; for `exact`, at this one. If several questions share the error, all their intervals
    /// together hold with `confidence`.
    lower: f64,
    /// The upper end of that interval.
    upper: f64,
    /// The one-sided lower bound, with the same error as the interval.
    lower_bound: f64,
    /// The one-sided upper bound, with the same error as the interval.
    upper_bound: f64,
    /// How many executions had each outcome.
    counts: CountsEntry,
    /// The evidence for and against.
    evidence: EvidenceEntry,
    /// About what would settle it if executions continue like this; `null` if it is settled or out
    /// of reach.
    more_needed: Option<MoreNeeded>,
}

/// How many executions had each outcome.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CountsEntry {
    /// The property is true.
    r#true: usize,
    /// The property is false.
    r#false: usize,
    /// The property is true, but nothing in the execution tested it.
    vacuous: usize,
    /// The outcome is unknown.
    unknown: usize,
    /// The execution failed and counts as false.
    failed: usize,
    /// The execution failed and does not count.
    skipped: usize,
    /// The execution was cut short; it is also counted above.
    cut: usize,
}

/// Natural logarithms of e-values.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EvidenceEntry {
    /// For the property.
    ln_for: f64,
    /// Against the property.
    ln_against: f64,
}

/// The answer to `--estimate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ValueAnswer"))]
pub(super) struct ValueEntry<'a> {
    /// The expression as you wrote it.
    interval_of: &'a str,
    /// The side of the value on which executions lie.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_stats::quantile::spa::Direction::ALL.map(|direction| direction.name()))))]
    direction: &'static str,
    /// The unit of the value.
    unit: &'a Unit,
    /// The value that `probability` of all executions stay within; `null` if executions with
    /// unknown values decide it.
    value: Option<f64>,
    /// The lowest and the highest that the value may be. Present if `value` is `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<[End; 2]>,
    /// The lower end of the interval of the value.
    lower: End,
    /// The upper end of the interval of the value.
    upper: End,
    /// The probability that the interval covers the true value at this number of samples.
    coverage: f64,
    /// How the interval is computed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::ValueMethod::ALL.map(|method| method.name()))))]
    method: &'static str,
    /// The number of executions or tuples that count.
    samples: usize,
    /// The number of executions whose value is unknown.
    unknown: usize,
    /// The number of failed executions that count.
    failed: usize,
    /// The number of failed executions that do not count.
    skipped: usize,
    /// The number of samples that give both ends.
    samples_needed: usize,
}

impl<'a> AnswerEntry<'a> {
    /// An answer to the question of a report.
    pub(super) fn of(
        answer: &'a PropertyAnswer,
        report: &CheckReport,
        tally: &Tally,
    ) -> AnswerEntry<'a> {
        match answer {
            PropertyAnswer::Verdict { property, summary } => {
                AnswerEntry::Verdict(VerdictEntry::of(property, summary, tally, report.tuple.len()))
            }
            PropertyAnswer::Value { expression, unit, question, value } => {
                let failures = match report.leaves_failed_out {
                    true => [0, tally.failed],
                    false => [tally.failed, 0],
                };
                AnswerEntry::Value(ValueEntry::of(expression, unit, question, value, failures))
            }
        }
    }
}

impl<'a> VerdictEntry<'a> {
    /// `tuple`: how many executions one sample takes.
    fn of(
        property: &'a str,
        summary: &CheckSummary,
        tally: &Tally,
        tuple: usize,
    ) -> VerdictEntry<'a> {
        let counts = &summary.counts;
        VerdictEntry {
            property,
            verdict: summary.verdict.name(),
            samples: counts.samples(),
            satisfied: counts.counted_true(),
            error_bound: summary.error_bound,
            method: summary.question.method.name(),
            indifference: match summary.question.method {
                Method::Wald { indifference } => Some(indifference),
                _ => None,
            },
            decided_at: summary.decided_at,
            estimate: summary.estimate.map(|range| [range.lower, range.upper]),
            lower: summary.interval.lower,
            upper: summary.interval.upper,
            lower_bound: summary.bounds.lower,
            upper_bound: summary.bounds.upper,
            counts: CountsEntry {
                r#true: counts.satisfied,
                r#false: counts.violated,
                vacuous: counts.vacuous,
                unknown: counts.unknown,
                failed: counts.failed,
                skipped: counts.skipped,
                cut: tally.cut,
            },
            evidence: EvidenceEntry {
                ln_for: summary.evidence.above,
                ln_against: summary.evidence.below,
            },
            more_needed: summary.further_samples.map(|samples| MoreNeeded {
                samples: Some(samples),
                runs: (tuple > 1).then_some(samples.saturating_mul(tuple)),
                ..MoreNeeded::default()
            }),
        }
    }
}

impl<'a> ValueEntry<'a> {
    fn of(
        interval_of: &'a str,
        unit: &'a Unit,
        question: &ValueQuestion,
        answer: &ValueAnswer,
        [failed, skipped]: [usize; 2],
    ) -> ValueEntry<'a> {
        ValueEntry {
            interval_of,
            direction: question.direction.name(),
            unit,
            value: answer.value,
            estimate: answer.estimate.map(|range| [End(range.lower), End(range.upper)]),
            lower: End(answer.interval.lower),
            upper: End(answer.interval.upper),
            coverage: answer.coverage,
            method: question.method.name(),
            samples: answer.samples,
            unknown: answer.unknown,
            failed,
            skipped,
            samples_needed: question.samples_needed(),
        }
    }
}
