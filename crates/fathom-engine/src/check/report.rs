//! From what was judged to the report.

use super::judge::Judge;
use super::panel::Panel;
use super::question::{ParsedQuestion, ValueGoal};
use super::sameness::Origin;
use crate::EngineError;
use fathom_property::decide::{
    CheckSummary, CheckVerdict, ExecutionOutcome, GivenOutcomes, Method, ProportionQuestion,
    SharedError, VacuousRule, decide_in_order, decide_together,
};
use fathom_property::{
    Bounds, Caveat, CaveatKind, CheckReport, CheckStopReason, ConditionCount, JointReport, Judged,
    JudgedAs, Note, PropertyAnswer, RecordedExecutions, ValueMethod, ValueQuestion,
};
use fathom_record::Environment;
use fathom_render::percent;
use fathom_stats::Confidence;
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
    /// With what they were measured, or from which files they are.
    pub(super) environment: Environment,
    /// Where executions were recorded, if they were.
    pub(super) recorded: Option<RecordedExecutions>,
    /// What is known beforehand to belong to the headline.
    pub(super) caveats: Vec<Caveat>,
    pub(super) warnings: Vec<String>,
}

/// The reports of all questions.
///
/// # Errors
/// The indifference does not fit the probability.
pub(super) fn joint_report(
    panel: &mut Panel,
    mut circumstances: Circumstances,
) -> Result<JointReport, EngineError> {
    // Thousands of files are listed once, not for each of a thousand groups.
    let recorded = circumstances.recorded.take();
    let all = std::mem::replace(&mut circumstances.environment, Environment::of_this_build());
    let mut summaries = match panel.only() {
        Some(_) => vec![None],
        None => together(panel, &circumstances)?,
    };
    let error = panel.error();
    let mut reports = Vec::with_capacity(panel.judges().len());
    let names = panel.names().iter().zip(panel.groups());
    for ((judge, (name, group)), summary) in panel.judges().iter().zip(names).zip(&mut summaries) {
        let report = report(judge, summary.take(), error, circumstances.clone())?;
        let sharing = panel.only().is_none().then_some(panel.sharing());
        reports.push(CheckReport { name: name.clone(), group: group.clone(), sharing, ..report });
    }
    let mut reports = reports.into_iter();
    let Some(first) = reports.next() else {
        return Err(EngineError::usage("there is no question"));
    };
    let first = CheckReport { environment: all, ..first };
    let mut joint = JointReport {
        sharing: panel.sharing(),
        first,
        others: reports.collect(),
        abnormal: panel.abnormal().clone(),
        recorded,
        study: None,
    };
    let reports = std::iter::once(&mut joint.first).chain(&mut joint.others);
    for (report, judge) in reports.zip(panel.judges_mut()) {
        report.judged = judge.take_judged();
    }
    Ok(joint)
}

/// The verdicts of several questions where they are made all at once, because all executions were there
/// or their number was fixed, or some executions count as one. `None` for the others, and for estimates.
fn together(
    panel: &Panel,
    circumstances: &Circumstances,
) -> Result<Vec<Option<CheckSummary>>, EngineError> {
    let mut verdicts: Vec<(usize, &Judge)> = Vec::new();
    let mut given: Vec<GivenOutcomes> = Vec::new();
    for (place, judge) in panel.judges().iter().enumerate() {
        let ParsedQuestion::Verdict { question, vacuous, .. } = judge.asked() else { continue };
        let is_one = judge.sameness().is_one(circumstances.origin);
        let counted = if is_one { 1 } else { usize::MAX };
        let outcomes = judge.outcomes().take(counted);
        verdicts.push((place, judge));
        given.push(GivenOutcomes::of(outcomes, *question, *vacuous));
    }
    let is_at_once = circumstances.is_given
        || verdicts.iter().any(|(_, judge)| {
            let ParsedQuestion::Verdict { question, .. } = judge.asked() else { return false };
            is_at_its_look(*question, circumstances.stopped)
                || judge.sameness().is_one(circumstances.origin)
        });
    let mut summaries = vec![None; panel.judges().len()];
    if is_at_once {
        let decided = decide_together(&given, panel.error())?;
        for ((place, _), summary) in verdicts.iter().zip(decided) {
            if let Some(entry) = summaries.get_mut(*place) {
                *entry = Some(summary);
            }
        }
    }
    Ok(summaries)
}

/// The report of a question. `summary` is the verdict if it was made together with others; `error` is
/// that of all questions.
fn report(
    judge: &Judge,
    summary: Option<CheckSummary>,
    error: &SharedError,
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
        environment,
        recorded: _,
        caveats,
        warnings,
    } = circumstances;
    // Executions that are one and the same say no more than the first.
    let is_one = judge.sameness().is_one(origin);
    let counted = if is_one { 1 } else { usize::MAX };
    let probability = match judge.asked() {
        ParsedQuestion::Verdict { question, .. } => question.probability,
        ParsedQuestion::Value { question, .. } => question.probability,
    };
    let is_alone = judge.is_alone();
    let answer = match judge.asked() {
        ParsedQuestion::Verdict { property, question, vacuous } => {
            let summary = match (summary, judge.course()) {
                (Some(summary), _) => summary,
                (None, Some(course)) if !is_alone => course.summary(),
                (None, Some(course))
                    if !is_given && !is_one && !is_at_its_look(*question, stopped) =>
                {
                    course.summary()
                }
                // All at once: their number was fixed, or is not known to have been.
                _ => {
                    let outcomes = judge.outcomes().take(counted);
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
    let of_all = of_all(judge, stopped, error.strictest())?;
    let mut all = warnings;
    all.extend(notes(judge));
    all.extend(about_method(&answer, is_given));
    if is_given && !is_one && is_alone {
        all.extend(at_one_look(judge, &answer));
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
        let question = ProportionQuestion { confidence: error.strictest(), ..*question };
        caveats.extend(untested(judge, summary, question, &conditions, many));
    }
    caveats.extend(judge.host_time().map(host_time));
    Ok(CheckReport {
        name: None,
        group: None,
        command_line,
        seed,
        environment,
        session,
        probability,
        confidence: error.confidence(),
        sharing: None,
        answer,
        tuple: judge.tuple_names(),
        judged: Vec::new(),
        leaves_failed_out: judge.leaves_failed_out(),
        of_all,
        asks_precision: matches!(
            judge.asked(),
            ParsedQuestion::Value { goal: ValueGoal::Precise(_), .. }
        ),
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
    outcomes: impl IntoIterator<Item = (ExecutionOutcome, Option<f64>)>,
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
fn of_all(
    judge: &Judge,
    stopped: CheckStopReason,
    confidence: Confidence,
) -> Result<Option<PropertyAnswer>, EngineError> {
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
            let outcomes = judge.outcomes().map(unknown);
            let summary = decided(
                outcomes,
                ProportionQuestion { method, confidence, ..*question },
                *vacuous,
            )?;
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
            Note::WithoutValue(what) => format!(
                "{count} of {} need {what}, which has no value and leaves the property open there",
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
fn at_one_look(judge: &Judge, now: &PropertyAnswer) -> Option<String> {
    let ParsedQuestion::Verdict { question, vacuous, .. } = judge.asked() else { return None };
    let PropertyAnswer::Verdict { summary: now, .. } = now else { return None };
    if question.method != Method::Anytime || now.verdict != CheckVerdict::Inconclusive {
        return None;
    }
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
