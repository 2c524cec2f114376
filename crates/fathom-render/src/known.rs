//! What is known of an estimate: its interval, on what condition, or else what was seen.

use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use fathom_analyze::Estimate;
use fathom_stats::{Confidence, Interval};

/// The condition of an interval from too few samples to check their dependence:
/// "95% CI 2.95 to 3.05 ms, assuming independent runs; too few to check".
#[must_use]
pub fn condition(if_independent: bool) -> &'static str {
    if if_independent { ", assuming independent runs; too few to check" } else { "" }
}

/// The head of a column of intervals: "95% CI".
#[must_use]
pub fn column_head(confidence: Option<Confidence>) -> String {
    confidence.map_or("CI".to_string(), |confidence| format!("{} CI", percent(confidence.get())))
}

/// The same condition in a cell of a table.
#[must_use]
pub fn brief_condition(if_independent: bool) -> &'static str {
    if if_independent { " if independent" } else { "" }
}

/// "12.38 to 12.47 ms"; without an interval the range instead, "no interval, range 12.1 to
/// 13.4 ms".
#[must_use]
pub fn ends(estimate: &Estimate, scale: &Scale, with_unit: bool) -> String {
    match estimate.interval().filter(|interval| *interval != Interval::EVERYTHING) {
        Some(interval) => scale.ends(Some(interval), with_unit),
        None => match seen(estimate, scale, with_unit) {
            Some(seen) => format!("no interval, {seen}"),
            None => "no interval".to_string(),
        },
    }
}

/// "range 12.1 to 13.4 ms"; `None` where all samples are the same.
pub(crate) fn seen(estimate: &Estimate, scale: &Scale, with_unit: bool) -> Option<String> {
    let Interval { lower, upper } = estimate.range;
    if lower.total_cmp(&upper).is_ge() {
        return None;
    }
    let low = scale.number(lower, Rounding::Nearest);
    let high = match with_unit {
        true => scale.with_unit(upper, Rounding::Nearest),
        false => scale.number(upper, Rounding::Nearest),
    };
    Some(format!("range {low} to {high}"))
}

/// Why there is no interval, without what to do about it.
#[cfg(feature = "pages")]
pub(crate) fn why_none(estimate: &Estimate) -> String {
    use fathom_analyze::IntervalOutcome;
    match &estimate.outcome {
        IntervalOutcome::Declined { reason, .. } => reason.advice().what().to_string(),
        IntervalOutcome::Interval { .. } => {
            let n = estimate.n_used;
            let worth = estimate
                .effective_n
                .filter(|effective| *effective < 0.95 * n as f64)
                .map_or(String::new(), |effective| {
                    format!(" (effective sample size {effective:.0})")
                });
            let (noun, verb) = if n == 1 { ("sample", "is") } else { ("samples", "are") };
            format!("{n} {noun}{worth} {verb} too few")
        }
    }
}
