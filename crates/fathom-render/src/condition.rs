//! The condition that a comparison rests on, where it rests on one: the one place that says it.

use crate::percent::percent;
use fathom_analyze::compare::Comparison;

/// "sure at 95%", with the condition in the same breath.
pub(crate) fn how_sure(comparison: &Comparison) -> String {
    let sure = format!("sure at {}", percent(comparison.confidence.get()));
    match condition(comparison) {
        Some(condition) => format!("{sure} {condition}"),
        None => sure,
    }
}

/// What has to be true for a comparison to hold; `None` where it holds as it is.
pub(crate) fn condition(comparison: &Comparison) -> Option<&'static str> {
    comparison.if_independent.then_some("if the samples are independent (not checked)")
}
