//! A band that has all of a distribution at once.

use super::local_tail;
use super::worth::worth;
use crate::dependence::Declined;
use crate::distribution::beta;
use crate::distribution::binomial::Binomial;
use crate::quantile::{RankPair, last_true};
use crate::{Confidence, Interval, Probability};

/// A band for the distribution that samples come from: with the confidence, all of the distribution
/// function lies within it, and so does every quantile.
///
/// Every place is as sure as every other: the k-th smallest of N independent samples lies between
/// two quantiles of Beta(k, N + 1 − k), the same two for all k, so chosen that none of the samples
/// misses with the confidence. For a continuous distribution that is exact. Ties only raise it.
///
/// ```
/// use fathom_stats::band::Band;
/// use fathom_stats::{Confidence, Probability};
///
/// let band = Band::of_independent(100, Confidence::DEFAULT);
/// let half = band.at(50);
/// assert!(half.lower > 0.34 && half.upper < 0.66);
/// let median = band.ranks(Probability::HALF);
/// assert_eq!((median.lower, median.upper), (Some(35), Some(66)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    n: usize,
    worth: usize,
    tail: f64,
}

impl Band {
    /// The band of n independent samples.
    #[must_use]
    pub fn of_independent(n: usize, confidence: Confidence) -> Band {
        Band { n, worth: n, tail: local_tail(n, confidence) }
    }

    /// The band of samples in time order: that of as many independent ones as these are worth,
    /// stretched to all of them.
    pub fn of(values: &[f64], confidence: Confidence) -> Result<Band, Declined> {
        let worth = worth(values, confidence)?;
        Ok(Band { n: values.len(), worth, tail: local_tail(worth, confidence) })
    }

    /// How many samples it is of.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.n
    }

    /// How many independent samples it takes these for.
    #[must_use]
    pub fn worth(&self) -> usize {
        self.worth
    }

    /// Where the distribution function lies from a value with `count` samples at or below it until
    /// just before the next sample. Of values that tie, the last one counts.
    #[must_use]
    pub fn at(&self, count: usize) -> Interval {
        let above = self.n.saturating_sub(count);
        Interval {
            lower: self.lower(self.shrunk(count)),
            upper: 1.0 - self.lower(self.shrunk(above)),
        }
    }

    /// The lower end at the k-th smallest of the independent samples; the upper ends mirror them.
    fn lower(&self, k: usize) -> f64 {
        if k == 0 {
            return 0.0;
        }
        beta::quantile(k as f64, (self.worth + 1 - k) as f64, self.tail).x
    }

    /// So many of n as a number of the independent ones, rounded down.
    fn shrunk(&self, count: usize) -> usize {
        let share = count.min(self.n) as f64 / self.n.max(1) as f64;
        (share * self.worth as f64 + 1e-9).floor() as usize
    }

    /// The order statistics between which the p-quantile lies, together with all other quantiles.
    /// The coverage is that of this one by itself.
    #[must_use]
    pub fn ranks(&self, p: Probability) -> RankPair {
        let binomial = Binomial::new(self.worth, p);
        let lower = last_true(self.worth, |k| binomial.at_most(k - 1) < self.tail);
        let from_top =
            last_true(self.worth, |v| binomial.at_least(self.worth + 1 - v) <= self.tail);
        let lower = (lower > 0).then_some(lower);
        let upper = (from_top > 0).then(|| self.worth + 1 - from_top);
        let coverage = RankPair::with_coverage(self.worth, p, lower, upper).coverage;
        // Ranks go outwards where several samples count as one.
        let ratio = self.n as f64 / self.worth.max(1) as f64;
        RankPair {
            lower: lower.map(|rank| ((rank - 1) as f64 * ratio + 1e-9).floor() as usize + 1),
            upper: upper.map(|rank| ((rank as f64 * ratio - 1e-9).ceil() as usize).min(self.n)),
            coverage,
        }
    }
}
