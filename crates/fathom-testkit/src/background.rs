//! Metrics that have nothing to do with anything: what a machine's counters do by themselves.

use crate::population::Generator;
use crate::process::Process;
use rand_distr::{Distribution, Open01, StandardNormal, StudentT};
use std::f64::consts::TAU;

/// A kind of metric without a cause. All are about 1 high, around 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Background {
    /// Independent normal values.
    White,
    /// Values that remember this share of the one before.
    Remembering(f64),
    /// The sum of independent steps.
    Walk,
    /// Student's t with two degrees of freedom: now and then a huge value.
    HeavyTailed,
    /// Quiet, with spikes of 5 to 20 in one row of a hundred.
    Spiky,
    /// Levels that last for long, then jump.
    Levels,
    /// Up and down again over the whole metric, or the other way around.
    Tent,
    /// A constant, but for a tick up or down in one row of twenty.
    Ticks,
    /// A wave that keeps its period, which is another than the window's.
    Wave,
    /// Calm and restless times around one level.
    Restless,
}

impl Background {
    /// Every kind.
    pub const ALL: [Background; 12] = [
        Background::White,
        Background::Remembering(0.5),
        Background::Remembering(0.9),
        Background::Remembering(0.98),
        Background::Walk,
        Background::HeavyTailed,
        Background::Spiky,
        Background::Levels,
        Background::Tent,
        Background::Ticks,
        Background::Wave,
        Background::Restless,
    ];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Background::White => "white noise".to_string(),
            Background::Remembering(share) => format!("AR(1) with {share}"),
            Background::Walk => "random walk".to_string(),
            Background::HeavyTailed => "heavy-tailed noise".to_string(),
            Background::Spiky => "noise with spikes".to_string(),
            Background::Levels => "levels".to_string(),
            Background::Tent => "a trend that turns".to_string(),
            Background::Ticks => "a constant with ticks".to_string(),
            Background::Wave => "a wave of another period".to_string(),
            Background::Restless => "GARCH".to_string(),
        }
    }

    /// This many rows of it. `span` is how long the pattern is that it should not resemble.
    pub fn rows(self, rows: usize, span: usize, rng: &mut Generator) -> Vec<f64> {
        let length = rows.max(1) as f64;
        match self {
            Background::White => (0..rows).map(|_| normal(rng)).collect(),
            Background::Remembering(share) => remembering(share, rows, rng),
            Background::Walk => {
                let mut sum = 0.0;
                let mut step = |_| {
                    sum += normal(rng);
                    sum
                };
                // As high in the end, on average, as others are all the time.
                (0..rows).map(&mut step).map(|sum| sum / length.sqrt()).collect()
            }
            Background::HeavyTailed => match StudentT::new(2.0) {
                Ok(law) => (0..rows).map(|_| law.sample(rng)).collect(),
                Err(_) => Vec::new(),
            },
            Background::Spiky => {
                let value = |_| 0.3 * normal(rng) + spike(0.01, 5.0, 20.0, rng);
                (0..rows).map(value).collect()
            }
            Background::Levels => {
                let mut level = normal(rng);
                let value = |_| {
                    if uniform(rng) < 8.0 / length {
                        level = normal(rng);
                    }
                    level + 0.2 * normal(rng)
                };
                (0..rows).map(value).collect()
            }
            Background::Tent => {
                let (top, sign) = (between(0.35, 0.65, rng), coin(rng));
                let value = |row: usize| {
                    let place = row as f64 / length;
                    let height =
                        if place < top { place / top } else { (1.0 - place) / (1.0 - top) };
                    sign * 2.0 * (height - 0.5) + 0.2 * normal(rng)
                };
                (0..rows).map(value).collect()
            }
            Background::Ticks => {
                let tick = |_| if uniform(rng) < 0.05 { coin(rng) } else { 0.0 };
                (0..rows).map(tick).collect()
            }
            Background::Wave => {
                let longer = coin(rng) > 0.0;
                let by = if longer { between(1.6, 3.0, rng) } else { between(0.15, 0.6, rng) };
                let (period, phase) = (by * span.max(1) as f64, between(0.0, TAU, rng));
                let value =
                    |row: usize| (TAU * row as f64 / period + phase).sin() + 0.3 * normal(rng);
                (0..rows).map(value).collect()
            }
            Background::Restless => {
                let mut variance: f64 = 1.0;
                let value = |_| {
                    let value = normal(rng) * variance.sqrt();
                    variance = 0.05 + 0.1 * value * value + 0.85 * variance;
                    value
                };
                (0..rows).map(value).collect()
            }
        }
    }

    /// One of all kinds.
    pub fn any(rng: &mut Generator) -> Background {
        let place = (uniform(rng) * Background::ALL.len() as f64) as usize;
        Background::ALL.get(place).copied().unwrap_or(Background::White)
    }
}

/// Normal values that remember this share of the one before; standard deviation 1.
pub(crate) fn remembering(share: f64, rows: usize, rng: &mut Generator) -> Vec<f64> {
    let mut values = vec![0.0; rows];
    Process::Autoregressive(share).fill(&mut values, rng);
    values
}

pub(crate) fn normal(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}

pub(crate) fn uniform(rng: &mut Generator) -> f64 {
    Open01.sample(rng)
}

pub(crate) fn between(low: f64, high: f64, rng: &mut Generator) -> f64 {
    low + (high - low) * uniform(rng)
}

/// 1 or −1.
pub(crate) fn coin(rng: &mut Generator) -> f64 {
    if uniform(rng) < 0.5 { 1.0 } else { -1.0 }
}

/// With this probability something from `low` to `high`, up or down, else 0.
pub(crate) fn spike(share: f64, low: f64, high: f64, rng: &mut Generator) -> f64 {
    if uniform(rng) < share { coin(rng) * between(low, high, rng) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    #[test]
    fn every_kind_is_finite_moves_and_is_about_one_high() {
        for (n, kind) in Background::ALL.into_iter().enumerate() {
            let rows = kind.rows(5000, 400, &mut generator(7, n as u64));
            assert_eq!(rows.len(), 5000, "{kind:?}");
            assert!(rows.iter().all(|value| value.is_finite()), "{kind:?}");
            let mean = rows.iter().sum::<f64>() / 5000.0;
            let spread = rows.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 5000.0;
            assert!((0.02..60.0).contains(&spread), "{kind:?} has variance {spread}");
            assert!(kind.rows(0, 0, &mut generator(7, 0)).is_empty());
        }
    }
}
