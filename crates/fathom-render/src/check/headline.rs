//! The answer to several questions in a sentence or two, and what became of the executions.

use super::{counted, noun};
use crate::layout::visible;
use crate::percent;
use fathom_property::decide::{CheckVerdict, ErrorSharing};
use fathom_property::{AnswerCounts, CheckReport, JointReport, PropertyAnswer, Study};

/// The answer to all questions, and what became of the executions.
pub(super) fn headline_of(joint: &JointReport) -> String {
    let headline = [Some(headline(joint)), what_became(joint)];
    let headline: Vec<String> = headline.into_iter().flatten().collect();
    headline.join(" ")
}

/// How many executions failed or were cut short, whichever questions are about them. What is unknown of
/// an execution depends on the question.
pub(super) fn what_became(joint: &JointReport) -> Option<String> {
    let abnormal = &joint.abnormal;
    let AnswerCounts { estimates, .. } = joint.answers();
    let how = match joint.first.leaves_failed_out {
        true => "excluded",
        false if estimates == 0 => "counted as false",
        false if estimates == joint.count() => "counted as the worst case",
        false => "counted as false, and as the worst case of estimates",
    };
    let mut parts = Vec::new();
    if abnormal.failed() > 0 {
        parts.push(format!("{} failed ({how})", abnormal.failed()));
    }
    if abnormal.cut() > 0 {
        let were = if abnormal.cut() == 1 { "was" } else { "were" };
        parts.push(format!("{} {were} cut short", abnormal.cut()));
    }
    let parts = (!parts.is_empty()).then(|| parts.join(" and "))?;
    Some(format!("Of {} executions, {parts}.", executions(joint)))
}

/// How many executions there were.
pub(super) fn executions(joint: &JointReport) -> usize {
    joint.study.as_ref().map_or_else(|| joint.executions(), Study::executions)
}

/// Titles in a sentence; of many, only the first.
pub(super) fn quoted(titles: &[&str]) -> String {
    const SHOWN: usize = 3;
    let quoted = |title: &&str| format!("`{}`", visible(title));
    let shown: Vec<String> = titles.iter().take(SHOWN).map(quoted).collect();
    match titles.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn headline(joint: &JointReport) -> String {
    let first = &joint.first;
    let (share, many) = (percent(first.probability.get()), noun(first, 2));
    let whose = match joint.questions().any(|report| report.of_all.is_some()) {
        true => format!("{many} that succeed"),
        false => many,
    };
    let AnswerCounts { holds, broken, open, estimates } = joint.answers();
    let properties = holds + broken + open;
    let of = |verdict: CheckVerdict| -> Vec<&str> {
        let is = |report: &&CheckReport| match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => summary.verdict == verdict,
            PropertyAnswer::Value { .. } => false,
        };
        joint.questions().filter(is).map(CheckReport::title).collect()
    };
    // One property of several groups is named once, and then the groups.
    let asked = joint.of_groups().map(visible);
    let which = |titles: &[&str]| match (&asked, titles.len()) {
        (Some(asked), 1) => format!("`{asked}` in {}", quoted(titles)),
        (Some(asked), n) => format!("`{asked}` in each of {n} groups, {}", quoted(titles)),
        (None, 1) => quoted(titles),
        (None, n) => format!("each of {n} properties, {}", quoted(titles)),
    };
    let sure = confidence(joint);
    let mut parts = Vec::new();
    let mut rest = Vec::new();
    let mut count = |count: usize, one: &str, many: &str| match count {
        0 => {}
        1 => rest.push(format!("1 {one}")),
        n => rest.push(format!("{n} {many}")),
    };
    match joint.verdict() {
        Some(CheckVerdict::True) => parts.push(match properties {
            1 => format!(
                "True: at least {share} of {whose} satisfy {} ({sure}).",
                which(&of(CheckVerdict::True))
            ),
            n => match &asked {
                Some(asked) => format!(
                    "True: at least {share} of {whose} satisfy `{asked}` in each of {n} groups ({sure})."
                ),
                None => format!(
                    "True: at least {share} of {whose} satisfy each of {n} properties ({sure})."
                ),
            },
        }),
        Some(CheckVerdict::False) => {
            let which = which(&of(CheckVerdict::False));
            parts.push(format!("False: fewer than {share} of {whose} satisfy {which} ({sure})."));
            match asked {
                Some(_) => count(holds, "group satisfies it", "groups satisfy it"),
                None => count(holds, "property holds", "properties hold"),
            }
            count(open, "is undecided", "are undecided");
        }
        Some(CheckVerdict::Inconclusive) => {
            let which = which(&of(CheckVerdict::Inconclusive));
            parts.push(format!(
                "Inconclusive: cannot tell whether at least {share} of {whose} satisfy {which} ({sure})."
            ));
            match asked {
                Some(_) => count(holds, "group satisfies it", "groups satisfy it"),
                None => count(holds, "property holds", "properties hold"),
            }
        }
        None => parts.push(format!(
            "{estimates} values from {} ({sure}).",
            counted(first, joint.executions() / first.tuple.len().max(1))
        )),
    }
    if !rest.is_empty() {
        parts.push(format!("{}.", rest.join(", ")));
    }
    parts.join(" ")
}

/// What the confidence is of.
pub(super) fn confidence(joint: &JointReport) -> String {
    let sure = percent(joint.first.confidence.get());
    match joint.sharing {
        ErrorSharing::Shared => {
            format!("{sure} confidence in all {} answers together", joint.count())
        }
        ErrorSharing::PerQuestion => format!("{sure} confidence in each answer alone"),
    }
}
