//! Metrics that follow a signal, each in its own way.

use crate::background::{between, coin, normal, remembering, uniform};
use crate::population::Generator;

/// How a metric follows a signal that goes from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follower {
    /// 1 with the signal, −1 against it.
    pub sign: f64,
    /// How the signal's height becomes the metric's.
    pub bend: Bend,
    /// By how many rows it comes after the signal.
    pub lag: f64,
    /// The standard deviation of its noise.
    pub noise: f64,
    /// Which share of its noise the noise remembers.
    pub memory: f64,
}

/// A monotone function from 0 to 1, of heights from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    /// Straight.
    None,
    /// Steeper the higher, as queues are.
    Up,
    /// Flatter the higher, as what saturates.
    Down,
    /// Flat at both ends.
    Both,
}

impl Bend {
    /// The metric's height at a height of the signal.
    #[must_use]
    pub fn at(self, height: f64) -> f64 {
        match self {
            Bend::None => height,
            Bend::Up => (1.5 * height).exp_m1() / 1.5_f64.exp_m1(),
            Bend::Down => (-1.5 * height).exp_m1() / (-1.5_f64).exp_m1(),
            Bend::Both => 0.5 + 0.5 * (3.0 * (height - 0.5)).tanh() / 1.5_f64.tanh(),
        }
    }
}

impl Follower {
    /// One that clearly follows: noise of .05 to .35, six of ten linear, late or early by at most `lag`
    /// rows.
    pub fn close(lag: f64, rng: &mut Generator) -> Follower {
        let bend = match uniform(rng) {
            draw if draw < 0.6 => Bend::None,
            draw if draw < 0.75 => Bend::Up,
            draw if draw < 0.9 => Bend::Down,
            _ => Bend::Both,
        };
        let memory = match uniform(rng) {
            draw if draw < 0.5 => 0.0,
            draw if draw < 0.8 => 0.5,
            _ => 0.9,
        };
        Follower {
            sign: coin(rng),
            bend,
            lag: between(-lag, lag, rng),
            noise: between(0.05, 0.35, rng),
            memory,
        }
    }

    /// The metric over this many rows, for a signal that is known at every place.
    pub fn rows(&self, rows: usize, signal: impl Fn(f64) -> f64, rng: &mut Generator) -> Vec<f64> {
        let noise = remembering(self.memory, rows, rng).into_iter().enumerate();
        let value = |(row, noise): (usize, f64)| {
            self.sign * self.bend.at(signal(row as f64 - self.lag)) + self.noise * noise
        };
        noise.map(value).collect()
    }
}

/// Three of four metrics are read in every row, the others once in two to eight rows.
pub fn some_interval(rng: &mut Generator) -> usize {
    if uniform(rng) < 0.25 { between(2.0, 9.0, rng) as usize } else { 1 }
}

/// What is read once in N rows keeps its value until it is read again.
pub fn hold(values: &mut [f64], interval: usize) {
    for stretch in values.chunks_mut(interval.max(1)) {
        if let Some(&first) = stretch.first() {
            stretch.fill(first);
        }
    }
}

/// In the units of some counter: a scale from a thousandth to a million, far from 0 or near it.
pub fn in_some_unit(values: &mut [f64], rng: &mut Generator) {
    let scale = 10_f64.powf(between(-3.0, 6.0, rng));
    let level = between(2.0, 40.0, rng) + normal(rng).abs();
    values.iter_mut().for_each(|value| *value = scale * (level + *value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    #[test]
    fn bends_are_monotone_and_keep_the_ends() {
        for bend in [Bend::None, Bend::Up, Bend::Down, Bend::Both] {
            let heights: Vec<f64> = (0..=20).map(|n| bend.at(f64::from(n) / 20.0)).collect();
            assert!(heights.windows(2).all(|pair| pair[0] < pair[1]), "{bend:?}");
            assert!(heights[0].abs() < 1e-12 && (heights[20] - 1.0).abs() < 1e-12, "{bend:?}");
        }
    }

    #[test]
    fn it_comes_late_goes_against_and_holds() {
        let close = Follower::close(0.0, &mut generator(1, 0));
        let late = Follower { sign: -1.0, bend: Bend::None, lag: 10.0, noise: 0.0, ..close };
        let step = |place: f64| if place >= 50.0 { 1.0 } else { 0.0 };
        let mut rows = late.rows(100, step, &mut generator(1, 1));
        let falls = |rows: &[f64]| (1..100).filter(|&n| rows[n] < rows[n - 1]).collect::<Vec<_>>();
        assert_eq!(falls(&rows), [60]);
        hold(&mut rows, 7);
        assert_eq!(falls(&rows), [63]);
    }
}
