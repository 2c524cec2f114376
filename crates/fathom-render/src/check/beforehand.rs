//! What to expect before the first execution.

use crate::percent;
use fathom_property::ValueQuestion;
use fathom_property::decide::{Method, ProportionQuestion};
use fathom_stats::proportion::{Operating, SampleSizePlan};

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
