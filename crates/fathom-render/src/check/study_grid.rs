//! The grid of a study: a row for each cell, with the answers to its questions.

use super::share::range;
use super::{aligned, value};
use crate::layout::{Side, shortened, visible};
use crate::quantity::Rounding;
use fathom_property::decide::CheckVerdict;
use fathom_property::{CheckReport, JointReport, PropertyAnswer, Study};
use fathom_record::TimeUnit;

/// The cells as rows: their values, the answer to each question, and how many executions it took.
pub(super) fn push(
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
    if aligned::width(&rows) <= width {
        return aligned::push(text, &rows, sides);
    }
    // Too wide: a row for each answer.
    let mut head: Vec<String> = study.axes.iter().map(|axis| visible(&axis.name)).collect();
    head.extend(["question".to_string(), "answer".to_string(), "executions".to_string()]);
    let mut long = vec![head];
    for row in rows.iter().skip(1) {
        for (place, question) in study.questions.iter().enumerate() {
            let values = row.iter().take(axes).cloned();
            let mut answer: Vec<String> = values.collect();
            answer.push(shortened(&visible(question), 40));
            answer.extend(row.get(axes + place).cloned());
            answer.extend(row.last().cloned());
            long.push(answer);
        }
    }
    let sides = |column: usize| if column <= axes { Side::Left } else { Side::Right };
    aligned::push(text, &long, sides);
}

/// An answer in a cell of the grid.
fn short(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            let share = summary.estimate.map_or_else(String::new, range);
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
