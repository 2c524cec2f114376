//! The JSON contract of a check: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning.

use crate::decide::{CheckSummary, CheckVerdict, Method};
use crate::{
    Bounds, CheckReport, Judged, JudgedAs, PropertyAnswer, Tally, ValueAnswer, ValueMethod,
    ValueQuestion,
};
use fathom_record::own_json::{self, End};
use fathom_record::{Environment, Unit};
use fathom_stats::proportion::{Operating, SampleSizePlan};
use fathom_stats::quantile::spa::Direction;
use serde::Serialize;

/// A report as it is written in JSON.
#[derive(Debug, Serialize)]
pub struct CheckDocument<'a> {
    schema: &'static str,
    command_line: &'a str,
    seed: u64,
    environment: &'a Environment,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<i64>,
    probability: f64,
    confidence: f64,
    #[serde(flatten)]
    answer: AnswerEntry<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tuple: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dependence: Option<DependenceEntry>,
    cut: usize,
    failures: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_all: Option<AnswerEntry<'a>>,
    unused: usize,
    stopped: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlanEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<ExecutionEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<Vec<ExecutionEntry<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<ConditionEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<CaveatEntry<'a>>,
    /// With the caveats, for readers who know only these.
    warnings: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct ConditionEntry<'a> {
    condition: &'a str,
    held_in: usize,
    of: usize,
}

#[derive(Debug, Serialize)]
struct CaveatEntry<'a> {
    kind: &'static str,
    text: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum AnswerEntry<'a> {
    Verdict(VerdictEntry<'a>),
    Value(ValueEntry<'a>),
}

#[derive(Debug, Serialize)]
struct VerdictEntry<'a> {
    property: &'a str,
    verdict: &'static str,
    samples: usize,
    satisfied: usize,
    error_bound: f64,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    indifference: Option<f64>,
    decided_at: Option<usize>,
    estimate: Option<[f64; 2]>,
    lower: f64,
    upper: f64,
    lower_bound: f64,
    upper_bound: f64,
    counts: CountsEntry,
    evidence: EvidenceEntry,
    more_needed: Option<usize>,
}

#[derive(Debug, Serialize)]
struct CountsEntry {
    r#true: usize,
    r#false: usize,
    vacuous: usize,
    unknown: usize,
    failed: usize,
    skipped: usize,
    cut: usize,
}

/// Executions that are not independent of each other.
#[derive(Debug, Serialize)]
struct DependenceEntry {
    lag1: f64,
    effective_n: f64,
    counts_as: usize,
}

/// Natural logarithms of e-values.
#[derive(Debug, Serialize)]
struct EvidenceEntry {
    ln_for: f64,
    ln_against: f64,
}

#[derive(Debug, Serialize)]
struct ValueEntry<'a> {
    interval_of: &'a str,
    direction: &'static str,
    unit: &'a Unit,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<[End; 2]>,
    lower: End,
    upper: End,
    coverage: f64,
    method: &'static str,
    samples: usize,
    unknown: usize,
    failed: usize,
    skipped: usize,
    samples_needed: usize,
}

#[derive(Debug, Serialize)]
struct PlanEntry {
    samples: usize,
    earliest_true: Option<usize>,
    earliest_false: Option<usize>,
    expected: Vec<OperatingEntry>,
    worst: OperatingEntry,
}

#[derive(Debug, Serialize)]
struct OperatingEntry {
    share: f64,
    samples: f64,
    says_true: f64,
    says_false: f64,
    undecided: f64,
}

#[derive(Debug, Serialize)]
struct ExecutionEntry<'a> {
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    runs: &'a [u64],
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    seeds: &'a [u32],
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<[End; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin_unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_unit: Option<&'a str>,
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<[End; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

impl<'a> CheckDocument<'a> {
    /// The document of a report, with every execution if asked.
    #[must_use]
    pub fn of(report: &'a CheckReport, with_executions: bool) -> CheckDocument<'a> {
        let tally = report.tally();
        let entry = |answer: &'a PropertyAnswer| match answer {
            PropertyAnswer::Verdict { property, summary } => {
                AnswerEntry::Verdict(VerdictEntry::of(property, summary, &tally))
            }
            PropertyAnswer::Value { expression, unit, question, value } => {
                let failures = match report.leaves_failed_out {
                    true => [0, tally.failed],
                    false => [tally.failed, 0],
                };
                AnswerEntry::Value(ValueEntry::of(expression, unit, question, value, failures))
            }
        };
        let dependence = match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => summary.dependence,
            PropertyAnswer::Value { value, .. } => value.dependence,
        };
        CheckDocument {
            schema: own_json::SCHEMA,
            command_line: &report.command_line,
            seed: report.seed,
            environment: &report.environment,
            session: report.session,
            probability: report.probability.get(),
            confidence: report.confidence.get(),
            answer: entry(&report.answer),
            tuple: &report.tuple,
            dependence: dependence.map(|alike| DependenceEntry {
                lag1: alike.lag1,
                effective_n: alike.effective,
                counts_as: alike.independent,
            }),
            cut: tally.cut,
            failures: if report.leaves_failed_out { "skipped" } else { "counted" },
            of_all: report.of_all.as_ref().map(entry),
            unused: report.unused,
            stopped: report.stopped.name(),
            plan: report.plan.as_ref().map(PlanEntry::of),
            counterexample: match &report.answer {
                PropertyAnswer::Verdict { summary, .. }
                    if summary.verdict == CheckVerdict::False =>
                {
                    report.counterexample().map(ExecutionEntry::of)
                }
                _ => None,
            },
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
            caveats: report
                .caveats
                .iter()
                .map(|caveat| CaveatEntry { kind: caveat.kind.name(), text: &caveat.text })
                .collect(),
            warnings: (report.caveats.iter().map(|caveat| caveat.text.as_str()))
                .chain(report.warnings.iter().map(String::as_str))
                .collect(),
        }
    }

    /// As text.
    ///
    /// # Errors
    /// Never, as far as we know; but JSON's writer may refuse.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl<'a> VerdictEntry<'a> {
    fn of(property: &'a str, summary: &CheckSummary, tally: &Tally) -> VerdictEntry<'a> {
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
            more_needed: summary.further_samples,
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
            direction: match question.direction {
                Direction::Below => "lt",
                Direction::AtMost => "le",
                Direction::Above => "gt",
                Direction::AtLeast => "ge",
            },
            unit,
            value: answer.value,
            estimate: answer.estimate.map(|range| [End(range.lower), End(range.upper)]),
            lower: End(answer.interval.lower),
            upper: End(answer.interval.upper),
            coverage: answer.coverage,
            method: match question.method {
                ValueMethod::Exact => "exact",
                ValueMethod::Anytime => "anytime",
                ValueMethod::Spa => "spa",
            },
            samples: answer.samples,
            unknown: answer.unknown,
            failed,
            skipped,
            samples_needed: question.samples_needed(),
        }
    }
}

impl PlanEntry {
    fn of(plan: &SampleSizePlan) -> PlanEntry {
        PlanEntry {
            samples: plan.horizon,
            earliest_true: plan.earliest_positive,
            earliest_false: plan.earliest_negative,
            expected: plan.at.iter().map(OperatingEntry::of).collect(),
            worst: OperatingEntry::of(&plan.worst),
        }
    }
}

impl OperatingEntry {
    fn of(at: &Operating) -> OperatingEntry {
        OperatingEntry {
            share: at.share,
            samples: at.samples,
            says_true: at.positive,
            says_false: at.negative,
            undecided: at.undecided,
        }
    }
}

impl<'a> ExecutionEntry<'a> {
    fn of(judged: &'a Judged) -> ExecutionEntry<'a> {
        let ends = |bounds: &Bounds| [End(bounds.low), End(bounds.high)];
        let mut entry = ExecutionEntry {
            runs: &judged.runs,
            seeds: &judged.seeds,
            source: judged.source.as_deref(),
            truth: None,
            margin: None,
            margin_unit: None,
            decided_by: None,
            at: None,
            at_unit: None,
            cut: judged.is_cut,
            value: None,
            failure: None,
        };
        match &judged.result {
            JudgedAs::Property { truth, robustness, decided_by, at } => {
                entry.truth = Some(truth.name());
                entry.margin = Some(ends(robustness));
                if let Some((unit, part)) = decided_by {
                    entry.margin_unit = Some(unit);
                    entry.decided_by = Some(part);
                }
                if let Some((time, unit)) = at {
                    entry.at = Some(*time);
                    entry.at_unit = Some(unit);
                }
            }
            JudgedAs::Value(bounds) => entry.value = Some(ends(bounds)),
            JudgedAs::Failed(reason) => entry.failure = Some(reason),
        }
        entry
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
