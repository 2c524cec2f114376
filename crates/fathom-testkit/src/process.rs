//! Processes in time whose truth is known: samples that depend on each other.

use crate::population::Generator;
use rand_distr::{Distribution, Open01, StandardNormal};

/// A stationary process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Process {
    /// x = φ x' + noise, with unit variance.
    Autoregressive(f64),
    /// noise + θ × the noise before, with unit variance.
    MovingAverage(f64),
    /// A scheduler: a state of 0 or 3 that lasts `dwell` samples on average, plus unit noise.
    TwoStates {
        /// The mean length of a stay.
        dwell: f64,
    },
    /// Quiet, but 5% of the time in bursts of ten samples that are 5 higher.
    Bursts,
    /// The sum of four autoregressive processes over four scales: memory of about a thousand.
    LongMemory,
}

const HEIGHT: f64 = 3.0;
const BURST: f64 = 5.0;
const BURST_LENGTH: f64 = 10.0;
const BURST_SHARE: f64 = 0.05;
const SCALES: [f64; 4] = [0.0, 0.9, 0.99, 0.999];

impl Process {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Process::Autoregressive(phi) => format!("AR(1) φ = {phi}"),
            Process::MovingAverage(theta) => format!("MA(1) θ = {theta}"),
            Process::TwoStates { dwell } => format!("two states, dwell {dwell}"),
            Process::Bursts => "rare bursts".to_string(),
            Process::LongMemory => "long memory".to_string(),
        }
    }

    /// A series from the stationary state.
    pub fn fill(self, series: &mut [f64], rng: &mut Generator) {
        let normal = |rng: &mut Generator| -> f64 { StandardNormal.sample(rng) };
        let uniform = |rng: &mut Generator| -> f64 { Open01.sample(rng) };
        match self {
            Process::Autoregressive(phi) => {
                let mut x = normal(rng);
                for value in series {
                    x = phi * x + (1.0 - phi * phi).sqrt() * normal(rng);
                    *value = x;
                }
            }
            Process::MovingAverage(theta) => {
                let mut before = normal(rng);
                for value in series {
                    let noise = normal(rng);
                    *value = (noise + theta * before) / (1.0 + theta * theta).sqrt();
                    before = noise;
                }
            }
            Process::TwoStates { dwell } => {
                let mut high = uniform(rng) < 0.5;
                for value in series {
                    high ^= uniform(rng) < 1.0 / dwell;
                    *value = normal(rng) + if high { HEIGHT } else { 0.0 };
                }
            }
            Process::Bursts => {
                let begin = BURST_SHARE / (1.0 - BURST_SHARE) / BURST_LENGTH;
                let mut burst = uniform(rng) < BURST_SHARE;
                for value in series {
                    let change = if burst { 1.0 / BURST_LENGTH } else { begin };
                    burst ^= uniform(rng) < change;
                    *value = normal(rng) + if burst { BURST } else { 0.0 };
                }
            }
            Process::LongMemory => {
                let mut parts = SCALES.map(|_| normal(rng));
                for value in series {
                    for (part, phi) in parts.iter_mut().zip(SCALES) {
                        *part = phi * *part + (1.0 - phi * phi).sqrt() * normal(rng);
                    }
                    *value = 0.5 * parts.iter().sum::<f64>();
                }
            }
        }
    }

    /// The true mean.
    #[must_use]
    pub fn mean(self) -> f64 {
        match self {
            Process::TwoStates { .. } => 0.5 * HEIGHT,
            Process::Bursts => BURST_SHARE * BURST,
            _ => 0.0,
        }
    }

    /// The true median.
    #[must_use]
    pub fn median(self) -> f64 {
        match self {
            Process::TwoStates { .. } => 0.5 * HEIGHT,
            Process::Bursts => {
                let below = |x: f64| {
                    use fathom_stats::distribution::normal::cdf;
                    (1.0 - BURST_SHARE) * cdf(x) + BURST_SHARE * cdf(x - BURST)
                };
                let (mut low, mut high) = (-1.0, 1.0);
                while high - low > 1e-12 {
                    let middle = 0.5 * (low + high);
                    if below(middle) < 0.5 { low = middle } else { high = middle }
                }
                high
            }
            _ => 0.0,
        }
    }

    /// Whether a series of n samples is long enough to have been in all states several times.
    #[must_use]
    pub fn shows_its_states(self, n: usize) -> bool {
        match self {
            Process::TwoStates { dwell } => n as f64 >= 10.0 * dwell,
            _ => true,
        }
    }

    /// How many independent samples n of these are worth for the mean: n × variance over the
    /// long-run variance.
    #[must_use]
    pub fn effective(self, n: usize) -> f64 {
        let share = match self {
            Process::Autoregressive(phi) => (1.0 - phi) / (1.0 + phi),
            Process::MovingAverage(theta) => (1.0 + theta * theta) / (1.0 + theta).powi(2),
            Process::TwoStates { dwell } => {
                let (state, rho) = (HEIGHT * HEIGHT / 4.0, 1.0 - 2.0 / dwell);
                (state + 1.0) / (state * (1.0 + rho) / (1.0 - rho) + 1.0)
            }
            Process::Bursts => {
                let state = BURST * BURST * BURST_SHARE * (1.0 - BURST_SHARE);
                let begin = BURST_SHARE / (1.0 - BURST_SHARE) / BURST_LENGTH;
                let rho = 1.0 - begin - 1.0 / BURST_LENGTH;
                (state + 1.0) / (state * (1.0 + rho) / (1.0 - rho) + 1.0)
            }
            Process::LongMemory => {
                4.0 / SCALES.iter().map(|phi| (1.0 + phi) / (1.0 - phi)).sum::<f64>()
            }
        };
        n as f64 * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    /// The stated mean, median and effective size are those of the generator.
    #[test]
    fn truths_are_true() {
        let processes = [
            Process::Autoregressive(0.5),
            Process::Autoregressive(-0.3),
            Process::MovingAverage(0.8),
            Process::TwoStates { dwell: 20.0 },
            Process::Bursts,
        ];
        for (cell, process) in processes.into_iter().enumerate() {
            let mut rng = generator(3, cell as u64);
            let (n, repeats) = (2000, 400);
            let mut series = vec![0.0; n];
            let (mut means, mut squares, mut below, mut variance) = (0.0, 0.0, 0.0, 0.0);
            for _ in 0..repeats {
                process.fill(&mut series, &mut rng);
                let mean = series.iter().sum::<f64>() / n as f64;
                means += mean;
                squares += (mean - process.mean()).powi(2);
                variance += series.iter().map(|x| (x - process.mean()).powi(2)).sum::<f64>();
                below += series.iter().filter(|&&x| x <= process.median()).count() as f64;
            }
            let repeats = f64::from(repeats);
            variance /= repeats * n as f64;
            let of_mean = squares / repeats;
            let effective = variance / of_mean;
            assert!((means / repeats - process.mean()).abs() < 0.1, "{process:?}");
            assert!((below / repeats / n as f64 - 0.5).abs() < 0.02, "{process:?}");
            let ratio = effective / process.effective(n);
            assert!((0.75..1.33).contains(&ratio), "{process:?}: {ratio}");
        }
    }
}
