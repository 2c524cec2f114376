//! SPA's interval from ranks against a search over thresholds.

use super::figures::{ratio, time, verdict};
use super::peers::Peers;
use super::{RUNS, lognormal, stopwatch};
use crate::markdown::MarkdownTable;
use fathom_stats::quantile::spa::{self, Direction, SpaOutcome};
use fathom_stats::{Confidence, Interval, Probability};

const N: usize = 5000;
const THRESHOLDS: usize = 1000;
const GOAL: f64 = 1000.0;
/// The peer that the goal names.
const HEADLINE: &str = "SPA threshold search, per threshold";

pub(super) fn section(peers: &Peers) -> Result<String, String> {
    let proportion = Probability::new(0.9).map_err(|error| error.to_string())?;
    let confidence = Confidence::new(0.9).map_err(|error| error.to_string())?;
    let values = lognormal(N, 0.1);
    let from_ranks = |values: &mut Vec<f64>| {
        spa::interval(values.len(), proportion, confidence, Direction::Above).of_unsorted(values)
    };
    let ours = || stopwatch::best_of(RUNS, || values.clone(), from_ranks);
    let before = ours();
    let searching = |values: &mut Vec<f64>| search(values, proportion, confidence);
    let own_search = stopwatch::best_of(RUNS, || values.clone(), searching);
    let measured = peers.measure("threshold_search.py", &["--runs", &RUNS.to_string()])?;
    let own = before.min(ours());

    let mut table = MarkdownTable::new(["", "time", "ratio"]);
    table.row(["Fathom: ranks and two selections", &time(own), ""]);
    let mut row = |what: &str, seconds: f64| {
        table.row([what, &time(seconds), &ratio(seconds / own)]);
    };
    for peer in &measured {
        let what = peer.peer.replace("SPA threshold search", "numpy and scipy");
        let scaled =
            |timed| what.replace("(scaled)", &format!("(one run, scaled from {timed} thresholds)"));
        row(&peer.timed_thresholds.map_or_else(|| what.clone(), scaled), peer.seconds);
    }
    row("the same search in Rust, per threshold", own_search);
    let headline = measured.iter().find(|peer| peer.peer == HEADLINE);
    let reached = headline.ok_or_else(|| format!("no \"{HEADLINE}\""))?.seconds / own;
    Ok(format!(
        "## SPA's interval, {N} values\n\n\
         The paper tests one threshold after the other. The result depends only on two order \
         statistics, so Fathom finds their ranks and selects them. That is exact, while the \
         search is as coarse as its {THRESHOLDS} steps. F = .9, C = .9, lognormal values in \
         random order. The goal refers to the search per threshold, as the paper describes it, \
         with numpy and scipy: at least {GOAL} times as fast. It is {}: {}. The table also shows \
         the smaller ratios to a search that sorts once and tests all thresholds in one call \
         (\"vectorised\"), and to one in Rust. Algorithm 2 literally updates its confidence after \
         every sample.\n\n\
         {}",
        ratio(reached),
        verdict(reached >= GOAL),
        table.render(),
    ))
}

/// The paper's search: from the last threshold that is decided positive to the first that is
/// decided negative.
fn search(values: &[f64], proportion: Probability, confidence: Confidence) -> Interval {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut found = Interval::EVERYTHING;
    for step in 0..THRESHOLDS {
        let threshold = lowest + (highest - lowest) * step as f64 / (THRESHOLDS - 1) as f64;
        let satisfied = values.iter().filter(|&&value| value > threshold).count();
        match spa::test(satisfied, values.len(), proportion, confidence).outcome {
            SpaOutcome::Positive => found.lower = found.lower.max(threshold),
            SpaOutcome::Negative => found.upper = found.upper.min(threshold),
            SpaOutcome::None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_the_ranks_interval_up_to_a_step() {
        let mut values = lognormal(500, 0.1);
        let proportion = Probability::new(0.9).unwrap();
        let confidence = Confidence::new(0.9).unwrap();
        let found = search(&values, proportion, confidence);
        values.sort_by(f64::total_cmp);
        let exact = spa::interval(500, proportion, confidence, Direction::Above).of_sorted(&values);
        let step = (values[499] - values[0]) / (THRESHOLDS - 1) as f64;
        assert!((exact.lower - 1.01 * step..exact.lower).contains(&found.lower), "{found:?}");
        assert!((exact.upper..exact.upper + 1.01 * step).contains(&found.upper), "{found:?}");
    }
}
