//! The page of a study: the answer in words, the grid, comparisons, and what failed where.

use super::verdict::{Round, digits};
use super::{several, value};
use crate::layout::{
    FAINT, STRONG, Side, WARNING, columns, padded, push_warning, push_wrapped, styled, visible,
};
use crate::quantity::Rounding;
use crate::{Detail, percent};
use fathom_property::decide::{CheckVerdict, ErrorSharing};
use fathom_property::{
    AnswerCounts, CheckReport, JointReport, Judged, PropertyAnswer, Study, StudyComparison,
};
use fathom_record::TimeUnit;
use fathom_stats::Interval;
use std::fmt::Write as _;

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
    let headline = [Some(headline(joint)), failed_in_words(joint, study)];
    let headline: Vec<String> = headline.into_iter().flatten().collect();
    push_wrapped(&mut text, &headline.join(" "), "", STRONG, width);
    for caveat in several::once(joint, |report| report.caveats.iter().map(|caveat| &caveat.text)) {
        push_wrapped(&mut text, &caveat, "", WARNING, width);
    }
    text.push('\n');
    grid(&mut text, joint, study, time_unit, width);
    if !study.comparisons.is_empty() {
        text.push('\n');
        for comparison in &study.comparisons {
            for line in compared(joint, study, comparison) {
                push_wrapped(&mut text, &line, "  ", STRONG, width);
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

/// "5 of 8 promises hold; 2 are broken: ..., 1 is undecided".
fn headline(joint: &JointReport) -> String {
    let AnswerCounts { holds, broken, open, estimates } = joint.answers();
    let all = holds + broken + open;
    let sure = several::confidence(joint);
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

/// How many executions failed or were cut, in all cells.
fn failed_in_words(joint: &JointReport, study: &Study) -> Option<String> {
    let failed: usize = study.systems().map(|system| system.failures.len()).sum();
    let cut: usize = study.systems().map(|system| system.cut).sum();
    let how = match joint.first.leaves_failed_out {
        true => "excluded",
        false => "counted against the promises",
    };
    let mut parts = Vec::new();
    if failed > 0 {
        parts.push(format!("{failed} failed ({how})"));
    }
    if cut > 0 {
        parts.push(format!("{cut} {} cut short", if cut == 1 { "was" } else { "were" }));
    }
    let parts = (!parts.is_empty()).then(|| parts.join(" and "))?;
    Some(format!("Of {} executions, {parts}.", study.executions()))
}

/// The cells as rows: their values, the answer to each question, and how many executions it took.
fn grid(
    text: &mut String,
    joint: &JointReport,
    study: &Study,
    time_unit: Option<TimeUnit>,
    width: usize,
) {
    let axes = study.axes.len();
    let mut head: Vec<String> = study.axes.iter().map(|axis| visible(&axis.name)).collect();
    head.extend(study.questions.iter().map(|question| visible(question)));
    head.push("executions".to_string());
    let mut rows = vec![head];
    let each = study.questions_of_cell();
    let mut answers = joint.questions();
    for cell in &study.cells {
        let values = (0..axes).map(|axis| visible(study.value(cell, axis)));
        let mut row: Vec<String> = values.collect();
        row.extend(answers.by_ref().take(each).map(|report| short(report, time_unit)));
        let executions: usize = cell.systems.iter().map(|system| system.executions).sum();
        row.push(executions.to_string());
        rows.push(row);
    }
    let sides = |column: usize| if column < axes { Side::Left } else { Side::Right };
    if total(&rows) <= width {
        return push_rows(text, &rows, sides);
    }
    // Too wide: a row for each answer.
    let mut head: Vec<String> = study.axes.iter().map(|axis| visible(&axis.name)).collect();
    head.extend(["question".to_string(), "answer".to_string(), "executions".to_string()]);
    let mut long = vec![head];
    for row in rows.iter().skip(1) {
        for (place, question) in study.questions.iter().enumerate() {
            let values = row.iter().take(axes).cloned();
            let mut answer: Vec<String> = values.collect();
            answer.push(crate::layout::shortened(&visible(question), 40));
            answer.extend(row.get(axes + place).cloned());
            answer.extend(row.last().cloned());
            long.push(answer);
        }
    }
    let sides = |column: usize| if column <= axes { Side::Left } else { Side::Right };
    push_rows(text, &long, sides);
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max().unwrap_or(0)
    };
    (0..count).map(width).collect()
}

fn total(rows: &[Vec<String>]) -> usize {
    let widths = widths(rows);
    widths.iter().sum::<usize>() + 2 * widths.len()
}

fn push_rows(text: &mut String, rows: &[Vec<String>], side: impl Fn(usize) -> Side) {
    let widths = widths(rows);
    for (place, row) in rows.iter().enumerate() {
        let cell = |(column, cell): (usize, &String)| {
            padded(cell, widths.get(column).copied().unwrap_or(0), side(column))
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        let line = format!("  {}", cells.join("  "));
        let line = line.trim_end();
        match place {
            0 => {
                let _ = writeln!(text, "{}", styled(line, FAINT));
            }
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
}

/// An answer in a cell of the grid.
fn short(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            let share = summary.estimate.map_or_else(String::new, super::verdict::range);
            let verdict = match summary.verdict {
                CheckVerdict::True => "holds",
                CheckVerdict::False => "broken",
                CheckVerdict::Inconclusive => "undecided",
            };
            format!("{verdict} {share}").trim_end().to_string()
        }
        PropertyAnswer::Value { value, .. } => {
            let scale = value::scale(report, value, time_unit);
            value
                .value
                .map_or_else(|| "unknown".to_string(), |it| scale.with_unit(it, Rounding::Nearest))
        }
    }
}

/// A comparison: the geometric mean, and the ratio in each cell.
fn compared(joint: &JointReport, study: &Study, comparison: &StudyComparison) -> Vec<String> {
    let question = study.questions.get(comparison.question).map_or("", String::as_str);
    // A part of the error has many digits.
    let sure = percent((comparison.confidence.get() * 1e4).round() / 1e4);
    let sure = match joint.sharing {
        ErrorSharing::Shared => {
            format!("{sure} CI each, together {}", { percent(joint.first.confidence.get()) })
        }
        ErrorSharing::PerQuestion => format!("{sure} CI"),
    };
    let axis = comparison.axis.and_then(|axis| study.axes.get(axis));
    let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map_or("", |v| v);
    let what = match axis {
        Some(axis) => format!(
            "{} at {}={} relative to {}",
            visible(question),
            visible(&axis.name),
            visible(value(comparison.value)),
            visible(value(comparison.baseline))
        ),
        None => visible(question),
    };
    let ends = |interval: Interval| match interval.is_finite() {
        true => format!("{:.4} to {:.4}", interval.lower, interval.upper),
        false => "no interval: too few executions".to_string(),
    };
    let others: Vec<&str> = study
        .axes
        .iter()
        .enumerate()
        .filter(|(place, _)| Some(*place) != comparison.axis)
        .map(|(_, axis)| axis.name.as_str())
        .collect();
    let mut lines = Vec::new();
    if let Some(mean) = comparison.mean {
        lines.push(format!(
            "{what}: {mean:.4}x, geometric mean over {} ({}; {sure}).",
            visible(&others.join(", ")),
            ends(comparison.interval)
        ));
    }
    for ratio in &comparison.ratios {
        let Some(cell) = study.cells.get(ratio.cell) else { continue };
        let place: Vec<String> = (0..study.axes.len())
            .filter(|axis| Some(*axis) != comparison.axis)
            .map(|axis| visible(study.value(cell, axis)))
            .collect();
        let found = match ratio.ratio {
            Some(found) => format!("{found:.4}x ({})", ends(ratio.interval)),
            None => "unknown: an estimate is unknown or not above 0".to_string(),
        };
        lines.push(match (comparison.mean, place.is_empty()) {
            (Some(_), _) => format!("  {}: {found}", place.join(", ")),
            (None, true) => format!("{what}: {found}; {sure}."),
            (None, false) => format!("{what} in {}: {found}; {sure}.", place.join(", ")),
        });
    }
    lines
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
    for cell in &study.cells {
        for system in cell.systems.iter().filter(|system| !system.failures.is_empty()) {
            let one = |failure: &fathom_property::CellFailure| {
                format!("run {} (seed {}) {}", failure.run, failure.seed, visible(&failure.how))
            };
            let all: Vec<String> = system.failures.iter().map(one).collect();
            let name = match system.name.is_empty() {
                true => visible(&cell.name),
                false => format!("{}, {}", visible(&cell.name), visible(&system.name)),
            };
            lines.push(format!(
                "{name}: {} of {} failed: {}",
                all.len(),
                system.executions,
                some(&all, "; ")
            ));
        }
    }
    let broken = joint.questions().enumerate().filter(|(_, report)| match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => summary.verdict == CheckVerdict::False,
        PropertyAnswer::Value { .. } => false,
    });
    for (place, report) in broken.take(NAMED) {
        let commands = report.worst().map(|judged| again(place, judged)).unwrap_or_default();
        for command in commands {
            let title = visible(report.title());
            lines.push(format!("`{title}`: {}", super::verdict::to_repeat(&command)));
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
        let count = open.filter(is_open).count();
        if count > 0 {
            let title = study.questions.get(place).map_or("", String::as_str);
            lines.push(format!(
                "`{}`: {count} of {} have no two-sided interval, which needs at least {} executions",
                visible(title),
                study.cells.len(),
                question.samples_needed()
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
