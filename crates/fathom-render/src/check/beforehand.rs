//! What to expect before the first execution.

use crate::layout::visible;
use crate::percent;
use fathom_property::decide::{ErrorSharing, Method, ProportionQuestion};
use fathom_property::{
    CheckCost, CheckExpectation, FewestForTrue, StudyCost, StudyPlan, ValueQuestion,
};
use fathom_record::in_words;
use fathom_stats::Confidence;
use fathom_stats::proportion::{Operating, SampleSizePlan};
use std::time::Duration;

/// How many executions to expect.
pub(crate) fn beforehand(
    question: ProportionQuestion,
    plan: &SampleSizePlan,
    budget: u64,
) -> Vec<String> {
    if question.method == Method::Exact {
        return vec![at_one_look(question, plan, budget)];
    }
    let mut lines = Vec::new();
    let at_least = |earliest: Option<usize>| match earliest {
        Some(n) => format!("at least {n}"),
        None => format!("more than {}", plan.horizon),
    };
    let (if_true, if_false) = (at_least(plan.earliest_positive), at_least(plan.earliest_negative));
    // Once for both, where both have it.
    let if_false = match plan.earliest_positive {
        Some(_) => if_false.trim_start_matches("at least "),
        None => &if_false,
    };
    lines.push(format!(
        "An answer needs {if_true} executions if all are true, {if_false} if all are false."
    ));
    let expected: Vec<String> = plan
        .at
        .iter()
        .filter(|at| at.share > 0.0 && at.share < 1.0)
        .filter(|at| at.share.total_cmp(&question.probability.get()).is_ne())
        .map(|at| format!("{} if {} are true", about(at.samples), percent(at.share)))
        .collect();
    if !expected.is_empty() {
        lines.push(format!("Expect {}.", expected.join(", ")));
    }
    let Operating { share, samples, undecided, .. } = plan.worst;
    lines.push(format!(
        "Worst case: {} on average, if {} are true; then {} of checks stay inconclusive within the \
         budget of {budget}.",
        about(samples),
        percent((share * 1e3).round() / 1e3),
        percent((undecided * 100.0).round() / 100.0)
    ));
    lines
}

/// What several questions take, which share the error or not.
pub(crate) fn several_beforehand(
    count: usize,
    sharing: ErrorSharing,
    of_each: &[CheckExpectation],
) -> Vec<String> {
    let share = match sharing {
        ErrorSharing::Shared => "share the error",
        ErrorSharing::PerQuestion => "have an error of their own each",
    };
    let mut lines =
        vec![format!("{count} questions {share}. The executions go on until all are answered.")];
    for expectation in of_each {
        match expectation {
            CheckExpectation::Property { question, plan, budget } => {
                if sharing == ErrorSharing::Shared {
                    lines.push("Of the properties, the first verdict takes most:".to_string());
                }
                lines.extend(beforehand(*question, plan, *budget));
            }
            CheckExpectation::Estimate { question, budget, is_fixed: true } => {
                lines.push(value_beforehand(question, *budget, true));
            }
            CheckExpectation::Estimate { question, .. } => lines.push(format!(
                "An estimate needs at least {} executions for a two-sided interval.",
                question.samples_needed()
            )),
            CheckExpectation::Several { .. } => {}
        }
    }
    lines
}

/// How many executions "true" takes at some F and C, as a small table; `None` if there are none.
pub(crate) fn guidance(rows: &[FewestForTrue]) -> Option<String> {
    let confidences: Vec<Confidence> =
        rows.first()?.executions.iter().map(|(confidence, _)| *confidence).collect();
    let mut lines = vec!["Executions until \"true\" if all satisfy the property:".to_string()];
    let heads = confidences.iter().map(|c| format!("{:>9}", format!("C = {}", percent(c.get()))));
    lines.push(format!("  {:<10}{}", "", heads.collect::<String>()));
    for row in rows {
        let cells = row.executions.iter().map(|(_, executions)| format!("{executions:>9}"));
        let head = format!("F = {}", percent(row.probability.get()));
        lines.push(format!("  {head:<10}{}", cells.collect::<String>()));
    }
    lines.push(
        "  F = 100% takes infinitely many: the next execution could be the first that fails."
            .to_string(),
    );
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Minutes and hours where seconds are too many.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 120.0 => in_words::duration(time),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// What the executions will cost, from the first few.
pub(crate) fn cost(cost: &CheckCost) -> String {
    let CheckCost { each, at_once, fewest, most, left } = *cost;
    let at_once = at_once.max(1);
    // What ends in time is started a whole number of times.
    let time = |executions: u64| each.mul_f64(executions.div_ceil(at_once as u64) as f64);
    let jobs = if at_once == 1 { String::new() } else { format!(" ({at_once} at once)") };
    let mut text = format!("An execution takes about {}{jobs}", duration(each));
    if let Some(fewest) = fewest {
        text.push_str(&format!(
            ": an answer takes at least about {} ({fewest} executions)",
            duration(time(fewest))
        ));
    }
    text.push_str(&format!(", all {most} that are allowed about {}.", duration(time(most))));
    if let Some(left) = left.filter(|&left| left < time(most)) {
        let rounds = left.as_secs_f64() / each.as_secs_f64().max(1e-9);
        let fits = (rounds.floor() as u64).saturating_mul(at_once as u64);
        let is_too_short = fewest.is_some_and(|fewest| fits < fewest);
        text.push_str(&format!(" --max-time leaves room for about {fits} more"));
        text.push_str(if is_too_short { ", too few for an answer." } else { "." });
    }
    text
}

/// One look at a number that is fixed: what matters is whether it will say something.
fn at_one_look(question: ProportionQuestion, plan: &SampleSizePlan, budget: u64) -> String {
    let other = |at: &&Operating| {
        at.share > 0.0 && at.share < 1.0 && at.share.total_cmp(&question.probability.get()).is_ne()
    };
    let chances: Vec<String> = plan
        .at
        .iter()
        .filter(other)
        .map(|at| {
            let decided = ((1.0 - at.undecided) * 100.0).round() / 100.0;
            format!("{} if {} are true", percent(decided), percent(at.share))
        })
        .collect();
    format!(
        "Exactly {budget} executions, evaluated once. The chance of an answer is {}.",
        chances.join(", ")
    )
}

/// How many executions an interval takes.
pub(crate) fn value_beforehand(question: &ValueQuestion, tuples: u64, is_fixed: bool) -> String {
    let needed = question.samples_needed();
    if is_fixed {
        format!("{tuples} executions; a two-sided interval needs at least {needed}.")
    } else {
        format!(
            "At least {needed} executions, then more until --precision is reached, at most {tuples}."
        )
    }
}

/// Two digits of a mean number.
fn about(samples: f64) -> String {
    let step = 10_f64.powf((samples.max(1.0).log10().floor() - 1.0).max(0.0));
    format!("about {}", (samples / step).round() * step)
}

/// The grid of a study that has not begun: its cells, and what they may take.
pub(crate) fn study(plan: &StudyPlan) -> String {
    const SHOWN: usize = 40;
    let StudyPlan { axes, cells, fewest, most, at_once, max_time } = plan;
    let sizes: Vec<String> =
        axes.iter().map(|axis| format!("{} {}", axis.values.len(), visible(&axis.name))).collect();
    let count = cells.len();
    let noun = if count == 1 { "cell" } else { "cells" };
    let mut lines = vec![format!("{} = {count} {noun}.", sizes.join(" x "))];
    let jobs = if *at_once > 1 { format!(", {at_once} at once") } else { String::new() };
    let cost = |of_each: u64| {
        let StudyCost { executions, time } = plan.cost(of_each);
        match time {
            Some(time) => format!("{executions} executions, about {}{jobs}", duration(time)),
            None => format!("{executions} executions{jobs}"),
        }
    };
    if let Some(fewest) = fewest {
        lines.push(format!("To run, at least: {}.", cost(*fewest)));
    }
    lines.push(format!("To run, at most: {}.", cost(*most)));
    if let Some(max_time) = max_time {
        lines.push(format!(
            "--max-time ends it after {}, with the answers by then.",
            duration(*max_time)
        ));
    }
    if cells.iter().all(|cell| cell.each.is_none()) {
        lines.push(
            "How long that takes is known after the first few executions: run the study with \
             --max-time 1min, and look again. Nothing is repeated."
                .to_string(),
        );
    }
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    text.push_str("Cells, and executions that earlier studies performed of them:\n");
    for cell in cells.iter().take(SHOWN) {
        let each = cell.each.map_or_else(String::new, |each| format!(", {} each", duration(each)));
        text.push_str(&format!("  {}: {}{each}\n", visible(&cell.name), cell.kept));
    }
    if count > SHOWN {
        text.push_str(&format!("  and {} more\n", count - SHOWN));
    }
    text
}
