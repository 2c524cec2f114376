//! What is known of an estimate: its interval, on what condition, or else what was seen.

use crate::quantity::{Rounding, Scale};
use fathom_analyze::Estimate;
use fathom_stats::Interval;

/// The condition of an interval from too few samples to check their dependence, behind a promise:
/// "sure at 95% if the runs are independent (too few to check)".
#[must_use]
pub fn condition(if_independent: bool) -> &'static str {
    if if_independent { " if the runs are independent (too few to check)" } else { "" }
}

/// The same condition in a cell of a table.
#[must_use]
pub fn brief_condition(if_independent: bool) -> &'static str {
    if if_independent { " if independent" } else { "" }
}

/// "12.38 to 12.47 ms"; without an interval what was seen instead, "no interval, 12.1 to 13.4 ms
/// seen".
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

/// "12.1 to 13.4 ms seen"; `None` where all samples are the same.
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
    Some(format!("{low} to {high} seen"))
}

/// Why there is no interval, without what to do about it.
#[cfg(feature = "pages")]
pub(crate) fn why_none(estimate: &Estimate) -> String {
    use fathom_analyze::Outcome;
    match &estimate.outcome {
        Outcome::Declined { reason, .. } => {
            reason.split(';').next().unwrap_or_default().to_string()
        }
        Outcome::Interval { .. } => {
            let n = estimate.n_used;
            let worth = estimate
                .effective_n
                .filter(|effective| *effective < 0.95 * n as f64)
                .map_or(String::new(), |effective| format!(" (worth {effective:.0})"));
            let (noun, verb) = if n == 1 { ("sample", "is") } else { ("samples", "are") };
            format!("{n} {noun}{worth} {verb} too few for one")
        }
    }
}
