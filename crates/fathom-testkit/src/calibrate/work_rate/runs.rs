//! Simulated runs of different amounts of work, whose line is known.

use crate::population::Generator;
use crate::process::Process;
use fathom_stats::paired::block_order;
use rand_core::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};

/// The time per unit of work.
pub(super) const SLOPE: f64 = 1.0;

/// Which amounts of work the runs have, and in which order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Amounts {
    /// These, in random order and its mirror image, as `fathom run --work` runs them.
    Random(&'static [f64]),
    /// From 1 up in steps of 1, as a script may run them.
    Ascending,
}

impl Amounts {
    /// Their name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Amounts::Random(amounts) => match amounts {
                [first, .., last] if amounts.len() > 4 => format!("{first} to {last}"),
                few => few.iter().map(f64::to_string).collect::<Vec<_>>().join(", "),
            },
            Amounts::Ascending => "1 to n, ascending".to_string(),
        }
    }

    /// The amounts of n runs.
    pub(super) fn of_runs(self, n: usize, rng: &mut Generator) -> Vec<f64> {
        match self {
            Amounts::Random(amounts) => {
                let places: Vec<usize> = (0..amounts.len()).collect();
                let seed = rng.next_u64();
                let blocks = (0..).flat_map(|block| block_order(seed, block, &places));
                blocks.take(n).map(|place| amounts[place]).collect()
            }
            Amounts::Ascending => (1..=n).map(|amount| amount as f64).collect(),
        }
    }
}

/// How times err.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Noise {
    /// Normal, as large for every amount.
    Normal,
    /// Exponential: skewed to the right.
    Exponential,
    /// Every run in twenty stalls.
    Stalls,
    /// Autoregressive, normal.
    Dependent(f64),
    /// Normal, growing in proportion to the time.
    Proportional,
    /// The same, lognormal with this deviation of the logarithm.
    Skewed(f64),
    /// The same, autoregressive.
    ProportionalDependent(f64),
    /// Normal, a third as large, on a machine that slows down by this share from the first run to the last.
    Drift(f64),
}

impl Noise {
    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Noise::Normal => "normal".to_string(),
            Noise::Exponential => "exponential".to_string(),
            Noise::Stalls => "stalls".to_string(),
            Noise::Dependent(phi) => format!("AR(1), φ = {phi}"),
            Noise::Proportional => "normal, grows".to_string(),
            Noise::Skewed(sigma) => format!("lognormal σ = {sigma}, grows"),
            Noise::ProportionalDependent(phi) => format!("AR(1), φ = {phi}, grows"),
            Noise::Drift(share) => format!("drift of {:.0}%", 100.0 * share),
        }
    }

    /// What is added to these times, which are without errors; zero on average.
    fn errors(self, times: &[f64], rng: &mut Generator) -> Vec<f64> {
        /// Of the largest time, where all errors are alike.
        const SHARE: f64 = 0.05;
        /// Of each time, where they grow.
        const GROWING: f64 = 0.1;
        let alike = SHARE * times.iter().copied().fold(0.0, f64::max);
        let dependent = |phi: f64, rng: &mut Generator| {
            let mut values = vec![0.0; times.len()];
            Process::Autoregressive(phi).fill(&mut values, rng);
            values
        };
        let each = |draw: &mut dyn FnMut(f64) -> f64| times.iter().map(|t| draw(*t)).collect();
        let normal = |rng: &mut Generator| -> f64 { StandardNormal.sample(rng) };
        match self {
            Noise::Normal => each(&mut |_| alike * normal(rng)),
            Noise::Exponential => each(&mut |_| {
                let drawn: f64 = Exp1.sample(rng);
                alike * (drawn - 1.0)
            }),
            Noise::Stalls => each(&mut |_| {
                const OFTEN: u64 = 20;
                let stall = if rng.next_u64().is_multiple_of(OFTEN) { OFTEN as f64 } else { 0.0 };
                alike * (0.1 * normal(rng) + stall / 4.0 - 0.25)
            }),
            Noise::Dependent(phi) => {
                dependent(phi, rng).into_iter().map(|value| alike * value).collect()
            }
            Noise::Proportional => each(&mut |t| GROWING * t * normal(rng)),
            Noise::Skewed(sigma) => {
                each(&mut |t| t * ((sigma * normal(rng) - 0.5 * sigma * sigma).exp() - 1.0))
            }
            Noise::ProportionalDependent(phi) => {
                let values = dependent(phi, rng);
                values.iter().zip(times).map(|(value, t)| GROWING * t * value).collect()
            }
            Noise::Drift(share) => {
                let last = times.len().max(2) as f64 - 1.0;
                let slower = |i: usize| share * (i as f64 / last - 0.5);
                let drifting = times.iter().enumerate().map(|(i, t)| t * slower(i));
                drifting.map(|error| error + alike * normal(rng) / 3.0).collect()
            }
        }
    }
}

/// How the time without errors follows from the work, but for the set-up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Law {
    /// In proportion.
    Straight,
    /// n log n.
    Linearithmic,
    /// n².
    Square,
    /// Twice as slow above the middle of the amounts: a cache that overflows.
    Knee,
}

impl Law {
    pub(super) const ALL: [Law; 4] = [Law::Straight, Law::Linearithmic, Law::Square, Law::Knee];

    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Law::Straight => "a straight line",
            Law::Linearithmic => "n log n",
            Law::Square => "n²",
            Law::Knee => "twice as slow from the middle on",
        }
    }

    fn of(self, amount: f64, largest: f64) -> f64 {
        match self {
            Law::Straight => amount,
            Law::Linearithmic => amount * (1.0 + amount).ln() / (1.0 + largest).ln(),
            Law::Square => amount * amount / largest,
            Law::Knee => amount + (amount - 0.5 * largest).max(0.0),
        }
    }
}

/// Runs with a set-up time of a thirtieth of the largest amount.
pub(super) struct Runs {
    pub(super) work: Vec<f64>,
    pub(super) time: Vec<f64>,
    /// The true set-up time.
    pub(super) setup: f64,
}

/// Draws n runs.
pub(super) fn draw(
    amounts: Amounts,
    law: Law,
    noise: Noise,
    n: usize,
    rng: &mut Generator,
) -> Runs {
    let work = amounts.of_runs(n, rng);
    let largest = match amounts {
        Amounts::Random(all) => all.iter().copied().fold(0.0, f64::max),
        Amounts::Ascending => n as f64,
    };
    let setup = largest / 30.0;
    let exact: Vec<f64> = work.iter().map(|w| setup + SLOPE * law.of(*w, largest)).collect();
    let errors = noise.errors(&exact, rng);
    let time = exact.iter().zip(errors).map(|(exact, error)| exact + error).collect();
    Runs { work, time, setup }
}
