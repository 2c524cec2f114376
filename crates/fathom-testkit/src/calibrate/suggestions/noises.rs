//! Series in which nothing was planted.

use crate::population::Generator;
use rand_distr::{Distribution, StandardNormal, StudentT};

/// A kind of noise, of variance 1 where it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Noise {
    /// Independent, normal.
    White,
    /// x = φ x' + noise.
    Autoregressive(f64),
    /// x = .4 x' + .2 x" + noise.
    SecondOrder,
    /// Student's t with 3 degrees of freedom.
    HeavyTailed,
    /// exp of a normal.
    Lognormal,
    /// The sum of all noise so far.
    RandomWalk,
}

/// The rows of the table.
pub(super) const NOISES: [Noise; 8] = [
    Noise::White,
    Noise::Autoregressive(0.5),
    Noise::Autoregressive(0.9),
    Noise::SecondOrder,
    Noise::HeavyTailed,
    Noise::Lognormal,
    Noise::Autoregressive(0.98),
    Noise::RandomWalk,
];

impl Noise {
    pub(super) fn name(self) -> String {
        match self {
            Noise::White => "white noise".to_string(),
            Noise::Autoregressive(phi) => format!("AR(1) {phi}"),
            Noise::SecondOrder => "AR(2) .4 .2".to_string(),
            Noise::HeavyTailed => "t3".to_string(),
            Noise::Lognormal => "lognormal".to_string(),
            Noise::RandomWalk => "random walk".to_string(),
        }
    }

    /// Whether at most 5% of such series may get a suggestion.
    pub(super) fn has_goal(self) -> bool {
        match self {
            Noise::White | Noise::SecondOrder => true,
            Noise::Autoregressive(phi) => phi <= 0.9,
            _ => false,
        }
    }

    pub(super) fn has_long_tails(self) -> bool {
        matches!(self, Noise::HeavyTailed | Noise::Lognormal)
    }

    pub(super) fn draw(self, n: usize, rng: &mut Generator) -> Vec<f64> {
        match self {
            Noise::White => (0..n).map(|_| normal(rng)).collect(),
            Noise::Autoregressive(phi) => {
                let scale = f64::sqrt(1.0 - phi * phi);
                let start = normal(rng);
                walk(n, start, rng, |x, step| phi * x + scale * step)
            }
            Noise::SecondOrder => {
                // The variance of such a series is 1 / (1 - .4² - .2² - 2 · .4² · .2 / (1 - .2)).
                let scale = f64::sqrt(1.0 - 0.16 - 0.04 - 2.0 * 0.16 * 0.2 / 0.8);
                let mut before = 0.0;
                let all = walk(n + 200, 0.0, rng, |x, step| {
                    let next = 0.4 * x + 0.2 * before + scale * step;
                    before = x;
                    next
                });
                all.into_iter().skip(200).collect()
            }
            Noise::HeavyTailed => match StudentT::new(3.0) {
                Ok(law) => (0..n).map(|_| law.sample(rng)).collect(),
                Err(_) => Vec::new(),
            },
            Noise::Lognormal => (0..n).map(|_| normal(rng).exp()).collect(),
            Noise::RandomWalk => walk(n, 0.0, rng, |x, step| x + step),
        }
    }
}

fn normal(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}

fn walk(
    n: usize,
    start: f64,
    rng: &mut Generator,
    mut next: impl FnMut(f64, f64) -> f64,
) -> Vec<f64> {
    let mut x = start;
    let step = |_| {
        x = next(x, normal(rng));
        x
    };
    (0..n).map(step).collect()
}
