//! The load changes and nearly everything with it; one metric has to do with the target besides.

use super::{Lengths, Metric, World};
use crate::calibrate::ranking::draw::{between, chance, count, log_between, normal, one_of};
use crate::calibrate::ranking::habit::Habit;
use crate::calibrate::ranking::profile::Profile;
use crate::population::Generator;

pub(super) fn draw(rng: &mut Generator) -> World {
    let lengths = Lengths::draw(5.0..300.0, 0.8, 4000.0, rng);
    let rows = lengths.rows();
    let mut load = Habit::Autoregressive(one_of(&[0.5, 0.9], rng)).rows(rows, rng);
    let step = between(0.5, 3.0, rng) * one_of(&[-1.0, 1.0], rng);
    load.iter_mut().skip(lengths.history).for_each(|load| *load += step);
    let profile = Profile::restless(lengths.range(), rng);
    let with = |share: f64, size: f64, habit: Habit, rng: &mut Generator| -> Vec<f64> {
        let own = habit.rows(rows, rng);
        let rows = own.iter().zip(&load).enumerate();
        rows.map(|(row, (own, load))| 20.0 + own + share * load + size * profile.at(row, 0))
            .collect()
    };
    let size = log_between(1.5, 10.0, rng);
    let target = with(between(0.2, 1.0, rng), size, Habit::Autoregressive(0.5), rng);
    let mut metrics = Vec::new();
    for _ in 0..count(1, 2, rng) {
        let habit = one_of(
            &[Habit::Autoregressive(0.0), Habit::Autoregressive(0.7), Habit::HeavyTailed],
            rng,
        );
        let size = log_between(2.0, 15.0, rng) * one_of(&[-1.0, 1.0], rng);
        let values = with(between(0.0, 0.8, rng), size, habit, rng);
        metrics.push(Metric { values, is_cause: true });
    }
    let share_with_load = between(0.5, 0.9, rng);
    for _ in 0..count(40, 200, rng) {
        let share = if chance(share_with_load, rng) { between(-1.0, 1.5, rng) } else { 0.0 };
        let habit = match () {
            () if chance(0.15, rng) => Habit::RandomWalk,
            () if chance(0.05, rng) => Habit::NearlyConstant,
            () => Habit::any(rng),
        };
        let values = with(share, 0.0, habit, rng);
        // Some are reported twice or three times, by different tools.
        for _ in 0..if chance(0.1, rng) { count(1, 2, rng) } else { 0 } {
            let gain = log_between(0.1, 10.0, rng);
            let copy = values.iter().map(|value| gain * (value + 0.02 * normal(rng))).collect();
            metrics.push(Metric { values: copy, is_cause: false });
        }
        metrics.push(Metric { values, is_cause: false });
    }
    World { target, metrics, window: lengths.range() }
}
