//! Shares of requests that succeed, in percent: 100 nearly always.

use super::{Lengths, Metric, World};
use crate::calibrate::ranking::draw::{between, chance, count, log_between, poisson};
use crate::calibrate::ranking::graph::Graph;
use crate::calibrate::ranking::profile::Profile;
use crate::population::Generator;

pub(super) fn draw(rng: &mut Generator) -> World {
    let lengths = Lengths::draw(5.0..30.0, 2.0, 600.0, rng);
    let rows = lengths.rows();
    let graph = Graph::draw(count(15, 45, rng), rng);
    let culprit = count(1, graph.len() - 1, rng);
    let profile = Profile::restless(lengths.range(), rng);
    let height = log_between(0.02, 0.6, rng);

    // The share of calls that fail, by node and row.
    let mut failing: Vec<Vec<f64>> = (0..graph.len())
        .map(|node| {
            let often = if chance(0.5, rng) { 0.0 } else { log_between(0.002, 0.05, rng) };
            let row = |row: usize| {
                let own = if chance(often, rng) { log_between(0.002, 0.2, rng) } else { 0.0 };
                let fault = if node == culprit { height * profile.at(row, 0) } else { 0.0 };
                own + fault
            };
            (0..rows).map(row).collect()
        })
        .collect();
    for node in (1..graph.len()).rev() {
        for &caller in graph.callers(node) {
            let share = between(0.3, 1.0, rng);
            let waited: Vec<f64> = failing[node].iter().map(|value| share * value).collect();
            failing[caller].iter_mut().zip(waited).for_each(|(value, waited)| *value += waited);
        }
    }
    let mut metrics: Vec<Metric> = failing
        .into_iter()
        .enumerate()
        .map(|(node, shares)| {
            // This many calls in a row of time: the share that failed is a whole number of them.
            let calls = log_between(20.0, 5000.0, rng).round();
            let seen = |share: &f64| {
                let failed = poisson(share.min(0.95) * calls, rng).min(calls);
                100.0 * (1.0 - failed / calls)
            };
            Metric { values: shares.iter().map(seen).collect(), is_cause: node == culprit }
        })
        .collect();
    let target = metrics.remove(0).values;
    World { target, metrics, window: lengths.range() }
}
