//! Shapes that an eye would find, at the level of before.

use super::{Lengths, Metric, World};
use crate::calibrate::ranking::draw::{
    below, between, chance, count, log_between, normal, one_of, uniform,
};
use crate::calibrate::ranking::habit::Habit;
use crate::population::Generator;
use std::f64::consts::TAU;

/// Heights at places between 0 and 1, with a spread of about 1 and a mean of 0.
fn shape(number: usize, rows: usize, rng: &mut Generator) -> Vec<f64> {
    let phase = TAU * uniform(rng);
    let (turns, cut) = (between(1.0, 4.0, rng), between(0.25, 0.75, rng));
    let knots: Vec<f64> = (0..6).map(|_| normal(rng)).collect();
    let at = |row: usize| {
        let x = row as f64 / rows as f64;
        match number {
            0 => x,
            1 => f64::from(u8::from(x > cut)),
            2 => (TAU * turns * x + phase).sin(),
            3 => f64::from(u8::from((x - cut).abs() < 0.1)),
            4 => (turns * x).fract(),
            5 => (-(x - cut).abs() * 6.0).exp(),
            // Lines from knot to knot.
            _ => {
                let place = x * 5.0;
                let (left, share) = (place as usize, place.fract());
                knots[left] * (1.0 - share) + knots[left + 1] * share
            }
        }
    };
    let raw: Vec<f64> = (0..rows).map(at).collect();
    let mean = raw.iter().sum::<f64>() / rows as f64;
    let spread = (raw.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / rows as f64).sqrt();
    raw.iter().map(|value| (value - mean) / spread.max(1e-9)).collect()
}

pub(super) fn draw(rng: &mut Generator) -> World {
    let lengths = Lengths::draw(12.0..500.0, 0.8, 8000.0, rng);
    let (rows, window) = (lengths.rows(), lengths.window);
    let number = below(7, rng);
    let shape = shape(number, window, rng);
    // The same again, before, in some worlds.
    let places = lengths.history / window.max(1);
    let again: Vec<usize> = if chance(0.4, rng) && places > 2 {
        (0..count(1, 4, rng)).map(|_| below(places - 1, rng) * window).collect()
    } else {
        Vec::new()
    };
    let follow = |size: f64, noise: &[f64], delay: usize, spikes: f64, rng: &mut Generator| {
        let mut values = noise.to_vec();
        for &start in again.iter().chain([&lengths.history]) {
            for (row, height) in shape.iter().enumerate() {
                if let Some(value) = values.get_mut(start + row + delay) {
                    *value += size * height;
                }
            }
        }
        for value in &mut values {
            if chance(spikes, rng) {
                *value += between(5.0, 20.0, rng);
            }
        }
        values
    };
    let calm = one_of(&[0.0, 0.5, 0.9], rng);
    let noise = Habit::Autoregressive(calm).rows(rows, rng);
    let target = follow(log_between(1.0, 5.0, rng), &noise, 0, 0.003, rng);
    let mut metrics = Vec::new();
    for _ in 0..count(1, 4, rng) {
        let noise = Habit::any(rng).rows(rows, rng);
        let size = log_between(0.8, 5.0, rng) * one_of(&[-1.0, 1.0], rng);
        let delay = (between(-0.02, 0.02, rng) * window as f64).max(0.0) as usize;
        let values = follow(size, &noise, delay, 0.003, rng);
        metrics.push(Metric { values, is_cause: true });
    }
    for _ in 0..count(50, 250, rng) {
        let habit = if chance(0.15, rng) { Habit::RandomWalk } else { Habit::any(rng) };
        let mut values = habit.rows(rows, rng);
        if chance(0.05, rng) {
            // Something else changed at that time.
            let step = log_between(1.0, 8.0, rng) * one_of(&[-1.0, 1.0], rng);
            let start = lengths.history + below(window, rng) / 2;
            values.iter_mut().skip(start).for_each(|value| *value += step);
        }
        metrics.push(Metric { values, is_cause: false });
    }
    World { target, metrics, window: lengths.range() }
}
