//! What a ratio of means allows for if one subject has rare long runs that the other lacks.
//!
//! A long run that did not happen is in no interval, so there must be enough runs to have it. Where few
//! of them happened, they decide the mean, and the longest is seldom as long as it might be. Then the
//! interval must also hold for weights that chance gives the runs (the Bayesian bootstrap), with one
//! more among them, farther out than any. See `docs/methods/tails.md` for what this leaves.

use crate::mean::{Moments, SkewnessVerdict, skewness_verdict};
use crate::rare_events::runs_with_two;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Two of one run in ten are among the runs before a mean has an interval.
const SHARE: f64 = 0.1;
/// The part of an interval's error that they are missing with.
const PART: f64 = 0.2;
/// How many times as far out as the farthest the one more is.
pub(super) const FARTHER: f64 = 2.0;
/// The fewest sets of weights that are drawn, how many per smallest level, and the most.
const FEWEST_DRAWN: usize = 4999;
const DRAWN_PER_LEVEL: f64 = 80.0;
const MOST_DRAWN: f64 = 19_999.0;

/// The fewest runs of each subject for an interval of the ratio of their means.
pub(super) fn fewest_runs(alpha: f64) -> usize {
    runs_with_two(SHARE, PART * alpha)
}

/// Whether few values decide their mean.
pub(super) fn few_decide(values: &[f64]) -> bool {
    Moments::of(values)
        .is_some_and(|moments| skewness_verdict(&moments) == SkewnessVerdict::Doubtful)
}

/// The weights that chance gives to values, relative to each other.
#[derive(Debug)]
pub(super) struct Weights(Xoshiro256PlusPlus);

impl Weights {
    /// Exponential: together they are uniform among all shares.
    pub(super) fn next(&mut self) -> f64 {
        // In (0, 1], from the upper bits.
        let uniform = ((self.0.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        -libm::log(uniform)
    }
}

/// Both ends of an interval at any level, from draws.
#[derive(Debug)]
pub(super) struct DrawnEnds {
    ascending: Vec<f64>,
    descending: Vec<f64>,
}

impl DrawnEnds {
    /// `draw` gives a value for the lower end and one for the upper.
    pub(super) fn of(
        alpha: f64,
        seed: u64,
        mut draw: impl FnMut(&mut Weights) -> [f64; 2],
    ) -> DrawnEnds {
        // Other numbers than those that signs come from.
        const WEIGHTS: u64 = 0x7765_6967_6874;
        let mut weights = Weights(Xoshiro256PlusPlus::seed_from_u64(seed ^ WEIGHTS));
        let count = (DRAWN_PER_LEVEL / alpha).min(MOST_DRAWN) as usize;
        let (mut ascending, mut descending): (Vec<f64>, Vec<f64>) =
            (0..count.max(FEWEST_DRAWN)).map(|_| draw(&mut weights).into()).unzip();
        ascending.sort_unstable_by(f64::total_cmp);
        descending.sort_unstable_by(|a, b| b.total_cmp(a));
        DrawnEnds { ascending, descending }
    }

    /// Each end is beyond all but a share of half of `alpha` of the draws.
    pub(super) fn at(&self, alpha: f64) -> [f64; 2] {
        let rank = (0.5 * alpha * self.ascending.len() as f64).floor() as usize;
        let rank = rank.min(self.ascending.len() - 1);
        [self.ascending[rank], self.descending[rank]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::beta;

    #[test]
    fn a_mean_takes_two_of_one_run_in_ten() {
        // With 99% at a level of 5%, by the binomial.
        assert_eq!([fewest_runs(0.05), fewest_runs(0.01)], [64, 81]);
    }

    #[test]
    fn weights_are_exponential() {
        let mut weights = Weights(Xoshiro256PlusPlus::seed_from_u64(3));
        let all: Vec<f64> = (0..40_000).map(|_| weights.next()).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let beyond = all.iter().filter(|weight| **weight > 3.0).count() as f64 / all.len() as f64;
        assert!((mean - 1.0).abs() < 0.02 && (beyond - (-3.0_f64).exp()).abs() < 0.005, "{mean}");
    }

    /// What some of equal weights get of all is of a beta distribution.
    #[test]
    fn shares_of_all_weights_are_those_of_the_beta_law() {
        let ends = DrawnEnds::of(0.002, 5, |weights| {
            let [some, others] = [3, 17].map(|n| (0..n).map(|_| weights.next()).sum::<f64>());
            [some / (some + others); 2]
        });
        let [lower, upper] = ends.at(0.05);
        let expected = [0.025, 0.975].map(|p| beta::quantile(3.0, 17.0, p).x);
        for (found, expected) in [lower, upper].into_iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
        }
    }

    #[test]
    fn ends_are_at_half_of_the_level() {
        let mut next = 0.0;
        let ends = DrawnEnds::of(0.05, 1, |_| {
            next += 1.0;
            [next, next]
        });
        let [lower, upper] = ends.at(0.05);
        assert_eq!((lower, upper), (125.0, 4875.0));
        assert_eq!(ends.at(0.0), [1.0, 4999.0]);
    }
}
