//! Efron's BCa bootstrap for means and quantiles, seeded.
//!
//! Resampling costs what the statistic needs and no more: the mean draws n values each time; a
//! quantile of a resample is drawn directly, because the k-th of n uniform draws is a
//! Beta(k, n − k + 1) variable. The jackknife is closed form for both.
//! Reference: B. Efron, "Better bootstrap confidence intervals", JASA 1987.

mod resampled_means;

use rand_core::SeedableRng;
use rand_distr::{Beta, Distribution, Open01};
use rand_xoshiro::Xoshiro256PlusPlus;
use resampled_means::resampled_means;

use crate::distribution::normal;
use crate::mean::Moments;
use crate::quantile::{self, QuantilePosition};
use crate::{Confidence, Interval, Probability, Sides};
use std::fmt;

/// What is resampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BootstrapStatistic {
    /// The mean.
    Mean,
    /// The p-quantile, as [`quantile::of_sorted`] defines it.
    Quantile(Probability),
}

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// How many resamples.
    pub resamples: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Resampling {
    /// 9,999 resamples: the interval's ends move by about 1% of its width from seed to seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Resampling {
        Resampling { resamples: 9999, seed }
    }
}

/// Why BCa has no interval for a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BcaError {
    /// Fewer than two values.
    TooFew,
    /// All values are the same.
    Constant,
    /// Leaving out any one value leaves the same statistic.
    EqualJackknife,
    /// All resamples lie on one side of the estimate.
    OneSided,
}

impl fmt::Display for BcaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BcaError::TooFew => "BCa needs at least 2 samples",
            BcaError::Constant => "all samples have the same value, so resampling shows no spread",
            BcaError::EqualJackknife => {
                "duplicates make every leave-one-out estimate equal, so BCa's acceleration is 0/0"
            }
            BcaError::OneSided => {
                "all resamples are on one side of the estimate, so BCa's bias is infinite"
            }
        })
    }
}

impl std::error::Error for BcaError {}

/// The BCa interval of a statistic of `values`.
///
/// ```
/// use fathom_stats::bca::{interval, Resampling, BootstrapStatistic};
/// use fathom_stats::{Confidence, Sides};
/// let values: Vec<f64> = (0..50).map(f64::from).collect();
/// let found =
///     interval(&values, BootstrapStatistic::Mean, Confidence::new(0.95)?, Sides::Both, Resampling::seeded(1))?;
/// assert!(found.contains(24.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn interval(
    values: &[f64],
    statistic: BootstrapStatistic,
    confidence: Confidence,
    sides: Sides,
    resampling: Resampling,
) -> Result<Interval, BcaError> {
    let mut sorted;
    let sample = match statistic {
        BootstrapStatistic::Mean => values,
        BootstrapStatistic::Quantile(_) => {
            sorted = values.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            &sorted
        }
    };
    Ok(Bootstrap::run(sample, statistic, resampling)?.interval(confidence, sides))
}

/// The replicates and corrections, from which intervals at several confidences follow.
///
/// ```
/// use fathom_stats::bca::{Bootstrap, Resampling, BootstrapStatistic};
/// use fathom_stats::{Confidence, Sides};
///
/// let values: Vec<f64> = (0..50).map(|i| f64::from(i * i)).collect();
/// let mut bootstrap = Bootstrap::run(&values, BootstrapStatistic::Mean, Resampling::seeded(1))?;
/// // Squares have a long upper tail.
/// assert!(bootstrap.acceleration() > 0.0);
/// assert!(bootstrap.bias().abs() < 0.5);
/// assert!(bootstrap.adjusted_level(0.025) > 0.025);
/// let wide = bootstrap.interval(Confidence::new(0.99)?, Sides::Both);
/// let narrow = bootstrap.interval(Confidence::new(0.9)?, Sides::Both);
/// assert!(wide.width() > narrow.width());
///
/// // Replicates of another program.
/// let replicates: Vec<f64> = (0..=1000).map(f64::from).collect();
/// let symmetric = Bootstrap::from_replicates(500.0, 0.0, replicates)?;
/// assert!(symmetric.bias().abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bootstrap {
    replicates: Vec<f64>,
    bias: f64,
    acceleration: f64,
}

impl Bootstrap {
    /// Resamples; for quantiles `values` must be sorted.
    pub fn run(
        values: &[f64],
        statistic: BootstrapStatistic,
        resampling: Resampling,
    ) -> Result<Bootstrap, BcaError> {
        if values.len() < 2 {
            return Err(BcaError::TooFew);
        }
        if values.iter().all(|&value| value == values[0]) {
            return Err(BcaError::Constant);
        }
        let (estimate, acceleration, replicates) = match statistic {
            BootstrapStatistic::Mean => {
                let moments = Moments::of(values).ok_or(BcaError::TooFew)?;
                let acceleration = moments.skewness / (6.0 * (values.len() as f64).sqrt());
                (moments.mean, acceleration, resampled_means(values, resampling))
            }
            BootstrapStatistic::Quantile(p) => {
                let estimate = quantile::of_sorted(values, p).ok_or(BcaError::TooFew)?;
                let acceleration = quantile_acceleration(values, p)?;
                (estimate, acceleration, resampled_quantiles(values, p, resampling))
            }
        };
        Bootstrap::from_replicates(estimate, acceleration, replicates)
    }

    /// The corrections for replicates made elsewhere.
    pub fn from_replicates(
        estimate: f64,
        acceleration: f64,
        replicates: Vec<f64>,
    ) -> Result<Bootstrap, BcaError> {
        let below = replicates.iter().filter(|&&replicate| replicate < estimate).count();
        let above = replicates.iter().filter(|&&replicate| replicate > estimate).count();
        let total = replicates.len();
        if below == total || above == total {
            return Err(BcaError::OneSided);
        }
        // Replicates that tie with the estimate count half on each side.
        let share = (below + (total - above)) as f64 / (2 * total) as f64;
        Ok(Bootstrap { replicates, bias: normal::quantile(share), acceleration })
    }

    /// The bias correction z₀.
    #[must_use]
    pub fn bias(&self) -> f64 {
        self.bias
    }

    /// The acceleration a.
    #[must_use]
    pub fn acceleration(&self) -> f64 {
        self.acceleration
    }

    /// The level of the replicates that corresponds to `level` of the estimator.
    #[must_use]
    pub fn adjusted_level(&self, level: f64) -> f64 {
        let shifted = self.bias + normal::quantile(level);
        normal::cdf(self.bias + shifted / (1.0 - self.acceleration * shifted))
    }

    /// The interval at one confidence.
    #[must_use]
    pub fn interval(&mut self, confidence: Confidence, sides: Sides) -> Interval {
        let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
        let mut found = Interval::EVERYTHING;
        if sides != Sides::Upper {
            found.lower = self.end(tail, f64::NEG_INFINITY);
        }
        if sides != Sides::Lower {
            found.upper = self.end(1.0 - tail, f64::INFINITY);
        }
        found
    }

    fn end(&mut self, level: f64, otherwise: f64) -> f64 {
        Probability::new(self.adjusted_level(level))
            .ok()
            .and_then(|adjusted| quantile::of_unsorted(&mut self.replicates, adjusted))
            .unwrap_or(otherwise)
    }
}

/// The acceleration of a quantile: leaving out one of n sorted values gives one of only three
/// estimates.
fn quantile_acceleration(sorted: &[f64], p: Probability) -> Result<f64, BcaError> {
    let n = sorted.len();
    let place = QuantilePosition::of(n - 1, p.get());
    let low = place.index;
    let value = |index: usize| sorted[index.min(n - 1)];
    // Leaving out index i ≤ low, i = low + 1, i > low + 1.
    let groups = [
        (low + 1, place.between(value(low + 1), value(low + 2))),
        (1, place.between(value(low), value(low + 2))),
        (n.saturating_sub(low + 2), place.between(value(low), value(low + 1))),
    ];
    let total: f64 = groups.iter().map(|&(count, estimate)| count as f64 * estimate).sum();
    let mean = total / n as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    let span = value(n - 1) - value(0);
    for (count, estimate) in groups {
        // Dividing by the span keeps the cube of 1e300 finite.
        let d = (mean - estimate) / span;
        squares += count as f64 * d * d;
        cubes += count as f64 * d * d * d;
    }
    let all_equal = groups.iter().all(|&(count, estimate)| count == 0 || estimate == groups[0].1);
    if all_equal || squares <= 0.0 {
        return Err(BcaError::EqualJackknife);
    }
    Ok(cubes / (6.0 * squares.powf(1.5)))
}

/// Quantiles of resamples of sorted values, drawn as order statistics.
fn resampled_quantiles(sorted: &[f64], p: Probability, resampling: Resampling) -> Vec<f64> {
    let n = sorted.len();
    let place = QuantilePosition::of(n, p.get());
    let rank = place.index + 1;
    let above = (n - rank) as f64;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(resampling.seed);
    let Ok(order_statistic) = Beta::new(rank as f64, above + 1.0) else {
        return Vec::new();
    };
    let pick = |u: f64| sorted[((u * n as f64) as usize).min(n - 1)];
    (0..resampling.resamples)
        .map(|_| {
            let u: f64 = order_statistic.sample(&mut rng);
            if place.fraction == 0.0 {
                return pick(u);
            }
            // Given the k-th smallest, the next is the smallest of n − k uniform on (u, 1).
            let v: f64 = Open01.sample(&mut rng);
            let next = 1.0 - (1.0 - u) * v.powf(1.0 / above);
            place.between(pick(u), pick(next))
        })
        .collect()
}
