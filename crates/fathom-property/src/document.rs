//! The JSON contract of a check: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning.

use crate::decide::{CheckSummary, CheckVerdict, ErrorSharing, Method};
use crate::study::StudyEntry;
use crate::{
    AbnormalExecution, Bounds, Caveat, CheckReport, JointReport, Judged, JudgedAs, PropertyAnswer,
    Tally, ValueAnswer, ValueQuestion,
};
use fathom_record::own_json::{self, End};
use fathom_record::{Environment, MoreNeeded, Unit};
use fathom_stats::proportion::{Operating, SampleSizePlan};
use serde::Serialize;

/// What may happen to executions that failed.
const FAILURES: [&str; 2] = ["counted", "skipped"];

/// How several questions may share the error.
const SHARING: [&str; 2] = ["shared", "per_question"];

/// A report as it is written in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CheckReport"))]
pub struct CheckDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// The seed of all random choices.
    seed: u64,
    /// What made the document.
    environment: &'a Environment,
    /// The number of the session, if it was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<i64>,
    /// The share of executions that the questions ask about.
    probability: f64,
    /// The confidence you asked for.
    confidence: f64,
    /// Whether several questions share the error, so that all answers together hold with `confidence`,
    /// or each answer alone does (`--per-question`). Present with several questions.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = SHARING)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    /// With one question, its answer; with several, the verdict on all of them.
    #[serde(flatten)]
    answer: TopEntry<'a>,
    /// What happens to failed executions: `counted` as false, or `skipped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = FAILURES)))]
    failures: &'static str,
    /// Executions that were done or running when the answer was reached, and that do not count.
    unused: usize,
    /// Why it stopped. `dependent`: executions depend on each other so much that even all allowed
    /// ones would not be enough.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::CheckStopReason::ALL.map(|reason| reason.name()))))]
    stopped: &'static str,
    /// The plan before the first execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlanEntry>,
    /// The number of executions that failed or were cut short, whichever questions are about them.
    abnormal_count: usize,
    /// Executions that failed or were cut short, in their order; the first 1000.
    abnormal: Vec<AbnormalEntry<'a>>,
    /// The traces of the executions. Present with `--record`.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<RecordedEntry<'a>>,
    /// Every question with its answer. If there is only one, this repeats what stands above, without
    /// the executions.
    questions: Vec<QuestionEntry<'a>>,
    /// The grid whose cells the questions are about. Present in a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<StudyEntry<'a>>,
}

/// The traces of executions that were recorded while they ran.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RecordedExecutions"))]
struct RecordedEntry<'a> {
    /// The folder, with a [trace folder](trace-format.md) for each execution.
    folder: &'a str,
    /// How many there are.
    count: usize,
    /// The mean share of a processor that sampling took while an execution ran, of the first 100; `null`
    /// if it is not known.
    cpu_share: Option<f64>,
    /// In how many of the first 100 recording stopped before the execution ended.
    stopped_early: usize,
}

/// An execution that failed or was cut short.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AbnormalExecution"))]
struct AbnormalEntry<'a> {
    /// Its number, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
    /// Its seed, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    /// The file it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// `failed`: it gave nothing to judge. `cut`: it was stopped before it was done, and judged by what
    /// it had shown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::AbnormalKind::ALL.map(crate::AbnormalKind::name))))]
    kind: &'static str,
    /// How it ended: `exited with status 3`.
    how: &'a str,
    /// The machine it ran on, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    /// The command that repeats it, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

impl<'a> AbnormalEntry<'a> {
    fn of(one: &'a AbnormalExecution) -> AbnormalEntry<'a> {
        AbnormalEntry {
            run: one.run,
            seed: one.seed,
            source: one.source.as_ref().map(ToString::to_string),
            kind: one.kind.name(),
            how: &one.how,
            host: one.host.as_deref(),
            command: one.command.as_deref(),
        }
    }
}

/// What stands at the top.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "there is one of them in a document")]
enum TopEntry<'a> {
    Single(QuestionEntry<'a>),
    Several(SeveralEntry<'a>),
}

/// The answer to several questions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SeveralAnswers"))]
struct SeveralEntry<'a> {
    /// `false` if one of the properties is false, `true` if all are true. Absent if there are only
    /// estimates.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = CheckVerdict::ALL.map(CheckVerdict::name))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// What limits an answer so much that Fathom says it together with the answer. Absent if there
    /// is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<CaveatEntry<'a>>,
    /// What may be wrong, each with what to do. The texts of `caveats` come first.
    warnings: Vec<&'a str>,
}

/// A question and its answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "QuestionAnswer"))]
struct QuestionEntry<'a> {
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
struct CaveatEntry<'a> {
    /// `identical`: all executions are the same one and count as one; `alike`: all gave the same
    /// whole numbers, without a seed of their own; `untested`: no execution tested the property or
    /// a part of it; `barely_tested`: the executions that tested it do not give the answer alone.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::CaveatKind::ALL.map(|kind| kind.name()))))]
    kind: &'static str,
    /// The caveat in words.
    text: &'a str,
}

/// The answer to a property, or to `--estimate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum AnswerEntry<'a> {
    Verdict(VerdictEntry<'a>),
    Value(ValueEntry<'a>),
}

/// The answer to a property.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PropertyAnswer"))]
struct VerdictEntry<'a> {
    /// The property as you wrote it.
    property: &'a str,
    /// Whether at least `probability` of all executions satisfy the property.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = CheckVerdict::ALL.map(CheckVerdict::name))))]
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
    /// every look; for `exact`, at this one.
    lower: f64,
    /// The upper end of that interval.
    upper: f64,
    /// The one-sided lower bound at `confidence`.
    lower_bound: f64,
    /// The one-sided upper bound at `confidence`.
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
struct ValueEntry<'a> {
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

/// The plan before the first execution.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlanEntry {
    /// The largest number of samples.
    samples: usize,
    /// The number of samples until the answer if all are true; `null` if the budget is too small.
    earliest_true: Option<usize>,
    /// The number of samples until the answer if all are false; `null` if the budget is too small.
    earliest_false: Option<usize>,
    /// What to expect for some true shares.
    expected: Vec<OperatingEntry>,
    /// The true share that needs the most samples.
    worst: OperatingEntry,
}

/// What to expect for a true share.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Expectation"))]
struct OperatingEntry {
    /// The true share.
    share: f64,
    /// The mean number of samples.
    samples: f64,
    /// The probability of the verdict `true`.
    says_true: f64,
    /// The probability of the verdict `false`.
    says_false: f64,
    /// The probability that it stays inconclusive.
    undecided: f64,
}

/// An execution, or a tuple of executions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExecutionEntry<'a> {
    /// The numbers of its runs.
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    runs: &'a [u64],
    /// The seeds of its runs.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    seeds: &'a [u32],
    /// The file it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// Whether it satisfies the property.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::Truth::ALL.map(|truth| truth.name()))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<&'static str>,
    /// How far the property is from changing its truth: lowest and highest. Negative if it is
    /// false.
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness: Option<[End; 2]>,
    /// The unit of the robustness.
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness_unit: Option<&'a str>,
    /// The part of the property that decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    /// The time at which it was decided, if that changes over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<f64>,
    /// The unit of that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_unit: Option<&'a str>,
    /// `true` if the execution was cut short.
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
    /// The value of the expression: lowest and highest. Present with `--estimate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<[End; 2]>,
    /// Why the execution failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

impl<'a> CheckDocument<'a> {
    /// The document of a report, with every execution if asked.
    #[must_use]
    pub fn of(joint: &'a JointReport, with_executions: bool) -> CheckDocument<'a> {
        let report = &joint.first;
        let [counted, skipped] = FAILURES;
        let [shared, per_question] = SHARING;
        let is_single = joint.only().is_some();
        CheckDocument {
            schema: own_json::SCHEMA,
            command_line: &report.command_line,
            seed: report.seed,
            environment: &report.environment,
            session: report.session,
            probability: report.probability.get(),
            confidence: report.confidence.get(),
            error: (!is_single).then_some(match joint.sharing {
                ErrorSharing::Shared => shared,
                ErrorSharing::PerQuestion => per_question,
            }),
            answer: match is_single {
                true => TopEntry::Single(QuestionEntry::of(report, with_executions)),
                false => TopEntry::Several(SeveralEntry::of(joint)),
            },
            failures: if report.leaves_failed_out { skipped } else { counted },
            unused: report.unused,
            stopped: report.stopped.name(),
            plan: report.plan.as_ref().map(PlanEntry::of),
            recorded: joint.recorded.as_ref().map(|recorded| RecordedEntry {
                folder: &recorded.folder,
                count: recorded.count,
                cpu_share: recorded.cpu_share,
                stopped_early: recorded.stopped_early,
            }),
            abnormal_count: joint.abnormal.count(),
            abnormal: joint.abnormal.listed().iter().map(AbnormalEntry::of).collect(),
            questions: joint
                .questions()
                .map(|report| QuestionEntry::of(report, with_executions && !is_single))
                .collect(),
            study: joint.study.as_ref().map(StudyEntry::of),
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

impl<'a> SeveralEntry<'a> {
    /// What is said of several questions is said once.
    fn of(joint: &'a JointReport) -> SeveralEntry<'a> {
        let mut caveats: Vec<CaveatEntry<'a>> = Vec::new();
        let mut warnings: Vec<&'a str> = Vec::new();
        for caveat in joint.questions().flat_map(|report| &report.caveats) {
            if !warnings.contains(&caveat.text.as_str()) {
                warnings.push(&caveat.text);
                caveats.push(CaveatEntry::of(caveat));
            }
        }
        for warning in joint.questions().flat_map(|report| &report.warnings) {
            if !warnings.contains(&warning.as_str()) {
                warnings.push(warning);
            }
        }
        SeveralEntry { verdict: joint.verdict().map(CheckVerdict::name), caveats, warnings }
    }
}

impl<'a> CaveatEntry<'a> {
    fn of(caveat: &'a Caveat) -> CaveatEntry<'a> {
        CaveatEntry { kind: caveat.kind.name(), text: &caveat.text }
    }
}

impl<'a> QuestionEntry<'a> {
    fn of(report: &'a CheckReport, with_executions: bool) -> QuestionEntry<'a> {
        let tally = report.tally();
        let entry = |answer: &'a PropertyAnswer| match answer {
            PropertyAnswer::Verdict { property, summary } => AnswerEntry::Verdict(
                VerdictEntry::of(property, summary, &tally, report.tuple.len()),
            ),
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
            source: judged.source.as_ref().map(ToString::to_string),
            truth: None,
            robustness: None,
            robustness_unit: None,
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
                entry.robustness = Some(ends(robustness));
                if let Some((unit, part)) = decided_by.as_deref() {
                    entry.robustness_unit = Some(unit);
                    entry.decided_by = Some(part);
                }
                if let Some((time, unit)) = at.as_deref() {
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
