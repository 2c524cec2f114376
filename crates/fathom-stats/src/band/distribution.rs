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
        Band::stretched(n, n, confidence)
    }

    /// The band of samples in time order: that of as many independent ones as these are worth,
    /// stretched to all of them.
    ///
    /// ```
    /// use fathom_stats::Confidence;
    /// use fathom_stats::band::Band;
    ///
    /// // Each value is drawn without regard to the one before.
    /// let values: Vec<f64> = (0..500).map(|i| f64::from((i * 189) % 503)).collect();
    /// let band = Band::of(&values, Confidence::DEFAULT).map_err(|why| format!("{why:?}"))?;
    /// assert_eq!(band.samples(), 500);
    /// assert!(band.worth() <= 500);
    /// # Ok::<(), String>(())
    /// ```
    pub fn of(values: &[f64], confidence: Confidence) -> Result<Band, Declined> {
        Ok(Band::stretched(values.len(), worth(values, confidence)?, confidence))
    }

    /// The band of n samples that are worth as many independent ones, at most n.
    ///
    /// ```
    /// use fathom_stats::Confidence;
    /// use fathom_stats::band::Band;
    ///
    /// let band = Band::stretched(1000, 100, Confidence::DEFAULT);
    /// let independent = Band::of_independent(1000, Confidence::DEFAULT);
    /// assert!(band.at(500).width() > independent.at(500).width());
    /// ```
    #[must_use]
    pub fn stretched(n: usize, worth: usize, confidence: Confidence) -> Band {
        let worth = worth.min(n);
        Band { n, worth, tail: local_tail(worth, confidence) }
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

    /// This many of n as a number of the independent ones, rounded down.
    fn shrunk(&self, count: usize) -> usize {
        let share = count.min(self.n) as f64 / self.n.max(1) as f64;
        (share * self.worth as f64 + 1e-9).floor() as usize
    }

    /// The order statistics between which the p-quantile lies, together with all other quantiles.
    /// The coverage is that of this one alone.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn level(p: f64) -> Probability {
        Probability::new(p).unwrap()
    }

    #[test]
    fn one_sample_by_hand() {
        let band = Band::of_independent(1, Confidence::DEFAULT);
        assert!((band.at(0).upper - 0.975).abs() < 1e-12 && band.at(0).lower == 0.0);
        assert!((band.at(1).lower - 0.025).abs() < 1e-12 && band.at(1).upper == 1.0);
        // It is above the 1% quantile with 99%, and below the 99% one.
        let [low, middle, high] = [0.01, 0.5, 0.99].map(|p| band.ranks(level(p)));
        assert_eq!((low.lower, low.upper), (None, Some(1)));
        assert_eq!((middle.lower, middle.upper), (None, None));
        assert_eq!((high.lower, high.upper), (Some(1), None));
    }

    #[test]
    fn two_samples_by_area() {
        // U(1) ≥ a and U(2) ≤ 1 − a, with 1 − √(1 − t) = a; U(1) ≤ b and U(2) ≥ 1 − b, b = 1 − √t.
        let tail = local_tail(2, Confidence::DEFAULT);
        let (a, b) = (1.0 - (1.0 - tail).sqrt(), 1.0 - tail.sqrt());
        // Twice the square from a to 1 − a above the diagonal, without both corners.
        let covered = (1.0 - 2.0 * a).powi(2) - 2.0 * (1.0 - a - b).powi(2);
        assert!((covered - 0.95).abs() < 1e-7, "{covered}");
    }

    #[test]
    fn none_and_nothing() {
        let band = Band::of_independent(0, Confidence::DEFAULT);
        assert_eq!(band.at(0), Interval { lower: 0.0, upper: 1.0 });
        assert_eq!(band.ranks(Probability::HALF).upper, None);
    }

    proptest! {
        /// The distribution function and the quantiles are two views of the same band.
        #[test]
        fn ranks_are_where_the_band_crosses(
            n in 1_usize..80, share in 0.1_f64..1.0, p in 0.01_f64..0.99, c in 0.5_f64..0.999,
        ) {
            let worth = usize::max(1, (share * n as f64) as usize);
            let band = Band::stretched(n, worth, Confidence::new(c).unwrap());
            let found = band.ranks(level(p));
            // Q(p) ≤ x(k) where the lower end at k reaches p; Q(p) ≥ x(k) where the upper one just
            // before it does not.
            let upper = (1..=n).find(|&k| band.at(k).lower >= p);
            let lower = (1..=n).rev().find(|&k| band.at(k - 1).upper < p);
            prop_assert_eq!(found.upper, upper);
            prop_assert_eq!(found.lower, lower);
        }

        #[test]
        fn the_band_rises_and_holds_the_samples(n in 1_usize..60, worth in 1_usize..60) {
            let band = Band::stretched(n, worth, Confidence::DEFAULT);
            for count in 0..=n {
                let here = band.at(count);
                let share = count as f64 / n as f64;
                prop_assert!(here.lower <= share && share <= here.upper);
                if count > 0 {
                    let before = band.at(count - 1);
                    prop_assert!(before.lower <= here.lower && before.upper <= here.upper);
                }
                let mirrored = band.at(n - count);
                prop_assert!((here.lower + mirrored.upper - 1.0).abs() < 1e-12);
            }
        }
    }
}
