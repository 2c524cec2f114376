//! Where samples come from, and their true distribution.

use crate::population::{Generator, Population};
use crate::process::Process;
use fathom_stats::distribution::normal;

/// Independent samples, or a process in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source {
    Independent(Population),
    InTime(Process),
}

impl Source {
    pub(super) fn name(self) -> String {
        match self {
            Source::Independent(population) => population.name().to_string(),
            Source::InTime(process) => process.name(),
        }
    }

    pub(super) fn fill(self, samples: &mut [f64], rng: &mut Generator) {
        match self {
            Source::Independent(population) => population.fill(samples, rng),
            Source::InTime(process) => process.fill(samples, rng),
        }
    }

    /// P(X ≤ x).
    pub(super) fn cdf(self, x: f64) -> f64 {
        match self {
            Source::Independent(population) => population.cdf(x),
            Source::InTime(Process::TwoStates { .. }) => {
                0.5 * normal::cdf(x) + 0.5 * normal::cdf(x - 3.0)
            }
            Source::InTime(Process::Bursts) => 0.95 * normal::cdf(x) + 0.05 * normal::cdf(x - 5.0),
            Source::InTime(_) => normal::cdf(x),
        }
    }

    /// P(X < x).
    pub(super) fn below(self, x: f64) -> f64 {
        match self {
            Source::Independent(Population::Tied) => self.cdf(x - 1.0),
            _ => self.cdf(x),
        }
    }

    /// Whether a promise is made for n samples: enough of them that they show what they come from.
    pub(super) fn is_promised(self, n: usize) -> bool {
        match self {
            Source::Independent(_) => true,
            Source::InTime(Process::LongMemory | Process::Bursts) => false,
            Source::InTime(process) => process.shows_its_states(n) && process.effective(n) >= 10.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::coverage::sources;
    use crate::population::generator;

    #[test]
    fn distributions_are_true() {
        let mut rng = generator(9, 0);
        for source in sources() {
            let mut samples = vec![0.0; 200_000];
            source.fill(&mut samples, &mut rng);
            let middle = samples[77];
            let count = |holds: &dyn Fn(&f64) -> bool| {
                samples.iter().filter(|x| holds(x)).count() as f64 / samples.len() as f64
            };
            let room = if source.is_promised(1000) { 0.03 } else { 0.2 };
            let (at_most, below) = (count(&|x| *x <= middle), count(&|x| *x < middle));
            assert!((at_most - source.cdf(middle)).abs() < room, "{source:?} {middle}");
            assert!((below - source.below(middle)).abs() < room, "{source:?} {middle}");
        }
    }
}
