//! The page of several questions: a headline, a row for each, and what explains them.

use super::headline::{executions, headline_of, quoted};
use super::share::{Round, digits, range};
use super::{aligned, alike, execution_lines, render_one, value, verdict};
use crate::layout::{
    FAINT, STRONG, Side, WARNING, push_warning, push_wrapped, shortened, styled, visible,
};
use crate::quantity::Rounding;
use crate::{Detail, percent};
use fathom_property::decide::{CheckVerdict, ErrorSharing, Method, VacuousRule};
use fathom_property::{CheckReport, JointReport, Judged, JudgedAs, PropertyAnswer, Truth};
use fathom_record::TimeUnit;
use fathom_stats::Interval;
use std::fmt::Write as _;

/// The page.
pub(super) fn render(
    joint: &JointReport,
    detail: Detail,
    time_unit: Option<TimeUnit>,
    width: usize,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &headline_of(joint), "", STRONG, width);
    for caveat in once(joint, |report| report.caveats.iter().map(|caveat| &caveat.text)) {
        push_wrapped(&mut text, &caveat, "", WARNING, width);
    }
    text.push('\n');
    rows(&mut text, joint, time_unit, width);
    if detail != Detail::Answer {
        text.push('\n');
        for line in lines(joint, again) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    if detail == Detail::Everything {
        every_question(&mut text, joint, detail, time_unit, width, again);
        // The pages of the questions say the rest.
        return text;
    }
    for warning in once(joint, |report| report.warnings.iter()) {
        push_warning(&mut text, &warning, width);
    }
    text
}

/// The pages of all questions, one after the other.
pub(super) fn every_question(
    text: &mut String,
    joint: &JointReport,
    detail: Detail,
    time_unit: Option<TimeUnit>,
    width: usize,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) {
    for (place, report) in joint.questions().enumerate() {
        let title = format!("{}: {}", place + 1, visible(report.title()));
        let _ = writeln!(text, "\n{}", styled(&title, STRONG));
        let again = |judged: &Judged| again(place, judged);
        text.push_str(&render_one(report, detail, time_unit, width, &again));
    }
}

/// What is said of all questions once, and of some with their titles.
pub(super) fn once<'a, I: Iterator<Item = &'a String>>(
    joint: &'a JointReport,
    of: impl Fn(&'a CheckReport) -> I,
) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for report in joint.questions() {
        for text in of(report) {
            match said.iter_mut().find(|(other, _)| other == text) {
                Some((_, titles)) => titles.push(report.title()),
                None => said.push((text.clone(), vec![report.title()])),
            }
        }
    }
    let all = joint.count();
    said.into_iter()
        .map(|(text, titles)| match titles.len() == all {
            true => text,
            false => format!("{}: {text}", quoted(&titles)),
        })
        .collect()
}

/// A row for each question.
fn rows(text: &mut String, joint: &JointReport, time_unit: Option<TimeUnit>, width: usize) {
    const NARROWEST: usize = 16;
    const WORST: usize = 32;
    const SIDES: [Side; 5] = [Side::Left, Side::Left, Side::Right, Side::Right, Side::Left];
    let sure = percent(joint.first.confidence.get());
    let head = ["question", "verdict", "share or value", &format!("{sure} CI"), "worst execution"];
    let mut rows = vec![head.map(String::from)];
    rows.extend(joint.questions().map(|report| row(report, time_unit)));
    rows.iter_mut().for_each(|row| row[4] = shortened(&row[4], WORST));
    // Long questions leave room for the rest.
    let others = aligned::width(&rows) - aligned::column_width(&rows, 0);
    let room = width.saturating_sub(others).max(NARROWEST);
    rows.iter_mut().for_each(|row| row[0] = shortened(&row[0], room));
    aligned::push(text, &rows, |column| SIDES[column]);
}

/// Title, verdict, share or value, interval, worst execution.
pub(super) fn row(report: &CheckReport, time_unit: Option<TimeUnit>) -> [String; 5] {
    let worst = worst(report, time_unit);
    let title = visible(report.title());
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            let Interval { lower, upper } = summary.interval;
            let ends = format!("{} to {}", digits(lower, Round::Down), digits(upper, Round::Up));
            let share = summary.estimate.map_or_else(String::new, range);
            [title, summary.verdict.name().to_string(), share, ends, worst]
        }
        PropertyAnswer::Value { value, .. } => {
            let scale = value::scale(report, value, time_unit);
            let known = value.value.map_or_else(
                || "unknown".to_string(),
                |value| scale.with_unit(value, Rounding::Nearest),
            );
            let ends = scale.ends(Some(value.interval), true);
            [title, "estimate".to_string(), known, ends, worst]
        }
    }
}

/// The worst execution, in few words.
fn worst(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    let Some(judged) = report.worst() else { return String::new() };
    let name = visible(&execution_lines::name(judged));
    match (&judged.result, &report.answer) {
        (JudgedAs::Property { truth, robustness, decided_by, .. }, _) => {
            let Some(margin) = robustness.sure().filter(|margin| margin.is_finite()) else {
                return name;
            };
            let unit = decided_by.as_deref().map_or("", |(unit, _)| unit.as_str());
            let how = match (*truth == Truth::False, judged.runs.len() > 1) {
                (true, false) => "misses by",
                (true, true) => "miss by",
                (false, false) => "holds by",
                (false, true) => "hold by",
            };
            format!("{name} {how} {}", execution_lines::short(margin.abs(), unit, time_unit))
        }
        (JudgedAs::Value(bounds), PropertyAnswer::Value { value, .. }) => {
            let scale = value::scale(report, value, time_unit);
            let shown = bounds.known().map(|value| scale.with_unit(value, Rounding::Nearest));
            format!("{name}: {}", shown.unwrap_or_default())
        }
        (JudgedAs::Failed(_), _) => format!("{name} failed"),
        (JudgedAs::Value(_), _) => name,
    }
}

/// What explains the answers.
pub(super) fn lines(
    joint: &JointReport,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> Vec<String> {
    let mut lines = vec![error(joint)];
    for (place, report) in joint.questions().enumerate() {
        let title = visible(report.title());
        let mut say = |line: String| lines.push(format!("`{title}`: {line}"));
        if let Some(alike) = alike(report) {
            say(alike);
        }
        match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => {
                let counts = &summary.counts;
                if counts.vacuous > 0 {
                    let how = match counts.vacuous_rule {
                        VacuousRule::True => "counted as true",
                        VacuousRule::False => "counted as false",
                        VacuousRule::Skip => "excluded",
                    };
                    say(format!("{} never triggered it; {how} (--vacuous)", counts.vacuous));
                }
                if counts.unknown > 0 {
                    say(format!(
                        "{} undecided (cut short or missing a value); the verdict has to hold either \
                         way",
                        super::counted(report, counts.unknown)
                    ));
                }
                if report.of_all.is_some() {
                    let of_all = verdict::of_all(report, summary);
                    say(of_all.trim_start_matches("; ").to_string());
                }
                if let Some(next) = verdict::what_next(report, summary) {
                    say(next);
                }
                if summary.verdict == CheckVerdict::False {
                    let commands =
                        report.worst().map(|judged| again(place, judged)).unwrap_or_default();
                    commands.iter().for_each(|command| say(execution_lines::to_repeat(command)));
                }
            }
            PropertyAnswer::Value { value, question, .. } => {
                if value.unknown > 0 {
                    say(format!(
                        "{} without a known value; the interval holds whatever it is",
                        super::counted(report, value.unknown)
                    ));
                }
                if !value.interval.is_finite() {
                    let needed = question.samples_needed_like(value);
                    say(format!("a two-sided interval needs at least {needed}"));
                }
            }
        }
    }
    lines.extend(surer_than_interval(joint));
    let unused = joint.first.unused;
    if unused > 0 {
        let were = if unused == 1 { "was" } else { "were" };
        lines.push(format!("{unused} more {were} finished or running by then and not counted"));
    }
    lines
}

/// Why the interval of a question can reach past F although it has a verdict.
fn surer_than_interval(joint: &JointReport) -> Option<String> {
    let f = joint.first.probability.get();
    let reaches_past = |report: &&CheckReport| match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
            CheckVerdict::True => summary.interval.lower < f,
            CheckVerdict::False => summary.interval.upper >= f,
            CheckVerdict::Inconclusive => false,
        },
        PropertyAnswer::Value { .. } => false,
    };
    let titles: Vec<&str> =
        joint.questions().filter(reaches_past).map(CheckReport::title).collect();
    let reach = if titles.len() == 1 { "the interval reaches" } else { "the intervals reach" };
    (!titles.is_empty()).then(|| {
        format!(
            "{}: {reach} past {} although the verdict is sure, because a verdict needs only one end",
            quoted(&titles),
            percent(f)
        )
    })
}

/// How sure the answers are.
pub(super) fn error(joint: &JointReport) -> String {
    let executions = format!("{} executions", executions(joint));
    let most = digits(1.0 - joint.first.confidence.get(), Round::Up);
    let summaries = || {
        joint.questions().filter_map(|report| match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => Some(summary),
            PropertyAnswer::Value { .. } => None,
        })
    };
    let verdicts = summaries().count();
    let which = match (joint.sharing, verdicts) {
        (ErrorSharing::Shared, 0) => {
            let sure = percent(joint.first.confidence.get());
            return format!("{executions}; all intervals hold together with {sure} confidence");
        }
        (ErrorSharing::Shared, 1) => "the verdict is wrong".to_string(),
        (ErrorSharing::Shared, n) => format!("any of the {n} verdicts is wrong"),
        (ErrorSharing::PerQuestion, _) => {
            return format!(
                "{executions}; each answer alone is wrong with a chance below {most} \
                 (--per-question), one of {} more often",
                joint.count()
            );
        }
    };
    let is_dependent = summaries().any(|summary| summary.dependence.is_some());
    let how = match summaries().next().map(|summary| summary.question.method) {
        _ if is_dependent => {
            return format!(
                "{executions}; the chance that {which} is at most about {most}, as far as the \
                 effective sample size is known"
            );
        }
        Some(Method::Exact) => "provided nobody looked before the last execution".to_string(),
        Some(Method::Wald { indifference }) => {
            format!("unless a true share is within {} of the required one", percent(indifference))
        }
        _ => "however often you look".to_string(),
    };
    let sure = percent(joint.first.confidence.get());
    format!(
        "{executions}; the chance that {which} is below {most}, {how} (Holm); all intervals hold together \
         with {sure} confidence"
    )
}
