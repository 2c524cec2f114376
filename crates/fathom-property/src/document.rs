//! The JSON contract of a check: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning.

mod abnormal;
mod answer;
mod execution;
mod plan;
mod question;

use crate::JointReport;
use crate::decide::{CheckVerdict, ErrorSharing};
use crate::study::StudyEntry;
use abnormal::AbnormalEntry;
use fathom_record::Environment;
use fathom_record::own_json;
use plan::PlanEntry;
use question::{CaveatEntry, QuestionEntry};
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
