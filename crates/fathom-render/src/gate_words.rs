//! What became of a gate on a statistic of runs other than the typical ratio.

use crate::layout::visible;
use crate::percent::percent;
use crate::quantiles_sentence::listed;
use crate::ratio::ends_as_shown;
use crate::statistic_sentence::named;
use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Gate, GateOutcome, QuantileRatio, percentile,
};
use fathom_stats::RatioInterval;

/// "FAILED, the p99 of b is more than 5% above that of a".
pub(crate) fn gate_on_statistic(
    comparison: &Comparison,
    gate: Gate,
    outcome: GateOutcome,
) -> String {
    let limit = percent(gate.margin().get());
    let twice = percent(2.0 * gate.margin().get());
    let reference = visible(&comparison.reference);
    let behind = behind(comparison, gate, outcome);
    let what = match comparison.statistic {
        ComparedStatistic::Quantiles if outcome == GateOutcome::Passed => {
            "any quantile".to_string()
        }
        ComparedStatistic::Quantiles => {
            let names: Vec<String> = behind.iter().map(|one| percentile(one.p)).collect();
            listed(&names)
        }
        statistic => format!("the {}", named(statistic)),
    };
    let [is, that] = if behind.len() > 1 && outcome != GateOutcome::Passed {
        ["are", "those"]
    } else {
        ["is", "that"]
    };
    let whose = format!("{what} of {}", visible(&comparison.subject));
    let upper = upper(comparison, &behind);
    let is_below = within_limit(comparison, gate);
    match (gate, outcome) {
        (Gate::NotSlower(_), GateOutcome::Failed) => {
            format!("FAILED, {whose} {is} more than {limit} above {that} of {reference}")
        }
        (Gate::NotSlower(_), GateOutcome::Passed) if is_below => {
            let each = match comparison.statistic {
                ComparedStatistic::Quantiles => "every quantile".to_string(),
                _ => what,
            };
            let subject = visible(&comparison.subject);
            format!("passed, {each} of {subject} is at most {limit} above that of {reference}")
        }
        (Gate::NotSlower(_), GateOutcome::Passed) => format!(
            "passed, no evidence that {whose} is more than {limit} above that of {reference}, and \
             more than {twice} is ruled out"
        ),
        (Gate::NotSlower(_), GateOutcome::Inconclusive) if upper.is_finite() => format!(
            "INCONCLUSIVE, {whose} may be up to {} above {that} of {reference}, more than twice \
             the limit",
            percent(((upper - 1.0) * 1e6).round() / 1e6)
        ),
        (Gate::NotSlower(_), GateOutcome::Inconclusive) => {
            format!("INCONCLUSIVE, without an interval an increase of {what} would go unnoticed")
        }
        (Gate::Equivalent(_), GateOutcome::Failed) => {
            format!("FAILED, the difference of {what} is larger than {limit}")
        }
        (Gate::Equivalent(_), GateOutcome::Passed) => "passed".to_string(),
        (Gate::Equivalent(_), GateOutcome::Inconclusive) => {
            format!("INCONCLUSIVE, the difference of {what} may be larger or smaller than {limit}")
        }
    }
}

/// The quantiles that have this outcome, where many are compared.
fn behind(comparison: &Comparison, gate: Gate, outcome: GateOutcome) -> Vec<QuantileRatio> {
    let has_it = |one: &&QuantileRatio| gate.finally(one.interval.log()) == outcome;
    comparison.quantiles.iter().filter(has_it).copied().collect()
}

/// Whether every interval ends at the limit or below it, not only below twice the limit.
fn within_limit(comparison: &Comparison, gate: Gate) -> bool {
    let is_below = |interval: RatioInterval| interval.log().upper <= gate.margin().log();
    match comparison.statistic {
        ComparedStatistic::Quantiles => {
            comparison.quantiles.iter().all(|one| is_below(one.interval))
        }
        _ => is_below(comparison.interval),
    }
}

/// The largest ratio that is possible, as it is shown.
fn upper(comparison: &Comparison, behind: &[QuantileRatio]) -> f64 {
    let shown = |ratio, interval| ends_as_shown(ratio, interval).upper();
    let of_each = behind.iter().map(|one| shown(one.ratio, one.interval));
    of_each.reduce(f64::max).unwrap_or_else(|| shown(comparison.ratio, comparison.interval))
}
