//! What metrics do when nothing happens.

use super::draw::{below, between, chance, log_between, normal, one_of, poisson, uniform};
use crate::population::Generator;
use crate::process::Process;
use std::f64::consts::TAU;

/// How a metric varies on its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Habit {
    /// Each row again, or with a memory of so much.
    Autoregressive(f64),
    /// By the time of day, with noise.
    Diurnal,
    /// Quiet, with bursts.
    Bursts,
    /// Values far from the middle now and then.
    HeavyTailed,
    /// Small whole numbers.
    Counts,
    /// It fills and is emptied, like a heap.
    Sawtooth,
    /// It never returns.
    RandomWalk,
    /// The same value nearly always.
    NearlyConstant,
}

/// All that come back to where they were.
pub(super) const STEADY: [Habit; 9] = [
    Habit::Autoregressive(0.0),
    Habit::Autoregressive(0.5),
    Habit::Autoregressive(0.9),
    Habit::Autoregressive(0.98),
    Habit::Diurnal,
    Habit::Bursts,
    Habit::HeavyTailed,
    Habit::Counts,
    Habit::Sawtooth,
];

impl Habit {
    /// Any that comes back.
    pub(super) fn any(rng: &mut Generator) -> Habit {
        one_of(&STEADY, rng)
    }

    /// This many rows, with a spread of about 1.
    pub(super) fn rows(self, rows: usize, rng: &mut Generator) -> Vec<f64> {
        let mut values = vec![0.0; rows];
        match self {
            Habit::Autoregressive(memory) => {
                Process::Autoregressive(memory).fill(&mut values, rng);
            }
            Habit::Diurnal => {
                Process::Autoregressive(0.5).fill(&mut values, rng);
                let period = log_between(20.0, 2.0 * rows as f64, rng);
                let phase = TAU * uniform(rng);
                for (row, value) in values.iter_mut().enumerate() {
                    *value = 0.5 * *value + (TAU * row as f64 / period + phase).sin();
                }
            }
            Habit::Bursts => {
                Process::Bursts.fill(&mut values, rng);
                values.iter_mut().for_each(|value| *value *= 0.7);
            }
            Habit::HeavyTailed => {
                // Student's t with 3 degrees of freedom, with some memory.
                let mut last = 0.0;
                for value in &mut values {
                    let chi = (0..3).map(|_| normal(rng).powi(2)).sum::<f64>();
                    last = 0.3 * last + 0.7 * normal(rng) / (chi / 3.0).sqrt();
                    *value = last;
                }
            }
            Habit::Counts => {
                let rate = log_between(0.1, 5.0, rng);
                values.iter_mut().for_each(|value| *value = poisson(rate, rng) / rate.sqrt());
            }
            Habit::Sawtooth => {
                let period = log_between(5.0, 0.3 * rows as f64 + 6.0, rng);
                let mut level = uniform(rng);
                for value in &mut values {
                    level += between(0.5, 1.5, rng) / period;
                    if level > 1.0 {
                        level = 0.2 * uniform(rng);
                    }
                    *value = 3.0 * level + 0.1 * normal(rng);
                }
            }
            Habit::RandomWalk => {
                let step = 3.0 / (rows as f64).sqrt();
                let mut level = 0.0;
                for value in &mut values {
                    level += step * normal(rng);
                    *value = level;
                }
            }
            Habit::NearlyConstant => {
                let spikes = below(4, rng) as f64 / rows as f64;
                values
                    .iter_mut()
                    .for_each(|value| *value = if chance(spikes, rng) { 1.0 } else { 0.0 });
            }
        }
        values
    }
}
