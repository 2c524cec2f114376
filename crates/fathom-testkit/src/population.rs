//! Populations whose mean and quantiles are known.

use fathom_stats::distribution::normal;
use rand_core::SeedableRng;
use rand_distr::{Distribution, Open01, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of all simulations.
pub type Generator = Xoshiro256PlusPlus;

/// A generator for one cell of a table, from the table's seed and the cell's number.
#[must_use]
pub fn generator(seed: u64, cell: u64) -> Generator {
    // Distinct odd multiples keep neighbouring cells' streams apart.
    Generator::seed_from_u64(seed ^ (cell + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A distribution to draw from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Population {
    /// Normal, mean 100, standard deviation 10.
    Normal,
    /// exp of a standard normal: skewness 6.2.
    Lognormal,
    /// Pareto with index 2 from 1: the mean is 2, the variance is infinite.
    Pareto,
    /// 60% around 10, 40% around 15, standard deviation 0.5 each.
    Bimodal,
    /// Normal with standard deviation 1.2, rounded to integers: about six distinct values.
    Tied,
}

impl Population {
    /// Every population, in the order of the tables.
    pub const ALL: [Population; 5] = [
        Population::Normal,
        Population::Lognormal,
        Population::Pareto,
        Population::Bimodal,
        Population::Tied,
    ];

    const TIED_CENTRE: f64 = 10.0;
    const TIED_SD: f64 = 1.2;

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Population::Normal => "normal",
            Population::Lognormal => "lognormal",
            Population::Pareto => "Pareto",
            Population::Bimodal => "bimodal",
            Population::Tied => "tied",
        }
    }

    /// One value.
    pub fn draw(self, rng: &mut Generator) -> f64 {
        let z: f64 = StandardNormal.sample(rng);
        match self {
            Population::Normal => 100.0 + 10.0 * z,
            Population::Lognormal => z.exp(),
            Population::Pareto => {
                let u: f64 = Open01.sample(rng);
                1.0 / u.sqrt()
            }
            Population::Bimodal => {
                let u: f64 = Open01.sample(rng);
                0.5 * z + if u < 0.6 { 10.0 } else { 15.0 }
            }
            Population::Tied => (Self::TIED_CENTRE + Self::TIED_SD * z).round(),
        }
    }

    /// Fills a sample.
    pub fn fill(self, sample: &mut [f64], rng: &mut Generator) {
        sample.iter_mut().for_each(|value| *value = self.draw(rng));
    }

    /// The true mean.
    #[must_use]
    pub fn mean(self) -> f64 {
        match self {
            Population::Normal => 100.0,
            Population::Lognormal => 0.5_f64.exp(),
            Population::Pareto => 2.0,
            Population::Bimodal => 12.0,
            // Symmetric about an integer, so rounding does not move it.
            Population::Tied => Self::TIED_CENTRE,
        }
    }

    /// P(X ≤ x).
    #[must_use]
    pub fn cdf(self, x: f64) -> f64 {
        match self {
            Population::Normal => normal::cdf((x - 100.0) / 10.0),
            Population::Lognormal => normal::cdf(x.ln()),
            Population::Pareto => 1.0 - 1.0 / (x * x),
            Population::Bimodal => {
                0.6 * normal::cdf((x - 10.0) / 0.5) + 0.4 * normal::cdf((x - 15.0) / 0.5)
            }
            Population::Tied => normal::cdf((x.floor() + 0.5 - Self::TIED_CENTRE) / Self::TIED_SD),
        }
    }

    /// The smallest x with P(X ≤ x) ≥ p.
    #[must_use]
    pub fn quantile(self, p: f64) -> f64 {
        match self {
            Population::Normal => 100.0 + 10.0 * normal::quantile(p),
            Population::Lognormal => normal::quantile(p).exp(),
            Population::Pareto => 1.0 / (1.0 - p).sqrt(),
            Population::Bimodal => {
                let (mut low, mut high) = (0.0, 30.0);
                while high - low > 1e-13 {
                    let middle = 0.5 * (low + high);
                    if self.cdf(middle) >= p { high = middle } else { low = middle }
                }
                high
            }
            Population::Tied => {
                (Self::TIED_CENTRE + Self::TIED_SD * normal::quantile(p) - 0.5).ceil()
            }
        }
    }

    /// The interquartile range: the unit in which tables give widths.
    #[must_use]
    pub fn scale(self) -> f64 {
        self.quantile(0.75) - self.quantile(0.25)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantile_is_the_smallest_value_whose_cdf_reaches_p() {
        for population in Population::ALL {
            for p in [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99] {
                let x = population.quantile(p);
                assert!(population.cdf(x) >= p - 1e-12, "{population:?} {p}");
                let below = if population == Population::Tied { x - 1.0 } else { x - 1e-6 };
                assert!(population.cdf(below) < p, "{population:?} {p}");
            }
        }
    }

    #[test]
    fn draws_follow_the_stated_law() {
        let mut rng = generator(5, 0);
        for population in Population::ALL {
            let mut sample = vec![0.0; 40_000];
            population.fill(&mut sample, &mut rng);
            for p in [0.1, 0.5, 0.9] {
                let x = population.quantile(p);
                let share = sample.iter().filter(|&&value| value <= x).count() as f64 / 40_000.0;
                assert!((share - population.cdf(x)).abs() < 0.012, "{population:?} {p} {share}");
            }
        }
    }
}
