//! The geometric mean of quantiles, or of ratios of quantiles, over fixed populations: the mean speed-up
//! over benchmarks, where the benchmarks are fixed and executions are random.

use super::of_sorted;
use super::rank_law::{PairedRankLaw, RankLaw};
use crate::{Confidence, Interval, Probability};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How often ranks are drawn. The end of a 99.9% interval has ten draws beyond it.
const DRAWS: usize = 20_000;

/// Samples of one population, of which a quantile is a factor. Each value may lie between two bounds.
#[derive(Debug, Clone)]
pub struct QuantileSample {
    lows: Vec<f64>,
    highs: Vec<f64>,
    level: Probability,
}

/// A factor of a geometric mean.
#[derive(Debug, Clone)]
pub struct QuantileFactor {
    numerator: QuantileSample,
    denominator: Option<QuantileSample>,
    /// Of paired samples: the share of pairs in which both are at or below their own quantile.
    both_below: Option<f64>,
}

impl QuantileSample {
    /// Values, of which the quantile at a level is meant.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = Interval>, level: Probability) -> QuantileSample {
        let (mut lows, mut highs): (Vec<f64>, Vec<f64>) =
            values.into_iter().map(|value| (value.lower, value.upper)).unzip();
        lows.sort_unstable_by(f64::total_cmp);
        highs.sort_unstable_by(f64::total_cmp);
        QuantileSample { lows, highs, level }
    }

    fn law(&self) -> RankLaw {
        RankLaw::new(self.lows.len(), self.level.get())
    }

    /// For each rank, the logarithms of what the true quantile is at least and at most if that many values
    /// lie below it.
    fn ends(&self) -> Vec<(f64, f64)> {
        // What is not above 0 has no logarithm; for a lower end it is as good as 0.
        let ln = |&value: &f64| if value > 0.0 { libm::log(value) } else { f64::NEG_INFINITY };
        let lows = std::iter::once(f64::NEG_INFINITY).chain(self.lows.iter().map(ln));
        let highs = self.highs.iter().map(ln).chain(std::iter::once(f64::INFINITY));
        lows.zip(highs).collect()
    }
}

impl QuantileFactor {
    /// A quantile itself.
    ///
    /// ```
    /// use fathom_stats::quantile::{QuantileFactor, QuantileSample, geometric_mean};
    /// use fathom_stats::{Confidence, Interval, Probability};
    /// let values = (1..=40).map(f64::from).map(|value| Interval { lower: value, upper: value });
    /// let median = QuantileFactor::quantile(QuantileSample::new(values, Probability::HALF));
    /// assert!(geometric_mean(&[median], Confidence::DEFAULT, 1).contains(20.5));
    /// ```
    #[must_use]
    pub fn quantile(of: QuantileSample) -> QuantileFactor {
        QuantileFactor { numerator: of, denominator: None, both_below: None }
    }

    /// The ratio of the quantiles of two populations, from independent samples.
    #[must_use]
    pub fn ratio(numerator: QuantileSample, denominator: QuantileSample) -> QuantileFactor {
        QuantileFactor { numerator, denominator: Some(denominator), both_below: None }
    }

    /// The ratio from pairs, such as executions with the same seed: what they have in common cancels out.
    ///
    /// ```
    /// use fathom_stats::quantile::{QuantileFactor, geometric_mean};
    /// use fathom_stats::{Confidence, Probability};
    /// let pairs: Vec<(f64, f64)> = (1..=40).map(|n| (2.0 * f64::from(n), f64::from(n))).collect();
    /// let ratio = QuantileFactor::ratio_of_pairs(&pairs, Probability::HALF);
    /// assert!(geometric_mean(&[ratio], Confidence::DEFAULT, 1).contains(2.0));
    /// ```
    #[must_use]
    pub fn ratio_of_pairs(pairs: &[(f64, f64)], level: Probability) -> QuantileFactor {
        let sample = |of: fn(&(f64, f64)) -> f64| {
            let point = |pair| Interval { lower: of(pair), upper: of(pair) };
            QuantileSample::new(pairs.iter().map(point), level)
        };
        let (numerator, denominator) = (sample(|pair| pair.0), sample(|pair| pair.1));
        let ends = of_sorted(&numerator.lows, level).zip(of_sorted(&denominator.lows, level));
        let both_below = ends.map(|(one, other)| {
            let both = pairs.iter().filter(|pair| pair.0 <= one && pair.1 <= other).count() as f64;
            // As if two more pairs had been seen that are independent: a few pairs that happen to agree
            // are no proof that all do.
            let p = level.get();
            (both + 2.0 * p * p) / (pairs.len() as f64 + 2.0)
        });
        QuantileFactor { numerator, denominator: Some(denominator), both_below }
    }
}

/// The interval of the geometric mean of factors.
///
/// How many of n samples lie below the true quantile is binomial, whatever the population is. So ranks
/// are drawn from that law, for every factor by itself; a draw gives an interval of the mean, between
/// the order statistics at these ranks. The lower end is the quantile of the draws' lower ends, the upper
/// end that of their upper ends. For one sample this is the exact interval of order statistics.
///
/// ```
/// use fathom_stats::quantile::{QuantileFactor, QuantileSample, geometric_mean};
/// use fathom_stats::{Confidence, Interval, Probability};
/// let sample = |from: f64| {
///     let value = |n| Interval { lower: from + n as f64, upper: from + n as f64 };
///     QuantileSample::new((0..40).map(value), Probability::HALF)
/// };
/// let ratio = QuantileFactor::ratio(sample(200.0), sample(100.0));
/// let interval = geometric_mean(&[ratio], Confidence::DEFAULT, 1);
/// assert!(interval.lower > 1.7 && interval.upper < 2.0);
/// ```
#[must_use]
pub fn geometric_mean(factors: &[QuantileFactor], confidence: Confidence, seed: u64) -> Interval {
    if factors.is_empty() {
        return Interval { lower: 0.0, upper: f64::INFINITY };
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut sums = vec![(0.0_f64, 0.0_f64); DRAWS];
    for factor in factors {
        factor.add_draws(&mut sums, &mut rng);
    }
    let (mut lows, mut highs): (Vec<f64>, Vec<f64>) = sums.into_iter().unzip();
    // The last draw that is beyond the end, so that the end is on the safe side.
    let beyond = (0.5 * confidence.alpha() * DRAWS as f64).floor() as usize;
    let count = factors.len() as f64;
    let end = |draws: &mut [f64], place: usize| {
        let (_, sum, _) = draws.select_nth_unstable_by(place, f64::total_cmp);
        libm::exp(*sum / count)
    };
    let lower = end(&mut lows, beyond.saturating_sub(1));
    let upper = end(&mut highs, (DRAWS - beyond.max(1)).min(DRAWS - 1));
    Interval { lower, upper }
}

impl QuantileFactor {
    /// Adds draws of the ends of its logarithm to sums.
    fn add_draws(&self, sums: &mut [(f64, f64)], rng: &mut Xoshiro256PlusPlus) {
        let (law, ends) = (self.numerator.law(), self.numerator.ends());
        let end = |ends: &[(f64, f64)], rank: usize| {
            ends.get(rank).copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
        };
        let Some(denominator) = &self.denominator else {
            for sum in sums {
                *sum = added(*sum, end(&ends, law.draw(rng)));
            }
            return;
        };
        let ends_below = denominator.ends();
        let (size, level) = (self.numerator.lows.len(), self.numerator.level.get());
        let mut given = self.both_below.map(|both| PairedRankLaw::new(size, level, both));
        let law_below = denominator.law();
        for sum in sums {
            let rank = law.draw(rng);
            let rank_below = match &mut given {
                Some(given) => given.draw(rank, rng),
                None => law_below.draw(rng),
            };
            let ((low, high), below) = (end(&ends, rank), end(&ends_below, rank_below));
            *sum = added(*sum, added((low, high), (-below.1, -below.0)));
        }
    }
}

/// The ends of a sum. An infinite end and its opposite say nothing: 0/0 may be any ratio.
fn added(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let known = |sum: f64, otherwise: f64| if sum.is_nan() { otherwise } else { sum };
    (known(one.0 + other.0, f64::NEG_INFINITY), known(one.1 + other.1, f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sides;
    use crate::quantile::exact;

    fn sample(values: impl IntoIterator<Item = f64>, p: f64) -> QuantileSample {
        let point = |value| Interval { lower: value, upper: value };
        QuantileSample::new(values.into_iter().map(point), Probability::new(p).unwrap())
    }

    fn c(confidence: f64) -> Confidence {
        Confidence::new(confidence).unwrap()
    }

    /// One sample alone has the exact interval of order statistics, or one rank more.
    #[test]
    fn one_sample_has_the_interval_of_order_statistics() {
        for (n, p) in [(30, 0.5), (80, 0.9), (200, 0.25)] {
            let values = || (1..=n).map(f64::from);
            let found =
                geometric_mean(&[QuantileFactor::quantile(sample(values(), p))], c(0.95), 3);
            let sorted: Vec<f64> = values().collect();
            let ranks = exact(n as usize, Probability::new(p).unwrap(), c(0.95), Sides::Both);
            let known = ranks.of_sorted(&sorted);
            assert!((found.lower - known.lower).abs() < 1.01, "{n} {p}: {found:?} {known:?}");
            assert!((found.upper - known.upper).abs() < 1.01, "{n} {p}: {found:?} {known:?}");
        }
    }

    #[test]
    fn too_few_samples_have_no_interval() {
        let few = QuantileFactor::quantile(sample([1.0, 2.0, 3.0], 0.9));
        let interval = geometric_mean(&[few], c(0.95), 3);
        assert_eq!(interval.upper, f64::INFINITY);
        assert_eq!(geometric_mean(&[], c(0.95), 3).upper, f64::INFINITY);
        let none = QuantileFactor::ratio(sample([], 0.5), sample([1.0], 0.5));
        let interval = geometric_mean(&[none], c(0.95), 3);
        assert_eq!((interval.lower, interval.upper), (0.0, f64::INFINITY));
    }

    #[test]
    fn pairs_that_agree_give_a_narrower_interval() {
        let noise = |k: usize| ((k * 7919) % 101) as f64 / 101.0;
        let pairs: Vec<(f64, f64)> =
            (0..100).map(|k| (11.0 + noise(k), (11.0 + noise(k)) / 1.1)).collect();
        let level = Probability::HALF;
        let paired = geometric_mean(&[QuantileFactor::ratio_of_pairs(&pairs, level)], c(0.95), 1);
        let apart = QuantileFactor::ratio(
            sample(pairs.iter().map(|pair| pair.0), 0.5),
            sample(pairs.iter().map(|pair| pair.1), 0.5),
        );
        let apart = geometric_mean(&[apart], c(0.95), 1);
        assert!(paired.contains(1.1) && apart.contains(1.1), "{paired:?} {apart:?}");
        assert!(paired.width() < 0.6 * apart.width(), "{paired:?} {apart:?}");
    }

    #[test]
    fn zero_and_unknown_values_leave_ends_open() {
        let zeros = QuantileFactor::quantile(sample([0.0; 30], 0.5));
        let interval = geometric_mean(&[zeros], c(0.95), 1);
        assert_eq!((interval.lower, interval.upper), (0.0, 0.0));
        let unknown = QuantileSample::new([Interval::EVERYTHING; 30], Probability::HALF);
        let interval = geometric_mean(&[QuantileFactor::quantile(unknown)], c(0.95), 1);
        assert_eq!((interval.lower, interval.upper), (0.0, f64::INFINITY));
    }

    /// Counts of misses are often 0, and 0/0 may be any ratio.
    #[test]
    fn zeros_on_both_sides_leave_ends_open() {
        let counts = |zeros: usize| sample((0..30).map(|n| if n < zeros { 0.0 } else { 2.0 }), 0.5);
        let some = QuantileFactor::ratio(counts(15), counts(15));
        let none = QuantileFactor::ratio(counts(30), counts(30));
        let less = QuantileFactor::ratio(counts(30), counts(0));
        let more = QuantileFactor::ratio(counts(0), counts(30));
        for factors in [vec![some], vec![none], vec![less, more]] {
            let interval = geometric_mean(&factors, c(0.95), 1);
            assert_eq!((interval.lower, interval.upper), (0.0, f64::INFINITY));
        }
    }
}
