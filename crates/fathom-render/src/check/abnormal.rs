//! The executions that failed or were cut short, each with what repeats it.

use crate::layout::visible;
use fathom_property::{AbnormalExecution, AbnormalExecutions, AbnormalKind};

/// A page that does not show everything lists this many.
const FIRST: usize = 3;

/// A heading and the executions, the first few or all that are listed; nothing if there are none.
pub(super) fn lines(abnormal: &AbnormalExecutions, all: bool) -> Vec<(usize, String)> {
    if abnormal.count() == 0 {
        return Vec::new();
    }
    let shown = if all { usize::MAX } else { FIRST };
    let shown: Vec<&AbnormalExecution> = abnormal.listed().iter().take(shown).collect();
    let mut lines = vec![(2, heading(abnormal))];
    for one in &shown {
        lines.push((4, format!("{} {}", name(one), how(one))));
        lines.extend(one.command.iter().map(|line| (6, format!("to repeat: {}", visible(line)))));
    }
    let more = abnormal.count() - shown.len();
    if more > 0 {
        let where_to = if abnormal.listed().len() > shown.len() { " (-v lists them)" } else { "" };
        lines.push((4, format!("and {more} more{where_to}")));
    }
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
