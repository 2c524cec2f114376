//! Intervals that allow for dependence, or are declined.

use super::Thinness;
use crate::distribution::binomial::Binomial;
use crate::distribution::{normal, student_t};
use crate::magnitude::{Ordinary, ordinary};
use crate::quantile::RankPair;
use crate::ranks::midranks;
use crate::{Confidence, Interval, Probability, Sides};

/// Below this many samples dependence cannot be judged.
pub const SAMPLES_TO_JUDGE: usize = 20;

/// Below this effective size a mean's interval is declined.
const LEAST_EFFECTIVE: f64 = 4.0;

/// Why there is no interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Declined {
    /// Too few samples to judge dependence.
    TooFew {
        /// How many there are.
        n: usize,
    },
    /// The samples are so alike that they tell too little.
    TooDependent {
        /// What they are worth.
        effective: f64,
        /// About how many samples would do, if they are like these.
        needed: usize,
    },
    /// All values are the same.
    Constant,
}

/// A mean's interval from dependent samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// The interval.
    pub interval: Interval,
    /// What the samples are worth.
    pub effective: f64,
}

/// mean ± t × √(v / (n_eff − 1)) with n_eff/2 degrees of freedom: the long-run variance is
/// estimated from far fewer than n quantities.
///
/// ```
/// use fathom_stats::dependence::{Declined, mean_interval};
/// use fathom_stats::{Confidence, Sides};
///
/// let values: Vec<f64> = (0..500).map(|i| f64::from((i * 189) % 503)).collect();
/// let found = mean_interval(&values, Confidence::DEFAULT, Sides::Both);
/// assert!(found.is_ok_and(|found| found.interval.contains(251.0) && found.effective <= 500.0));
/// let few = mean_interval(&values[..10], Confidence::DEFAULT, Sides::Both);
/// assert!(matches!(few, Err(Declined::TooFew { .. })));
/// ```
pub fn mean_interval(
    values: &[f64],
    confidence: Confidence,
    sides: Sides,
) -> Result<MeanInterval, Declined> {
    mean_interval_among(values, values, confidence, sides)
}

/// As [`mean_interval`], of values that were left of a series: their dependence is that of the
/// whole series in its time order, because what was taken out made others neighbours that are not.
/// Values that were taken out count there as the nearest that stayed.
///
/// ```
/// use fathom_stats::dependence::mean_interval_among;
/// use fathom_stats::{Confidence, Sides};
///
/// let mut series: Vec<f64> = (0..500).map(|i| f64::from((i * 189) % 503)).collect();
/// let kept = series.clone();
/// series.insert(250, 90_000.0); // an outlier, which was removed
/// let found = mean_interval_among(&kept, &series, Confidence::DEFAULT, Sides::Both);
/// assert!(found.is_ok_and(|found| found.interval.contains(251.0)));
/// ```
pub fn mean_interval_among(
    values: &[f64],
    series: &[f64],
    confidence: Confidence,
    sides: Sides,
) -> Result<MeanInterval, Declined> {
    let n = values.len();
    let Ordinary { values: scaled, scale } = ordinary(values);
    if n > 1 && values.iter().all(|&value| value == values[0]) {
        return Err(Declined::Constant);
    }
    if n < SAMPLES_TO_JUDGE {
        return Err(Declined::TooFew { n });
    }
    let thinness = Thinness::of(&scaled).ok_or(Declined::Constant)?;
    let thinness = match within(series, values) {
        Some(whole) => {
            let of_whole = Thinness::of(&ordinary(&whole).values).ok_or(Declined::Constant)?;
            Thinness { tau: of_whole.tau, ..thinness }
        }
        None => thinness,
    };
    let effective = thinness.effective(n);
    if effective < LEAST_EFFECTIVE {
        let needed = (LEAST_EFFECTIVE * thinness.tau).ceil() as usize;
        return Err(Declined::TooDependent { effective, needed });
    }
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let half = -student_t::quantile(0.5 * effective, tail)
        * (thinness.variance / (effective - 1.0)).sqrt();
    let interval = Interval {
        lower: if sides == Sides::Upper {
            f64::NEG_INFINITY
        } else {
            (thinness.mean - half) / scale
        },
        upper: if sides == Sides::Lower { f64::INFINITY } else { (thinness.mean + half) / scale },
    };
    Ok(MeanInterval { interval, effective })
}

/// The series with what is beyond the values that stayed moved to the nearest of them; `None` if
/// all of it stayed.
fn within(series: &[f64], stayed: &[f64]) -> Option<Vec<f64>> {
    if series.len() == stayed.len() {
        return None;
    }
    let low = stayed.iter().copied().fold(f64::INFINITY, f64::min);
    let high = stayed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(series.iter().map(|value| value.max(low).min(high)).collect())
}

/// A quantile's ranks from dependent samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileRanks {
    /// The ranks, with the coverage that independent samples of the effective size would have.
    pub ranks: RankPair,
    /// What the samples are worth for this quantile.
    pub effective: f64,
    /// About how many samples would give the ends that are missing.
    pub needed: Option<usize>,
}

/// Ranks for the p-quantile: those of as many independent samples as these are worth, stretched
/// to all of them.
///
/// What counts is the dependence of the indicator "at or below the quantile", not of the values;
/// where the indicator says little, that of the ranks. Never a quantile of merged means, whose
/// distribution is another. The true quantile is not the estimate, and samples that are nearly
/// independent within a state can be very dependent across states, so each end is also judged by
/// the indicator at that end, and moves out until the two agree.
///
/// ```
/// use fathom_stats::dependence::quantile_ranks;
/// use fathom_stats::{Confidence, Probability, Sides};
///
/// let values: Vec<f64> = (0..500).map(|i| f64::from((i * 189) % 503)).collect();
/// let found = quantile_ranks(&values, Probability::HALF, Confidence::DEFAULT, Sides::Both);
/// assert!(found.is_ok_and(|found| found.ranks.is_finite() && found.needed.is_none()));
/// ```
pub fn quantile_ranks(
    values: &[f64],
    p: Probability,
    confidence: Confidence,
    sides: Sides,
) -> Result<QuantileRanks, Declined> {
    quantile_ranks_among(values, values, p, confidence, sides)
}

/// As [`quantile_ranks`], of values that were left of a series: their dependence is that of the
/// whole series in its time order, because what was taken out made others neighbours that are not.
/// Values that were taken out count there as the nearest that stayed.
///
/// ```
/// use fathom_stats::dependence::quantile_ranks_among;
/// use fathom_stats::{Confidence, Probability, Sides};
///
/// let mut series: Vec<f64> = (0..500).map(|i| f64::from((i * 189) % 503)).collect();
/// let kept = series.clone();
/// series.insert(250, 90_000.0); // an outlier, which was removed
/// let (p, c) = (Probability::HALF, Confidence::DEFAULT);
/// let found = quantile_ranks_among(&kept, &series, p, c, Sides::Both);
/// assert!(found.is_ok_and(|found| found.ranks.upper <= Some(500)));
/// ```
pub fn quantile_ranks_among(
    values: &[f64],
    series: &[f64],
    p: Probability,
    confidence: Confidence,
    sides: Sides,
) -> Result<QuantileRanks, Declined> {
    let n = values.len();
    if n < SAMPLES_TO_JUDGE {
        return Err(Declined::TooFew { n });
    }
    if let Some(whole) = within(series, values) {
        return ranks_as_in(&whole, n, p, confidence, sides);
    }
    let indicator = Indicator::of(values).ok_or(Declined::Constant)?;
    let place = ((n as f64 * p.get()).ceil() as usize).clamp(1, n);
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let at_estimate = indicator.thinness(place);
    let mut worst = at_estimate;
    let mut end = |rank_at: &dyn Fn(f64) -> Option<usize>| {
        let mut tau = at_estimate;
        let mut rank = rank_at(tau)?;
        for _ in 0..MOST_MOVES {
            let there = indicator.thinness(rank);
            if there <= tau || indicator.of_ranks < EVIDENT {
                break;
            }
            tau = there;
            worst = worst.max(tau);
            rank = rank_at(tau)?;
        }
        Some(rank)
    };
    let size = |tau: f64| independent_equivalent(n as f64 / tau, tail);
    let lower = (sides != Sides::Upper)
        .then(|| end(&|tau| stretched_lower(n, p, size(tau), tail)))
        .flatten();
    let upper = (sides != Sides::Lower)
        .then(|| end(&|tau| stretched_upper(n, p, size(tau), tail)))
        .flatten();
    let missing =
        (sides != Sides::Upper && lower.is_none()) || (sides != Sides::Lower && upper.is_none());
    let needed = missing.then(|| {
        // The smallest independent size with all ends, times what one of those costs.
        let independent = crate::quantile::smallest(|size| {
            (sides == Sides::Upper || independent_lower(size, p, tail).is_some())
                && (sides == Sides::Lower || independent_upper(size, p, tail).is_some())
        });
        let worth = crate::quantile::smallest(|size| {
            independent_equivalent(size as f64, tail) >= independent
        });
        usize::max(n + 1, (worth as f64 * worst).ceil() as usize)
    });
    let ranks = RankPair { lower, upper, coverage: nominal_coverage(size(worst), p, tail, sides) };
    Ok(QuantileRanks { ranks, effective: n as f64 / worst, needed })
}

/// The ranks among n values that were left of a series, as thin as the series is.
fn ranks_as_in(
    series: &[f64],
    n: usize,
    p: Probability,
    confidence: Confidence,
    sides: Sides,
) -> Result<QuantileRanks, Declined> {
    let whole = quantile_ranks(series, p, confidence, sides)?;
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let effective = whole.effective * n as f64 / series.len() as f64;
    let size = independent_equivalent(effective, tail);
    let lower = stretched_lower(n, p, size, tail).filter(|_| sides != Sides::Upper);
    let upper = stretched_upper(n, p, size, tail).filter(|_| sides != Sides::Lower);
    let missing =
        (sides != Sides::Upper && lower.is_none()) || (sides != Sides::Lower && upper.is_none());
    let needed = missing.then(|| whole.needed.unwrap_or(0).max(series.len() + 1));
    let ranks = RankPair { lower, upper, coverage: nominal_coverage(size, p, tail, sides) };
    Ok(QuantileRanks { ranks, effective, needed })
}

/// How often an end may move out.
const MOST_MOVES: usize = 8;

/// From this thinness of the ranks on, dependence is evident, and ends are judged by themselves.
/// Most independent series stay below (80% of 20 samples, 96% of 1000), so that few of them are
/// made wider by the noise of that.
pub(super) const EVIDENT: f64 = 2.5;

/// The series "is this sample at or below a threshold", for thresholds by rank.
pub(super) struct Indicator<'a> {
    values: &'a [f64],
    order: Vec<usize>,
    pub(super) of_ranks: f64,
}

impl Indicator<'_> {
    /// `None` for constant values.
    pub(super) fn of(values: &[f64]) -> Option<Indicator<'_>> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
        let of_ranks = Thinness::of(&midranks(values, &order))?.tau;
        Some(Indicator { values, order, of_ranks })
    }

    /// τ at the threshold with this rank: of the indicator, or half of the ranks' if that is more.
    pub(super) fn thinness(&self, rank: usize) -> f64 {
        let Some(&index) = self.order.get(rank.saturating_sub(1)) else { return self.of_ranks };
        let threshold = self.values[index];
        let series: Vec<f64> =
            self.values.iter().map(|&x| if x <= threshold { 1.0 } else { 0.0 }).collect();
        // Every value at or below it: ties at the top. The ranks decide.
        let of_indicator = Thinness::of(&series).map_or(self.of_ranks, |thinness| thinness.tau);
        of_indicator.max(0.5 * self.of_ranks)
    }
}

/// How many independent samples with a known variance are as good: fewer, since the effective
/// size is itself an estimate.
pub(crate) fn independent_equivalent(effective: f64, tail: f64) -> usize {
    let shrink = normal::quantile(tail) / student_t::quantile(effective.max(1e-3), tail);
    usize::max(1, (effective * shrink * shrink + 1e-9).floor() as usize)
}

/// The largest j with P(S ≤ j − 1) ≤ tail for N independent samples.
fn independent_lower(size: usize, p: Probability, tail: f64) -> Option<usize> {
    let binomial = Binomial::new(size, p);
    let rank = crate::quantile::last_true(size, |j| binomial.at_most(j - 1) <= tail);
    (rank > 0).then_some(rank)
}

/// The smallest k with P(S ≥ k) ≤ tail for N independent samples.
fn independent_upper(size: usize, p: Probability, tail: f64) -> Option<usize> {
    let binomial = Binomial::new(size, p);
    let from_top = crate::quantile::last_true(size, |v| binomial.at_least(size + 1 - v) <= tail);
    (from_top > 0).then(|| size + 1 - from_top)
}

/// The rank among all n samples that corresponds to the lower one of the equivalent.
fn stretched_lower(n: usize, p: Probability, equivalent: usize, tail: f64) -> Option<usize> {
    let ratio = n as f64 / equivalent as f64;
    let rank = independent_lower(equivalent, p, tail)?;
    Some((((rank - 1) as f64 * ratio + 1e-9).floor() as usize + 1).min(n))
}

/// The rank among all n samples that corresponds to the upper one of the equivalent.
fn stretched_upper(n: usize, p: Probability, equivalent: usize, tail: f64) -> Option<usize> {
    let ratio = n as f64 / equivalent as f64;
    let rank = independent_upper(equivalent, p, tail)?;
    Some(((rank as f64 * ratio - 1e-9).ceil() as usize).min(n))
}

fn nominal_coverage(equivalent: usize, p: Probability, tail: f64, sides: Sides) -> f64 {
    let lower = independent_lower(equivalent, p, tail).filter(|_| sides != Sides::Upper);
    let upper = independent_upper(equivalent, p, tail).filter(|_| sides != Sides::Lower);
    RankPair::with_coverage(equivalent, p, lower, upper).coverage
}
