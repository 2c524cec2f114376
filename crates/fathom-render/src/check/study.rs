//! The page of a study: the answer in words, the grid, comparisons, and what failed where.

use super::execution_lines::to_repeat;
use super::share::{Round, digits};
use super::{headline, several, study_comparisons, study_grid};
use crate::layout::{FAINT, STRONG, WARNING, push_warning, push_wrapped, visible};
use crate::{Detail, percent};
use fathom_property::decide::{CheckVerdict, ErrorSharing};
use fathom_property::{AnswerCounts, CheckReport, JointReport, Judged, PropertyAnswer, Study};
use fathom_record::TimeUnit;

/// Of many cells the first ones are named.
const NAMED: usize = 3;

/// The page.
pub(super) fn render(
    joint: &JointReport,
    study: &Study,
    detail: Detail,
    time_unit: Option<TimeUnit>,
    width: usize,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &headline(joint), "", STRONG, width);
    for caveat in several::once(joint, |report| report.caveats.iter().map(|caveat| &caveat.text)) {
        push_wrapped(&mut text, &caveat, "", WARNING, width);
    }
    text.push('\n');
    study_grid::push(&mut text, joint, study, time_unit, width);
    if !study.comparisons.is_empty() {
        text.push('\n');
        for comparison in &study.comparisons {
            for (indent, line) in study_comparisons::lines(joint, study, comparison) {
                push_wrapped(&mut text, &line, indent, STRONG, width);
            }
        }
    }
    if detail != Detail::Answer {
        text.push('\n');
        for line in lines(joint, study, again) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    if detail == Detail::Everything {
        several::every_question(&mut text, joint, detail, time_unit, width, again);
        return text;
    }
    for warning in several::once(joint, |report| report.warnings.iter()) {
        push_warning(&mut text, &warning, width);
    }
    text
}

/// The answer in words, and what became of the executions.
pub(super) fn headline(joint: &JointReport) -> String {
    let headline = [Some(answer(joint)), headline::what_became(joint)];
    let headline: Vec<String> = headline.into_iter().flatten().collect();
    headline.join(" ")
}

/// What explains the answers: comparisons, and what the page says below the grid.
pub(super) fn notes(
    joint: &JointReport,
    study: &Study,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> Vec<String> {
    let compared = study.comparisons.iter();
    let compared = compared.flat_map(|one| study_comparisons::lines(joint, study, one));
    // The ratio in each cell is in the figure.
    let compared = compared.filter(|(indent, _)| *indent == study_comparisons::INDENT);
    compared.map(|(_, line)| line).chain(lines(joint, study, again)).collect()
}

/// "5 of 8 promises hold; 2 are broken: ..., 1 is undecided".
fn answer(joint: &JointReport) -> String {
    let AnswerCounts { holds, broken, open, estimates } = joint.answers();
    let all = holds + broken + open;
    let sure = headline::confidence(joint);
    if all == 0 {
        return format!("{estimates} values ({sure}).");
    }
    let share = percent(joint.first.probability.get());
    let promises = if all == 1 { "promise" } else { "promises" };
    let verb = if holds == 1 { "holds" } else { "hold" };
    let mut rest = Vec::new();
    for (count, what, verdict) in
        [(broken, "broken", CheckVerdict::False), (open, "undecided", CheckVerdict::Inconclusive)]
    {
        let is = |report: &&CheckReport| match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => summary.verdict == verdict,
            PropertyAnswer::Value { .. } => false,
        };
        let titles: Vec<String> =
            joint.questions().filter(is).map(|report| visible(report.title())).collect();
        let are = if count == 1 { "is" } else { "are" };
        if count > 0 {
            rest.push(format!("{count} {are} {what}: {}", some(&titles, "; ")));
        }
    }
    let rest = if rest.is_empty() { String::new() } else { format!(". {}", rest.join(". ")) };
    format!("{holds} of {all} {promises} {verb} for at least {share} of executions ({sure}){rest}.")
}

/// The first of these, and how many more there are.
fn some(all: &[String], between: &str) -> String {
    let shown: Vec<&str> = all.iter().take(NAMED).map(String::as_str).collect();
    match all.len().saturating_sub(NAMED) {
        0 => shown.join(between),
        more => format!("{}{between}{more} more", shown.join(between)),
    }
}

/// What explains the answers.
fn lines(
    joint: &JointReport,
    study: &Study,
    again: &dyn Fn(usize, &Judged) -> Vec<String>,
) -> Vec<String> {
    let mut lines = vec![several::error(joint)];
    let kept: usize = study.systems().map(|system| system.kept).sum();
    if kept > 0 {
        lines.push(format!("{kept} of them were performed by earlier studies and kept"));
    }
    if study.shares_seeds {
        lines.push("the same seeds in all systems and combinations (--shared-seeds)".to_string());
    }
    let broken = joint.questions().enumerate().filter(|(_, report)| match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => summary.verdict == CheckVerdict::False,
        PropertyAnswer::Value { .. } => false,
    });
    for (place, report) in broken.take(NAMED) {
        let commands = report.worst().map(|judged| again(place, judged)).unwrap_or_default();
        for command in commands {
            let title = visible(report.title());
            lines.push(format!("`{title}`: {}", to_repeat(&command)));
        }
    }
    for (place, report) in joint.questions().enumerate().take(study.questions_of_cell()) {
        let PropertyAnswer::Value { question, .. } = &report.answer else { continue };
        let open = (0..study.cells.len())
            .filter_map(|cell| joint.questions().nth(cell * study.questions_of_cell() + place));
        let is_open = |report: &&CheckReport| match &report.answer {
            PropertyAnswer::Value { value, .. } => !value.interval.is_finite(),
            PropertyAnswer::Verdict { .. } => false,
        };
        let open: Vec<&CheckReport> = open.filter(is_open).collect();
        if !open.is_empty() {
            let title = study.questions.get(place).map_or("", String::as_str);
            let needed = question.samples_needed();
            let why = match open.iter().any(|report| report.judged.len() < needed) {
                true => format!(", which needs at least {needed} executions"),
                false => {
                    ": failed executions, or those without a known value, decide it".to_string()
                }
            };
            lines.push(format!(
                "`{}`: {} of {} have no two-sided interval{why}",
                visible(title),
                open.len(),
                study.cells.len(),
            ));
        }
    }
    let unused = joint.first.unused;
    if unused > 0 {
        let were = if unused == 1 { "was" } else { "were" };
        lines.push(format!("{unused} more {were} finished or running by then and not counted"));
    }
    let most = digits(1.0 - joint.first.confidence.get(), Round::Up);
    if !study.comparisons.is_empty() {
        lines.push(match joint.sharing {
            ErrorSharing::Shared => format!(
                "the chance that any interval of the comparisons misses is at most about {most}, besides \
                 the error of the answers"
            ),
            ErrorSharing::PerQuestion => {
                format!("each interval of the comparisons misses with a chance of about {most}")
            }
        });
    }
    lines
}
