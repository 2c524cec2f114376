//! What `fathom check` found, for people.

mod abnormal;
mod aligned;
mod beforehand;
mod execution_lines;
mod headline;
mod picture;
mod rows;
mod several;
mod several_rows;
mod share;
mod study;
mod study_comparisons;
mod study_grid;
mod value;
mod verdict;

use crate::layout::{FAINT, STRONG, WARNING, push_warning, push_wrapped};
use crate::{Detail, Table, core_share};
use fathom_property::{
    CheckCost, CheckExpectation, CheckPlan, CheckReport, JointReport, Judged, PropertyAnswer,
    RecordedExecutions, Tally,
};
use fathom_record::trace::MOST_SHARE;
use fathom_record::{TimeUnit, shell};
use fathom_stats::Interval;
use fathom_stats::dependence::SAMPLES_TO_JUDGE;

/// What to expect of a check before its first execution, in lines.
#[must_use]
pub fn expectation(expected: &CheckExpectation) -> Vec<String> {
    match expected {
        CheckExpectation::Property { question, plan, budget } => {
            beforehand::beforehand(*question, plan, *budget)
        }
        CheckExpectation::Estimate { question, budget, is_fixed } => {
            vec![beforehand::value_beforehand(question, *budget, *is_fixed)]
        }
        CheckExpectation::Several { count, sharing, of_each } => {
            beforehand::several_beforehand(*count, *sharing, of_each)
        }
    }
}

/// What the executions of a check will cost, from the first few, in a line.
#[must_use]
pub fn cost(cost: &CheckCost) -> String {
    beforehand::cost(cost)
}

/// The page of a plan: how many executions to expect, and the first commands. The short one says only
/// how many an answer needs.
#[must_use]
pub fn render_plan(plan: &CheckPlan, detail: Detail) -> String {
    if let Some(study) = &plan.study {
        let mut text = beforehand::study(study);
        let lines = plan.expectation.as_ref().map(expectation).unwrap_or_default();
        if detail != Detail::Answer {
            text.push_str("\nIn each cell:\n");
            text.extend(lines.iter().map(|line| format!("{line}\n")));
            text.push_str("\nThe first executions:\n");
            text.extend(plan.commands.iter().map(|command| format!("  {command}\n")));
        }
        return text;
    }
    let lines = plan.expectation.as_ref().map(expectation).unwrap_or_default();
    if let (Detail::Answer, [first, ..]) = (detail, lines.as_slice()) {
        return format!("{first}\n");
    }
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if let Some(table) = beforehand::guidance(&plan.guidance) {
        text.push('\n');
        text.push_str(&table);
    }
    text.push_str("\nThe first executions:\n");
    text.extend(plan.commands.iter().map(|command| format!("  {command}\n")));
    text
}

/// The page of a check in `width` columns, times in the unit that was chosen. `again` gives the commands
/// that repeat an execution of the question at a place.
#[must_use]
pub fn render(
    joint: &JointReport,
    detail: Detail,
    time_unit: Option<TimeUnit>,
    width: usize,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> String {
    let mut text = match (&joint.study, joint.only()) {
        (Some(of), _) => study::render(joint, of, detail, time_unit, width, again),
        (None, Some(report)) => {
            render_one(report, detail, time_unit, width, &|judged| again(0, judged))
        }
        (None, None) => several::render(joint, detail, time_unit, width, again),
    };
    if detail != Detail::Answer {
        for line in joint.recorded.iter().flat_map(recorded) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
        let shows_all = detail == Detail::Everything;
        for (indent, line) in abnormal::lines(joint, shows_all) {
            push_wrapped(&mut text, &line, &" ".repeat(indent), FAINT, width);
        }
    }
    text
}

/// Where executions were recorded, and what that cost.
fn recorded(recorded: &RecordedExecutions) -> Vec<String> {
    let share = recorded.cpu_share.map_or(String::new(), |share| {
        let less = if share > MOST_SHARE { " (a longer --every takes less)" } else { "" };
        format!("; sampling took {} while an execution ran{less}", core_share(share))
    });
    let mut lines = vec![
        format!("{} executions were recorded{share}", recorded.count),
        format!(
            "to find out why: fathom explain {} --target METRIC --suggest",
            shell::quoted(&recorded.folder)
        ),
    ];
    if recorded.stopped_early > 0 {
        lines.push(format!(
            "in {} of them recording stopped early; `fathom show` of a trace says why",
            recorded.stopped_early
        ));
    }
    lines
}

/// The table of a check: executions for programs and the answer for documents, or with several questions a
/// row for each.
#[must_use]
pub fn table(joint: &JointReport, time_unit: Option<TimeUnit>) -> Table {
    match (&joint.study, joint.only()) {
        (None, Some(report)) => rows::table(report, time_unit),
        _ => several_rows::table(joint, time_unit),
    }
}

/// A question and its answer, in the words of a table's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionRow {
    /// What the question is called.
    pub title: String,
    /// "true", "false", "inconclusive" or "estimate".
    pub verdict: String,
    /// The share that was seen, or the value.
    pub estimate: String,
    /// Its interval.
    pub interval: String,
    /// The worst execution, in few words.
    pub worst: String,
}

/// A question and its answer, in the words of a table's row.
#[must_use]
pub fn question_row(report: &CheckReport, time_unit: Option<TimeUnit>) -> QuestionRow {
    let [title, verdict, estimate, interval, worst] = several::row(report, time_unit);
    QuestionRow { title, verdict, estimate, interval, worst }
}

/// The answer to all questions in a sentence or two.
#[must_use]
pub fn answer_in_words(joint: &JointReport, time_unit: Option<TimeUnit>) -> String {
    match (&joint.study, joint.only()) {
        (Some(_), _) => study::headline(joint),
        (None, Some(report)) => question_in_words(report, time_unit),
        (None, None) => headline::headline_of(joint),
    }
}

/// What explains the answers to several questions, and which executions failed, a line each. `again` gives
/// the commands that repeat an execution of the question at a place.
#[must_use]
pub fn joint_notes(
    joint: &JointReport,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> Vec<String> {
    let mut lines = match (&joint.study, joint.only()) {
        (Some(of), _) => study::notes(joint, of, again),
        (None, Some(_)) => Vec::new(),
        (None, None) => several::lines(joint, again),
    };
    lines.extend(joint.recorded.iter().flat_map(recorded));
    lines.extend(abnormal::sentences(joint));
    lines
}

/// The answer to one question in a sentence, and what became of its executions.
#[must_use]
pub fn question_in_words(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    let sentence = match &report.answer {
        PropertyAnswer::Verdict { property, summary } => {
            verdict::sentence(report, property, summary)
        }
        PropertyAnswer::Value { .. } => value::sentence(report, time_unit),
    };
    match what_became(report, report.tally()) {
        Some(became) => format!("{sentence} {became}"),
        None => sentence,
    }
}

/// What explains the answer to one question, a line each. `again` gives the commands that repeat an
/// execution.
#[must_use]
pub fn question_notes(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            verdict::lines(report, summary, time_unit, again)
        }
        PropertyAnswer::Value { .. } => value::lines(report),
    }
}

/// The interval of a ratio of a study's comparison.
#[must_use]
pub fn ratio_interval(interval: Interval) -> String {
    study_comparisons::ends(interval)
}

/// An execution and what came of it, in a line.
#[must_use]
pub fn execution_in_words(judged: &Judged, time_unit: Option<TimeUnit>) -> String {
    execution_lines::one_execution(judged, time_unit)
}

/// What an execution or a tuple is called: its file, or its number.
#[must_use]
pub fn execution_name(judged: &Judged) -> String {
    execution_lines::name(judged)
}

/// The page of one question.
#[must_use]
pub fn render_one(
    report: &CheckReport,
    detail: Detail,
    time_unit: Option<TimeUnit>,
    width: usize,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> String {
    let mut text = String::new();
    let sentence = question_in_words(report, time_unit);
    push_wrapped(&mut text, &sentence, "", STRONG, width);
    for caveat in &report.caveats {
        push_wrapped(&mut text, &caveat.text, "", WARNING, width);
    }
    if detail == Detail::Answer {
        push_warnings(&mut text, report, width);
        return text;
    }
    let picture = match &report.answer {
        PropertyAnswer::Verdict { .. } => picture::robustness(report, time_unit, width),
        PropertyAnswer::Value { .. } => picture::values(report, time_unit, width),
    };
    if let Some(picture) = picture {
        text.push('\n');
        text.push_str(&picture);
    }
    text.push('\n');
    let lines = match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            verdict::lines(report, summary, time_unit, again)
        }
        PropertyAnswer::Value { .. } => value::lines(report),
    };
    for line in lines {
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    if detail == Detail::Everything {
        text.push('\n');
        for line in execution_lines::every_execution(report, time_unit) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    push_warnings(&mut text, report, width);
    text
}

/// Part of the short answer too: what an answer rests on is not a detail of it.
fn push_warnings(text: &mut String, report: &CheckReport, width: usize) {
    for warning in &report.warnings {
        push_warning(text, warning, width);
    }
}

/// "execution", or what is made of several: "pair", "tuple".
pub(super) fn noun(report: &CheckReport, count: usize) -> String {
    let one = match report.tuple.len() {
        0 | 1 => "execution",
        2 => "pair",
        _ => "tuple",
    };
    if count == 1 { one.to_string() } else { format!("{one}s") }
}

/// A number of things with its noun: "1 execution", "37 executions".
pub(super) fn counted(report: &CheckReport, count: usize) -> String {
    format!("{count} {}", noun(report, count))
}

/// How many executions were cut, failed or say nothing: part of every answer, also of the short
/// one, because the rest of it does not show that.
fn what_became(report: &CheckReport, tally: Tally) -> Option<String> {
    let Tally { executions, cut, failed, unknown } = tally;
    let mut parts = Vec::new();
    if failed > 0 {
        let how = match (&report.answer, report.leaves_failed_out) {
            (_, true) => "failed (excluded)",
            (PropertyAnswer::Verdict { .. }, false) => "failed (counted as false)",
            (PropertyAnswer::Value { .. }, false) => "failed (counted as the worst case)",
        };
        parts.push(format!("{failed} {how}"));
    }
    if cut > 0 {
        parts.push(format!("{cut} {} cut short", if cut == 1 { "was" } else { "were" }));
    }
    if unknown > 0 {
        parts.push(match &report.answer {
            PropertyAnswer::Verdict { .. } if unknown == 1 => "1 is undecided".to_string(),
            PropertyAnswer::Verdict { .. } => format!("{unknown} are undecided"),
            PropertyAnswer::Value { .. } if unknown == 1 => "1 has no known value".to_string(),
            PropertyAnswer::Value { .. } => format!("{unknown} have no known value"),
        });
    }
    let last = parts.pop()?;
    let list = match parts.is_empty() {
        true => last,
        false => format!("{} and {last}", parts.join(", ")),
    };
    Some(format!("Of {}, {list}.", counted(report, executions)))
}

/// That executions are not independent, and their effective number.
fn alike(report: &CheckReport) -> Option<String> {
    let (alike, samples) = match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => (summary.dependence, summary.counts.samples()),
        PropertyAnswer::Value { value, .. } => (value.dependence, value.samples),
    };
    let alike = alike?;
    let lag1 = format!("{:.2}", alike.lag1);
    Some(format!(
        "{} are autocorrelated (lag-1 {lag1}), so {samples} count as {} independent ones",
        noun(report, 2),
        alike.worth(samples)
    ))
}

/// What to do about executions that depend on each other, or that are too few to tell.
fn independence(report: &CheckReport) -> Option<String> {
    let (is_dependent, samples, is_sure) = match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            (summary.dependence.is_some(), summary.counts.samples(), summary.decided_at.is_some())
        }
        PropertyAnswer::Value { value, .. } => {
            (value.dependence.is_some(), value.samples, value.interval.is_finite())
        }
    };
    let is_given = report.judged.iter().any(|judged| judged.source.is_some());
    match (is_dependent, is_given) {
        (true, true) => Some(format!(
            "{} from separate fresh starts carry more information than many from one session",
            noun(report, 2)
        )),
        (true, false) => Some(
            "check whether one affects the next, or whether the machine's load changes".to_string(),
        ),
        (false, true) if is_sure && samples < SAMPLES_TO_JUDGE => Some(format!(
            "assuming independent {}: {samples} are too few to check",
            noun(report, 2)
        )),
        (false, _) => None,
    }
}
