//! Latencies of a service graph: a caller's contains those of whom it calls.

use super::{Lengths, Metric, World};
use crate::calibrate::ranking::draw::{between, chance, count, log_between, normal, one_of};
use crate::calibrate::ranking::graph::Graph;
use crate::calibrate::ranking::habit::Habit;
use crate::calibrate::ranking::profile::Profile;
use crate::population::Generator;

pub(super) fn draw(rng: &mut Generator) -> World {
    let lengths = Lengths::draw(5.0..20.0, 3.0, 600.0, rng);
    let rows = lengths.rows();
    let graph = Graph::draw(count(15, 45, rng), rng);
    let culprit = count(1, graph.len() - 1, rng);
    let profile = Profile::restless(lengths.range(), rng);
    let load = Habit::Diurnal.rows(rows, rng);
    // A metric that varies a lot anyway changes by few of its usual changes.
    let is_restless = chance(0.5, rng);
    let moving = between(0.2, 0.9, rng);
    let strength = log_between(1.5, 15.0, rng);

    let mut latencies: Vec<Vec<f64>> = (0..graph.len())
        .map(|node| {
            let level = log_between(1.0, 200.0, rng);
            let mut spread = level * log_between(0.02, 0.4, rng);
            if node == culprit && is_restless {
                spread = level * between(0.4, 1.0, rng);
            }
            let with_load = between(0.0, 0.1, rng) * level;
            let habits =
                [Habit::HeavyTailed, Habit::Autoregressive(0.0), Habit::Autoregressive(0.7)];
            let own = one_of(&habits, rng).rows(rows, rng);
            // Most have moved a little since, some of them by more than they usually vary.
            let small =
                if chance(moving, rng) { log_between(0.2, 10.0, rng) * spread } else { 0.0 };
            let small = small * one_of(&[-1.0, 1.0], rng);
            own.iter()
                .zip(&load)
                .enumerate()
                .map(|(row, (own, load))| {
                    let moved = if lengths.range().contains(&row) { small } else { 0.0 };
                    (level + spread * own + with_load * load + moved).max(0.01 * level)
                })
                .collect()
        })
        .collect();
    // From the leaves up: callers wait for a share of the calls.
    let mut slower = vec![0.0; graph.len()];
    slower[culprit] = 1.0;
    for node in (1..graph.len()).rev() {
        for &caller in graph.callers(node) {
            let share = between(0.3, 1.0, rng);
            slower[caller] += share * slower[node];
            let waited: Vec<f64> = latencies[node].iter().map(|value| share * value).collect();
            latencies[caller].iter_mut().zip(waited).for_each(|(value, waited)| *value += waited);
        }
    }
    // The front is slow enough to be noticed, or there would be no question.
    let extra = strength * spread(&latencies[0][..lengths.history]) / slower[0];
    for (values, share) in latencies.iter_mut().zip(&slower) {
        for (row, value) in values.iter_mut().enumerate() {
            *value += extra * share * profile.at(row, 0);
        }
    }
    let mut metrics: Vec<Metric> = latencies
        .into_iter()
        .enumerate()
        .map(|(node, values)| Metric { values, is_cause: node == culprit })
        .collect();
    let target = metrics.remove(0).values;
    if chance(0.5, rng) {
        // Another way to measure the same: the client's side of the call.
        let copy: Vec<f64> = target.iter().map(|v| v * (1.0 + 0.1 * normal(rng))).collect();
        metrics.push(Metric { values: copy, is_cause: false });
    }
    World { target, metrics, window: lengths.range() }
}

/// The standard deviation.
fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}
