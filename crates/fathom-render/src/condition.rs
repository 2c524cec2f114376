//! How sure a comparison is, and the assumption behind it, if any: the one place that says so.

use crate::percent::percent;
use fathom_analyze::compare::Comparison;

/// "95% CI 0.3% to 2.8%" for an interval with two ends, "at least 0.3% with 95% confidence" for one
/// with a single end; the condition is part of the claim.
pub(crate) fn how_sure(comparison: &Comparison, ends: &str, has_both: bool) -> String {
    let level = percent(comparison.confidence.get());
    let sure = match has_both {
        true => format!("{level} CI {ends}"),
        false => format!("{ends} with {level} confidence"),
    };
    match condition(comparison) {
        Some(condition) => format!("{sure}, {condition}"),
        None => sure,
    }
}

/// What has to be true for a comparison to hold; `None` where it holds as it is.
pub(crate) fn condition(comparison: &Comparison) -> Option<&'static str> {
    comparison.if_independent.then_some("assuming independent samples; not checked")
}
