//! Functions whose growth is known.

use crate::population::{Generator, Population};
use fathom_stats::growth::{GrowthLaw, SizedTime};
use fathom_stats::{Confidence, Probability, Sides, quantile};
use rand_core::Rng;

/// How many samples a size has.
const SAMPLES: usize = 30;

pub(super) const NOISES: [f64; 4] = [0.005, 0.01, 0.02, 0.05];

/// Sizes of inputs.
#[derive(Debug, PartialEq)]
pub(super) struct Sizes {
    pub(super) name: &'static str,
    all: &'static [f64],
    /// For a law that doubles with every step.
    small: &'static [f64],
}

impl Sizes {
    pub(super) fn of(&self, law: GrowthLaw) -> &'static [f64] {
        if law == GrowthLaw::Exponential { self.small } else { self.all }
    }
}

pub(super) static SIZES: [Sizes; 4] = [
    Sizes { name: "4, 10 to 10^4", all: &[1e1, 1e2, 1e3, 1e4], small: &[2.0, 6.0, 11.0, 16.0] },
    Sizes {
        name: "6, 10 to 10^6",
        all: &[1e1, 1e2, 1e3, 1e4, 1e5, 1e6],
        small: &[2.0, 6.0, 10.0, 14.0, 18.0, 22.0],
    },
    Sizes {
        name: "8, 16 to 2048",
        all: &[16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0],
        small: &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0],
    },
    Sizes {
        name: "12, 8 to 16384",
        all: &[8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0],
        small: &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0],
    },
];

/// What a function costs besides its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Costs {
    Plain,
    /// Half as much as what grows to at the middle size.
    Fixed,
    /// The cost per unit rises by this factor in one step.
    Step(f64),
    /// In two steps.
    Steps(f64),
    /// Every size is off by a factor of its own.
    Uneven,
}

pub(super) const COSTS: [Costs; 5] =
    [Costs::Plain, Costs::Fixed, Costs::Step(1.3), Costs::Steps(2.5), Costs::Uneven];
pub(super) const BEYOND: [Costs; 2] = [Costs::Steps(4.0), Costs::Steps(8.0)];

impl Costs {
    pub(super) fn name(self) -> &'static str {
        match self {
            Costs::Plain => "plain",
            Costs::Fixed => "fixed",
            Costs::Step(_) => "step",
            Costs::Steps(factor) if factor > 6.0 => "steps, 8",
            Costs::Steps(factor) if factor > 3.0 => "steps, 4",
            Costs::Steps(_) => "steps",
            Costs::Uneven => "uneven",
        }
    }
}

/// Times as they were drawn, and the true ones.
pub(super) struct DrawnTimes {
    pub(super) times: Vec<SizedTime>,
    pub(super) truths: Vec<f64>,
}

pub(super) fn draw(
    law: GrowthLaw,
    sizes: &[f64],
    costs: Costs,
    noise: f64,
    rng: &mut Generator,
) -> DrawnTimes {
    let largest = sizes.last().copied().unwrap_or(1.0);
    let mut place = || 1 + (rng.next_u64() % (sizes.len() as u64 - 1)) as usize;
    let steps = [place(), place()];
    let middle = sizes.first().map_or(1.0, |first| (first * largest).sqrt());
    let fixed = if costs == Costs::Fixed { 0.5 * law.share(middle, largest) } else { 0.0 };
    let mut drawn = DrawnTimes { times: Vec::new(), truths: Vec::new() };
    for (at, &size) in sizes.iter().enumerate() {
        let passed = steps.iter().filter(|step| at >= **step).count() as i32;
        let cost = match costs {
            Costs::Plain | Costs::Fixed => 1.0,
            Costs::Step(factor) => {
                if at >= steps[0] {
                    factor
                } else {
                    1.0
                }
            }
            Costs::Steps(factor) => factor.sqrt().powi(passed),
            Costs::Uneven => 0.9 + 0.2 * (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64,
        };
        let truth = cost * (fixed + law.share(size, largest));
        let mut values: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                // Mean 100, standard deviation 10.
                let z = 0.1 * (Population::Normal.draw(rng) - 100.0);
                truth * (1.0 + noise * z)
            })
            .collect();
        values.sort_by(f64::total_cmp);
        let time = quantile::of_sorted(&values, Probability::HALF).unwrap_or(truth);
        let pair = quantile::exact(SAMPLES, Probability::HALF, Confidence::DEFAULT, Sides::Both);
        let interval = pair.of_sorted(&values);
        drawn.times.push(SizedTime { size, time, interval });
        drawn.truths.push(truth);
    }
    drawn
}
