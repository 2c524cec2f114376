//! What is measured: run times whose truth is known.

use crate::population::{Generator, Population};
use crate::process::Process;
use fathom_analyze::Statistic;
use fathom_stats::Probability;
use fathom_stats::distribution::normal;
use rand_distr::{Distribution, StandardNormal};

/// A source of run times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source {
    /// Normal about 1 with this standard deviation.
    Normal(f64),
    /// exp of a normal with this standard deviation.
    Lognormal(f64),
    /// One of the populations.
    Of(Population),
    /// Autoregressive about 1, with a standard deviation of 5%.
    Dependent {
        /// What is remembered from run to run.
        phi: f64,
    },
    /// Two states 6% apart about 1 that last five runs on average, plus 2% of noise.
    TwoStates,
}

impl Source {
    pub(super) fn name(self) -> String {
        match self {
            Source::Normal(sd) => format!("normal, {}%", 100.0 * sd),
            Source::Lognormal(sd) => format!("lognormal, σ {sd}"),
            Source::Of(population) => population.name().to_string(),
            Source::Dependent { phi } => format!("AR(1) φ = {phi}, 5%"),
            Source::TwoStates => "two states 6% apart".to_string(),
        }
    }

    pub(super) fn fill(self, values: &mut [f64], rng: &mut Generator) {
        match self {
            Source::Normal(sd) => {
                values.iter_mut().for_each(|value| *value = 1.0 + sd * standard(rng));
            }
            Source::Lognormal(sd) => {
                values.iter_mut().for_each(|value| *value = (sd * standard(rng)).exp());
            }
            Source::Of(population) => population.fill(values, rng),
            Source::Dependent { phi } => {
                Process::Autoregressive(phi).fill(values, rng);
                values.iter_mut().for_each(|value| *value = 1.0 + DEPENDENT_SD * *value);
            }
            Source::TwoStates => {
                STATES.fill(values, rng);
                values.iter_mut().for_each(|value| *value = 1.0 + 0.02 * (*value - STATES.mean()));
            }
        }
    }

    /// The true value; `None` where it has no closed form.
    pub(super) fn truth(self, statistic: Statistic) -> Option<f64> {
        let truth = match (self, statistic) {
            (Source::Normal(sd), Statistic::Quantile(p)) => 1.0 + sd * normal::quantile(p.get()),
            (Source::Dependent { .. }, Statistic::Quantile(p)) => {
                1.0 + DEPENDENT_SD * normal::quantile(p.get())
            }
            (Source::Normal(_) | Source::Dependent { .. }, _) => 1.0,
            (Source::Lognormal(sd), Statistic::Quantile(p)) => {
                (sd * normal::quantile(p.get())).exp()
            }
            (Source::Lognormal(sd), _) => (0.5 * sd * sd).exp(),
            (Source::Of(population), Statistic::Quantile(p)) => population.quantile(p.get()),
            (Source::Of(population), _) => population.mean(),
            // Symmetric about its mean.
            (Source::TwoStates, Statistic::Quantile(p)) if p != Probability::HALF => return None,
            (Source::TwoStates, _) => 1.0,
        };
        Some(truth)
    }
}

const DEPENDENT_SD: f64 = 0.05;
const STATES: Process = Process::TwoStates { dwell: 5.0 };

fn standard(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}
