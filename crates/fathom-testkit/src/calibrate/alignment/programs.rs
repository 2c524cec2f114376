//! Programs that do the same work at different paces.

use crate::population::Generator;
use rand_distr::{Distribution, Open01, StandardNormal};
use std::f64::consts::TAU;

/// What a metric does over the work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Profile {
    /// Noise that remembers.
    Wandering(f64),
    /// Levels that last 20 to 150 steps.
    Phases,
    /// Five phases of 100 to 300 steps, as programs have them, each at a level of its own.
    FewPhases,
    /// Periods of 50 steps.
    Waves,
    /// Five steps deep every 40 to 80: pauses.
    Dips,
}

pub(super) const PROFILES: [Profile; 7] = [
    Profile::Wandering(0.0),
    Profile::Wandering(0.9),
    Profile::Wandering(0.99),
    Profile::Phases,
    Profile::FewPhases,
    Profile::Waves,
    Profile::Dips,
];

/// Between 0 and 1.
pub(super) fn share_of_one(rng: &mut Generator) -> f64 {
    Open01.sample(rng)
}

fn normal(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}

impl Profile {
    pub(super) fn name(self) -> String {
        match self {
            Profile::Wandering(memory) if memory == 0.0 => "noise, no memory".to_string(),
            Profile::Wandering(memory) => format!("noise, memory {memory}"),
            Profile::Phases => "phases, even".to_string(),
            Profile::FewPhases => "five phases, even".to_string(),
            Profile::Waves => "waves".to_string(),
            Profile::Dips => "pauses".to_string(),
        }
    }

    /// The height at each step of the work.
    pub(super) fn heights(self, count: usize, rng: &mut Generator) -> Vec<f64> {
        let mut heights = Vec::with_capacity(count);
        match self {
            Profile::Wandering(memory) => {
                let mut height = 0.0;
                heights.extend((0..count).map(|_| {
                    height = memory * height + normal(rng);
                    height
                }));
            }
            Profile::Phases => {
                while heights.len() < count {
                    let length = 20 + (share_of_one(rng) * 130.0) as usize;
                    let height = (share_of_one(rng) * 5.0).floor();
                    heights.extend(std::iter::repeat_n(height, length));
                }
                heights.truncate(count);
            }
            Profile::FewPhases => {
                let mut height = 0.0;
                while heights.len() < count {
                    let length = 100 + (share_of_one(rng) * 200.0) as usize;
                    height = (height + 1.0 + (share_of_one(rng) * 3.0).floor()) % 5.0;
                    heights.extend(std::iter::repeat_n(height, length));
                }
                heights.truncate(count);
            }
            Profile::Waves => {
                let mut phase = TAU * share_of_one(rng);
                heights.extend((0..count).map(|_| {
                    phase += TAU / 50.0 * (0.8 + 0.4 * share_of_one(rng));
                    phase.sin()
                }));
            }
            Profile::Dips => {
                heights.resize(count, 0.0);
                let mut start = 20.0;
                while (start as usize) + 5 < count {
                    heights[start as usize..][..5].fill(-3.0);
                    start += 40.0 + 40.0 * share_of_one(rng);
                }
            }
        }
        heights
    }
}

/// A run: what is measured, and how much work was done by each sample. The pace changes by up to a third
/// along the way.
pub(super) fn measured(heights: &[f64], noise: f64, rng: &mut Generator) -> (Vec<f64>, Vec<f64>) {
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    let squares: f64 = heights.iter().map(|height| (height - mean).powi(2)).sum();
    let deviation = (squares / heights.len() as f64).sqrt();
    let (slow, quick) = (TAU * share_of_one(rng), TAU * share_of_one(rng));
    let pace = 0.8 + 0.4 * share_of_one(rng);
    let (mut values, mut work, mut done) = (Vec::new(), Vec::new(), 0.0_f64);
    while (done as usize) < heights.len() {
        let (row, share) = (done as usize, done.fract());
        let next = heights.get(row + 1).copied().unwrap_or(heights[row]);
        let height = heights[row] * (1.0 - share) + next * share;
        values.push(height + noise * deviation * normal(rng));
        work.push(done);
        let along = TAU * done / heights.len() as f64;
        let change = 0.7 * (2.0 * along + slow).sin() + 0.3 * (5.0 * along + quick).sin();
        done += pace * (1.0 + 0.3 * change);
    }
    (values, work)
}
