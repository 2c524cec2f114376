//! The executions that failed or were cut short, each with what repeats it.

use crate::layout::visible;
use fathom_property::{
    AbnormalExecution, AbnormalExecutions, AbnormalKind, CellSystem, JointReport, Study,
};

/// A page that does not show everything lists this many: executions, or cells with one execution each.
const FIRST: usize = 3;

/// A heading and the executions, the first few or all that are listed, each with its indent; nothing if
/// there are none. Those of a study are listed by cell.
pub(super) fn lines(joint: &JointReport, all: bool) -> Vec<(usize, String)> {
    match &joint.study {
        _ if joint.abnormal.count() == 0 => Vec::new(),
        Some(study) => lines_by_cell(&joint.abnormal, study, all),
        None => lines_in_order(&joint.abnormal, all),
    }
}

/// The first of them in a sentence each.
pub(super) fn sentences(joint: &JointReport) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    let lines = lines(joint, false);
    let heading = lines.first().map_or("", |(_, heading)| heading.as_str());
    for (indent, line) in lines.iter().skip(1) {
        match (indent, sentences.last_mut()) {
            (5.., Some(last)) => last.push_str(&format!("; {line}")),
            _ => sentences.push(format!("{heading} {line}")),
        }
    }
    sentences
}

fn lines_in_order(abnormal: &AbnormalExecutions, all: bool) -> Vec<(usize, String)> {
    let shown = if all { usize::MAX } else { FIRST };
    let shown: Vec<&AbnormalExecution> = abnormal.listed().iter().take(shown).collect();
    let mut lines = vec![(2, heading(abnormal))];
    lines.extend(shown.iter().flat_map(|one| lines_of(one, 4)));
    let more = abnormal.count() - shown.len();
    if more > 0 {
        let where_to = if abnormal.listed().len() > shown.len() { " (-v lists them)" } else { "" };
        lines.push((4, format!("and {more} more{where_to}")));
    }
    lines
}

/// By the cells of a study, each with how many executions there are, and the first of them.
fn lines_by_cell(abnormal: &AbnormalExecutions, study: &Study, all: bool) -> Vec<(usize, String)> {
    let mut lines = vec![(2, heading(abnormal))];
    let (mut shown, mut more) = (0, 0);
    for cell in &study.cells {
        let count = |of: fn(&CellSystem) -> usize| cell.systems.iter().map(of).sum::<usize>();
        let (failed, cut) = (count(|system| system.failures.len()), count(|system| system.cut));
        if failed + cut == 0 {
            continue;
        }
        if shown == FIRST && !all {
            more += 1;
            continue;
        }
        shown += 1;
        let what = match (failed, cut) {
            (_, 0) => format!("{failed}"),
            (0, _) => format!("{cut} cut short"),
            _ => format!("{failed} failed and {cut} cut short"),
        };
        let executions = count(|system| system.executions);
        lines.push((4, format!("{}: {what} of {executions}", visible(&cell.name))));
        let is_here = |one: &&AbnormalExecution| one.group.as_ref() == Some(&cell.name);
        let here = abnormal.listed().iter().filter(is_here);
        lines.extend(here.take(if all { usize::MAX } else { 1 }).flat_map(|one| lines_of(one, 6)));
    }
    match more {
        0 => {}
        1 => lines.push((4, "and 1 more combination (-v lists it)".to_string())),
        more => lines.push((4, format!("and {more} more combinations (-v lists them)"))),
    }
    lines
}

/// An execution, and what repeats it.
fn lines_of(one: &AbnormalExecution, indent: usize) -> Vec<(usize, String)> {
    let mut lines = vec![(indent, format!("{} {}", name(one), how(one)))];
    let again = |line: &String| (indent + 2, format!("to repeat: {}", visible(line)));
    lines.extend(one.command.iter().map(again));
    lines
}

fn heading(abnormal: &AbnormalExecutions) -> String {
    let of = |kind| abnormal.listed().iter().any(|one| one.kind == kind);
    let what = match (of(AbnormalKind::Failed), of(AbnormalKind::Cut)) {
        (true, false) => "failed",
        (false, true) => "cut short",
        _ => "failed or cut short",
    };
    format!("{what}:")
}

fn name(one: &AbnormalExecution) -> String {
    match (one.run, one.seed, &one.source) {
        (Some(run), Some(seed), _) => format!("run {run} (seed {seed})"),
        (Some(run), None, _) => format!("run {run}"),
        (None, _, Some(source)) => visible(&source.to_string()),
        (None, _, None) => "an execution".to_string(),
    }
}

fn how(one: &AbnormalExecution) -> String {
    visible(&one.how)
}
