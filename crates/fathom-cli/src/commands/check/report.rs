//! From what was judged to the report.

use super::judge::Judge;
use super::question::Asked;
use crate::commands::written;
use crate::failure::Failure;
use fathom_property::decide::{Method, Outcome, Question, Verdict, decide_fixed};
use fathom_property::{Answer, CheckReport, Judged, JudgedAs, Note, Stopped, Truth};
use fathom_record::Environment;
use fathom_render::percent;
use fathom_stats::proportion::Plan;

/// What is known besides what was judged.
#[derive(Debug, Clone)]
pub(super) struct Circumstances {
    pub(super) words: Vec<String>,
    pub(super) seed: u64,
    pub(super) session: Option<i64>,
    pub(super) unused: usize,
    pub(super) stopped: Stopped,
    pub(super) plan: Option<Plan>,
    /// Whether all executions were there before anybody looked.
    pub(super) is_given: bool,
    pub(super) warnings: Vec<String>,
}

/// The report.
///
/// # Errors
/// The indifference does not fit the probability.
pub(super) fn report(judge: &Judge, circumstances: Circumstances) -> Result<CheckReport, Failure> {
    let Circumstances { words, seed, session, unused, stopped, plan, is_given, warnings } =
        circumstances;
    let (probability, confidence) = match judge.asked() {
        Asked::Verdict { question, .. } => (question.probability, question.confidence),
        Asked::Value { question, .. } => (question.probability, question.confidence),
    };
    let answer = match judge.asked() {
        Asked::Verdict { property, question, vacuous } => {
            let summary = match judge.course() {
                Some(course) if !is_given => course.summary(),
                // All at once: their order means nothing.
                _ => decide_fixed(judge.outcomes(), *question, *vacuous).map_err(Failure::input)?,
            };
            Answer::Verdict { property: property.text().to_string(), summary }
        }
        Asked::Value { expression, question, .. } => Answer::Value {
            expression: expression.text().to_string(),
            unit: judge.unit(),
            question: *question,
            value: question.answer(judge.values()),
        },
    };
    let mut all = warnings;
    all.extend(notes(judge));
    all.extend(about_method(&answer, is_given));
    if is_given {
        all.extend(at_one_look(judge));
    }
    Ok(CheckReport {
        command_line: written::command_line(words.iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session,
        probability,
        confidence,
        answer,
        tuple: judge.tuple_names(),
        judged: judge.judged().to_vec(),
        unused,
        stopped,
        plan,
        warnings: all,
    })
}

fn notes(judge: &Judge) -> Vec<String> {
    judge
        .notes()
        .iter()
        .map(|(note, count)| match note {
            Note::EmptyWindow => format!(
                "in {count} of {} a window began after the end of the execution; \"always\" in it \
                 counts as true and \"eventually\" as false",
                judge.judged().len()
            ),
            Note::Missing(name) => format!(
                "{count} of {} have no {name}, which leaves the property open there",
                judge.judged().len()
            ),
        })
        .collect()
}

fn about_method(answer: &Answer, is_given: bool) -> Option<String> {
    let Answer::Verdict { summary, .. } = answer else { return None };
    match summary.question.method {
        Method::Spa if !is_given => Some(format!(
            "the paper's rule looks after every execution as if it were the only look: asked for \
             {}, it is wrong in up to {} of all cases within this budget. Leave out --method spa \
             for an answer that keeps its promise",
            percent(summary.question.confidence.get()),
            percent((summary.error_bound * 1e3).ceil() / 1e3)
        )),
        Method::Spa => Some(
            "the paper's rule is right here only if the number of executions was fixed before \
             anybody looked"
                .to_string(),
        ),
        _ => None,
    }
}

/// Data whose number was fixed before anybody looked allow the sharper test. Only the user knows.
fn at_one_look(judge: &Judge) -> Option<String> {
    let Asked::Verdict { question, vacuous, .. } = judge.asked() else { return None };
    if question.method != Method::Anytime {
        return None;
    }
    let now = decide_fixed(judge.outcomes(), *question, *vacuous).ok()?;
    let exact = Question { method: Method::Exact, ..*question };
    let then = decide_fixed(judge.outcomes(), exact, *vacuous).ok()?;
    let answer = match (now.verdict, then.verdict) {
        (Verdict::Inconclusive, Verdict::True) => "true",
        (Verdict::Inconclusive, Verdict::False) => "false",
        _ => return None,
    };
    Some(format!(
        "if the number of executions was fixed before anybody looked, --method exact answers: \
         {answer}"
    ))
}

/// What a judged execution says, for a count that does not look at their order.
pub(super) fn outcome(judged: &Judged, counts_failures: bool) -> Outcome {
    match &judged.result {
        JudgedAs::Property { truth, .. } => Outcome::from(*truth),
        JudgedAs::Failed(_) if counts_failures => Outcome::Failed,
        JudgedAs::Failed(_) => Outcome::Skipped,
        JudgedAs::Value(_) => Outcome::from(Truth::Unknown),
    }
}
