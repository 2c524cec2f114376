//! What is measured: run times whose truth is known.

use crate::population::{Generator, Population};
use crate::process::Process;
use fathom_analyze::Statistic;
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
    /// Autoregressive with φ = .5 about 1, with this standard deviation.
    Dependent(f64),
}

impl Source {
    pub(super) fn name(self) -> String {
        match self {
            Source::Normal(sd) => format!("normal, {}%", 100.0 * sd),
            Source::Lognormal(sd) => format!("lognormal, σ {sd}"),
            Source::Of(population) => population.name().to_string(),
            Source::Dependent(sd) => format!("AR(1) φ = 0.5, {}%", 100.0 * sd),
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
            Source::Dependent(sd) => {
                Process::Autoregressive(0.5).fill(values, rng);
                values.iter_mut().for_each(|value| *value = 1.0 + sd * *value);
            }
        }
    }

    pub(super) fn truth(self, statistic: Statistic) -> f64 {
        match (self, statistic) {
            (Source::Normal(sd) | Source::Dependent(sd), Statistic::Quantile(p)) => {
                1.0 + sd * normal::quantile(p.get())
            }
            (Source::Normal(_) | Source::Dependent(_), _) => 1.0,
            (Source::Lognormal(sd), Statistic::Quantile(p)) => {
                (sd * normal::quantile(p.get())).exp()
            }
            (Source::Lognormal(sd), _) => (0.5 * sd * sd).exp(),
            (Source::Of(population), Statistic::Quantile(p)) => population.quantile(p.get()),
            (Source::Of(population), _) => population.mean(),
        }
    }
}

fn standard(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}
