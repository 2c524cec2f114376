//! From what was judged to the report.

use super::judge::Judge;
use super::question::ParsedQuestion;
use super::sameness::Origin;
use crate::EngineError;
use fathom_property::decide::{
    CheckSummary, CheckVerdict, ExecutionOutcome, Method, ProportionQuestion, VacuousRule,
    decide_in_order,
};
use fathom_property::{
    Bounds, Caveat, CaveatKind, CheckReport, CheckStopReason, ConditionCount, Judged, JudgedAs,
    Note, PropertyAnswer, Truth, ValueMethod, ValueQuestion,
};
use fathom_record::Environment;
use fathom_render::percent;
use fathom_stats::proportion::SampleSizePlan;

/// What is known besides what was judged.
#[derive(Debug, Clone)]
pub(super) struct Circumstances {
    /// The command that asked.
    pub(super) command_line: String,
    pub(super) seed: u64,
    pub(super) session: Option<i64>,
    pub(super) unused: usize,
    pub(super) stopped: CheckStopReason,
    pub(super) plan: Option<SampleSizePlan>,
    /// Whether all executions existed before the first look.
    pub(super) is_given: bool,
    /// Where executions come from.
    pub(super) origin: Origin,
    /// What is known beforehand to belong to the headline.
    pub(super) caveats: Vec<Caveat>,
    pub(super) warnings: Vec<String>,
}

/// The report.
///
/// # Errors
/// The indifference does not fit the probability.
pub(super) fn report(
    judge: &Judge,
    circumstances: Circumstances,
) -> Result<CheckReport, EngineError> {
    let Circumstances {
        command_line,
        seed,
        session,
        unused,
        stopped,
        plan,
        is_given,
        origin,
        caveats,
        warnings,
    } = circumstances;
    // Executions that are one and the same say no more than the first.
    let is_one = judge.sameness().is_one(origin);
    let counted = if is_one { 1 } else { usize::MAX };
    let (probability, confidence) = match judge.asked() {
        ParsedQuestion::Verdict { question, .. } => (question.probability, question.confidence),
        ParsedQuestion::Value { question, .. } => (question.probability, question.confidence),
    };
    let answer = match judge.asked() {
        ParsedQuestion::Verdict { property, question, vacuous } => {
            let summary = match judge.course() {
                Some(course) if !is_given && !is_one && !is_at_its_look(*question, stopped) => {
                    course.summary()
                }
                // All at once: their number was fixed, or is not known to have been.
                _ => {
                    let outcomes = judge.outcomes().into_iter().take(counted).collect();
                    decided(outcomes, *question, *vacuous)?
                }
            };
            PropertyAnswer::Verdict { property: property.text().to_string(), summary }
        }
        ParsedQuestion::Value { question, .. } => {
            let question = as_stopped(*question, stopped);
            let values = judge.values();
            valued(judge, question, values.get(..counted).unwrap_or(values))
        }
    };
    let of_all = of_all(judge, stopped)?;
    let mut all = warnings;
    all.extend(notes(judge));
    all.extend(about_method(&answer, is_given));
    if is_given && !is_one {
        all.extend(at_one_look(judge));
    }
    let many = match judge.tuple_names().len() {
        0 | 1 => "executions",
        2 => "pairs",
        _ => "tuples",
    };
    let conditions = judge.conditions();
    let mut caveats = caveats;
    caveats.extend(judge.sameness().caveat(origin, many));
    if let (PropertyAnswer::Verdict { summary, .. }, ParsedQuestion::Verdict { question, .. }) =
        (&answer, judge.asked())
    {
        caveats.extend(untested(judge, summary, *question, &conditions, many));
    }
    caveats.extend(judge.host_time().map(host_time));
    Ok(CheckReport {
        command_line,
        seed,
        environment: Environment::of_this_build(),
        session,
        probability,
        confidence,
        answer,
        tuple: judge.tuple_names(),
        judged: judge.judged().to_vec(),
        leaves_failed_out: judge.leaves_failed_out(),
        of_all,
        asks_precision: matches!(judge.asked(), ParsedQuestion::Value { precision: Some(_), .. }),
        unused,
        stopped,
        plan,
        conditions,
        caveats,
        warnings: all,
    })
}

/// Whether an exact test has come to its one look: all planned executions are done, even if some of
/// them do not count.
fn is_at_its_look(question: ProportionQuestion, stopped: CheckStopReason) -> bool {
    question.method == Method::Exact && stopped == CheckStopReason::Fixed
}

/// A number of executions that the clock or the user decided on is not fixed beforehand: how many
/// there are then depends on how long they took.
fn as_stopped(question: ValueQuestion, stopped: CheckStopReason) -> ValueQuestion {
    match (question.method, stopped) {
        (ValueMethod::Exact, CheckStopReason::MaxTime | CheckStopReason::Interrupted) => {
            ValueQuestion { method: ValueMethod::Anytime, ..question }
        }
        _ => question,
    }
}

fn decided(
    outcomes: Vec<(ExecutionOutcome, Option<f64>)>,
    question: ProportionQuestion,
    vacuous: VacuousRule,
) -> Result<CheckSummary, EngineError> {
    Ok(decide_in_order(outcomes, question, vacuous)?)
}

fn valued(judge: &Judge, question: ValueQuestion, values: &[Bounds]) -> PropertyAnswer {
    PropertyAnswer::Value {
        expression: judge.asked().text().to_string(),
        unit: judge.unit(),
        question,
        value: question.answer(values),
    }
}

/// Where failed executions are left out: the answer about all of them, whatever those that failed
/// would have given.
fn of_all(judge: &Judge, stopped: CheckStopReason) -> Result<Option<PropertyAnswer>, EngineError> {
    let has_failed = judge.judged().iter().any(|one| matches!(one.result, JudgedAs::Failed(_)));
    if !judge.leaves_failed_out() || !has_failed {
        return Ok(None);
    }
    Ok(Some(match judge.asked() {
        ParsedQuestion::Verdict { property, question, vacuous } => {
            let method = match question.method {
                Method::Exact if stopped != CheckStopReason::Fixed => Method::Anytime,
                method => method,
            };
            let unknown = |(outcome, margin)| match outcome {
                ExecutionOutcome::Skipped => (ExecutionOutcome::Unknown, None),
                _ => (outcome, margin),
            };
            let outcomes = judge.outcomes().into_iter().map(unknown).collect();
            let summary = decided(outcomes, ProportionQuestion { method, ..*question }, *vacuous)?;
            PropertyAnswer::Verdict { property: property.text().to_string(), summary }
        }
        ParsedQuestion::Value { question, .. } => {
            let bounds = |one: &Judged| match &one.result {
                JudgedAs::Value(bounds) => *bounds,
                _ => Bounds::UNKNOWN,
            };
            let values: Vec<Bounds> = judge.judged().iter().map(bounds).collect();
            valued(judge, as_stopped(*question, stopped), &values)
        }
    }))
}

/// Whether the property was put to the test.
fn untested(
    judge: &Judge,
    summary: &CheckSummary,
    question: ProportionQuestion,
    conditions: &[ConditionCount],
    many: &str,
) -> Vec<Caveat> {
    let counts = &summary.counts;
    let never: Vec<&ConditionCount> = conditions.iter().filter(|one| one.held_in == 0).collect();
    let quoted = |conditions: &[&ConditionCount]| {
        let all: Vec<String> =
            conditions.iter().map(|one| format!("`{}`", one.condition)).collect();
        all.join(", ")
    };
    let total = judge.judged().len();
    let is_true = summary.verdict == CheckVerdict::True;
    let tested = counts.satisfied + counts.violated;
    if counts.vacuous > 0 && tested == 0 && counts.vacuous_rule == VacuousRule::True {
        let why = match never.as_slice() {
            [] => format!("its conditions held in none of the {total} {many}"),
            never => format!("{} never held in any of the {total} {many}", quoted(&never[..1])),
        };
        return vec![Caveat::new(
            CaveatKind::Untested,
            format!(
                "The property was never tested: {why}. Look for executions in which it does, or \
                 say by --vacuous false that they do not count as true."
            ),
        )];
    }
    // Of those that were tested alone, would the answer be the same?
    if counts.vacuous > 0 && is_true && counts.vacuous_rule == VacuousRule::True {
        let alone = decided(judge.outcomes(), question, VacuousRule::Skip);
        if alone.is_ok_and(|alone| alone.verdict != CheckVerdict::True) {
            return vec![Caveat::new(
                CaveatKind::BarelyTested,
                format!(
                    "Only {tested} of the {total} {many} tested the property; the other {} count as \
                     true because its conditions never held in them. The tested ones alone are too \
                     few to decide; --vacuous skip asks about them alone.",
                    counts.vacuous
                ),
            )];
        }
    }
    // Other parts of the property were tested, this one not.
    if is_true && !never.is_empty() && total > 0 {
        let what = if never.len() == 1 { "that part was" } else { "these parts were" };
        return vec![Caveat::new(
            CaveatKind::Untested,
            format!(
                "{} never held in any of the {total} {many}, so {what} never tested.",
                quoted(&never)
            ),
        )];
    }
    Vec::new()
}

fn host_time(simulated: &str) -> Caveat {
    let what = if simulated == "duration" { "its length is" } else { "the simulated time is" };
    Caveat::new(
        CaveatKind::HostTime,
        format!(
            "`runtime` is host time: how long the simulator took on this machine. If you mean the \
             simulated execution, {what} `{simulated}`."
        ),
    )
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

fn about_method(answer: &PropertyAnswer, is_given: bool) -> Option<String> {
    let PropertyAnswer::Verdict { summary, .. } = answer else { return None };
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

/// Data whose number was fixed before the first look allow the sharper test. Only the user knows.
fn at_one_look(judge: &Judge) -> Option<String> {
    let ParsedQuestion::Verdict { question, vacuous, .. } = judge.asked() else { return None };
    if question.method != Method::Anytime {
        return None;
    }
    let now = decide_in_order(judge.outcomes(), *question, *vacuous).ok()?;
    let exact = ProportionQuestion { method: Method::Exact, ..*question };
    let then = decide_in_order(judge.outcomes(), exact, *vacuous).ok()?;
    let answer = match (now.verdict, then.verdict) {
        (CheckVerdict::Inconclusive, CheckVerdict::True) => "true",
        (CheckVerdict::Inconclusive, CheckVerdict::False) => "false",
        _ => return None,
    };
    Some(format!(
        "if the number of executions was fixed before anybody looked, --method exact answers: \
         {answer}"
    ))
}

/// What a judged execution says, for a count that does not look at their order.
pub(super) fn outcome(judged: &Judged, counts_failures: bool) -> ExecutionOutcome {
    match &judged.result {
        JudgedAs::Property { truth, .. } => ExecutionOutcome::from(*truth),
        JudgedAs::Failed(_) if counts_failures => ExecutionOutcome::Failed,
        JudgedAs::Failed(_) => ExecutionOutcome::Skipped,
        JudgedAs::Value(_) => ExecutionOutcome::from(Truth::Unknown),
    }
}
