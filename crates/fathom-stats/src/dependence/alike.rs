//! Whether samples that follow each other are alike, and what they are worth then.

use super::interval::{EVIDENT, Indicator, independent_equivalent};
use super::{SAMPLES_TO_JUDGE, autocorrelation, subsessions};
use crate::Probability;
use crate::quantile::RankPair;
use crate::ranks::midranks_of;

/// Beyond this many standard errors an autocorrelation is not an accident: 5 in 1000 independent
/// series reach it at each of the two levels that are looked at.
const SURPRISING: f64 = 2.58;

/// How far around a quantile dependence is looked for, in standard errors of its rank.
const AROUND: f64 = 2.0;

/// Samples that are evidently not independent, with what they are worth.
///
/// The methods that take samples as independent are exact where they are, and no allowance for
/// dependence is free: so it is made only where dependence shows, by neighbours that are more alike
/// than chance makes them, or means of neighbours that are. That costs about one independent series
/// in a hundred some of its worth, and two in a hundred where values are only true or false. Dependence too weak to show stays without allowance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alike {
    /// The correlation of the ranks of samples that follow each other.
    pub lag1: f64,
    /// What the samples are worth for the quantile in question.
    pub effective: f64,
    /// As how many independent samples they count: fewer, since that is itself an estimate.
    pub independent: usize,
    /// How many there were.
    pub samples: usize,
}

impl Alike {
    /// Judges samples in time order, for the share p of them that is below something, with an error
    /// of `tail` on one side. `None` if they may be independent, or are too few or too constant to
    /// tell. Infinite values are allowed.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// use fathom_stats::dependence::Alike;
    /// let slow: Vec<f64> = (0..300).map(|i| (f64::from(i) / 30.0).sin()).collect();
    /// assert!(Alike::of(&slow, Probability::HALF, 0.05).unwrap().independent < 20);
    /// let mixed: Vec<f64> = (0..300).map(|i| f64::from((i * 89) % 301)).collect();
    /// assert_eq!(Alike::of(&mixed, Probability::HALF, 0.05), None);
    /// ```
    #[must_use]
    pub fn of(values: &[f64], p: Probability, tail: f64) -> Option<Alike> {
        let n = values.len();
        let (ranks, lag1) = ranks_that_show_it(values)?;
        // Of ranks, because values may be infinite.
        let indicator = Indicator::of(&ranks)?;
        let size = n as f64;
        let place = |share: f64| ((size * share).ceil() as usize).clamp(1, n);
        let mut tau = indicator.thinness(place(p.get()));
        if indicator.of_ranks >= EVIDENT {
            let spread = AROUND * (p.get() * (1.0 - p.get()) * tau / size).sqrt();
            for share in [p.get() - spread, p.get() + spread] {
                tau = tau.max(indicator.thinness(place(share)));
            }
        }
        let effective = size / tau;
        let independent = independent_equivalent(effective, tail).min(n);
        Some(Alike { lag1, effective, independent, samples: n })
    }

    /// As how many independent samples `n` of them count.
    ///
    /// ```
    /// use fathom_stats::dependence::Alike;
    /// use fathom_stats::{Confidence, Probability, Sides, quantile};
    ///
    /// let slow: Vec<f64> = (0..300).map(|i| (f64::from(i) / 30.0).sin()).collect();
    /// let alike = Alike::of(&slow, Probability::HALF, 0.05).ok_or("independent")?;
    /// assert_eq!(alike.worth(300), alike.independent);
    /// assert!(alike.samples_worth(100) > 100);
    /// let few = quantile::exact(alike.independent, Probability::HALF, Confidence::DEFAULT, Sides::Both);
    /// let all = alike.stretched(few, 300);
    /// assert!(all.lower >= few.lower);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn worth(&self, n: usize) -> usize {
        let worth = n as f64 * self.independent as f64 / self.samples.max(1) as f64;
        (worth as usize).clamp(1.min(n), n)
    }

    /// About how many such samples are worth `independent` ones, if there are many.
    #[must_use]
    pub fn samples_worth(&self, independent: usize) -> usize {
        let tau = self.samples as f64 / self.effective.max(f64::MIN_POSITIVE);
        (independent as f64 * tau).ceil() as usize
    }

    /// The ranks among all `n` samples that correspond to those among as many independent ones as
    /// they are worth.
    #[must_use]
    pub fn stretched(&self, ranks: RankPair, n: usize) -> RankPair {
        let ratio = n as f64 / self.worth(n).max(1) as f64;
        RankPair {
            lower: ranks
                .lower
                .map(|rank| (((rank - 1) as f64 * ratio + 1e-9).floor() as usize + 1).min(n)),
            upper: ranks.upper.map(|rank| ((rank as f64 * ratio - 1e-9).ceil() as usize).min(n)),
            ..ranks
        }
    }
}

/// Whether dependence shows: neighbours are more alike than chance makes them, or means of
/// neighbours are. Too few or too constant values show none.
///
/// ```
/// use fathom_stats::dependence::is_evident;
/// let slow: Vec<f64> = (0..30).map(|i| (f64::from(i) / 5.0).sin()).collect();
/// assert!(is_evident(&slow) && !is_evident(&slow[..10]));
/// ```
#[must_use]
pub fn is_evident(values: &[f64]) -> bool {
    ranks_that_show_it(values).is_some()
}

/// The ranks of values whose dependence shows, and the correlation of neighbours among them.
fn ranks_that_show_it(values: &[f64]) -> Option<(Vec<f64>, f64)> {
    let n = values.len();
    if n < SAMPLES_TO_JUDGE || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let ranks = midranks_of(values);
    let lag1 = autocorrelation(&ranks, 1)?;
    (is_surprising(lag1, n) || is_surprising_in_means(&ranks)).then_some((ranks, lag1))
}

/// Of independent values the autocorrelation has a mean of about −1/n and a standard error of 1/√n.
fn is_surprising(correlation: f64, n: usize) -> bool {
    (correlation + 1.0 / n as f64) * (n as f64).sqrt() > SURPRISING
}

/// Slow changes beneath much noise show in means of neighbours before they show in neighbours.
fn is_surprising_in_means(ranks: &[f64]) -> bool {
    let n = ranks.len();
    let count = usize::max(SAMPLES_TO_JUDGE, (1.5 * (n as f64).sqrt()).ceil() as usize);
    let size = n / count;
    size > 1 && subsessions(ranks, size).is_some_and(|means| is_surprising(means.lag1, means.count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear congruence with its high bits mixed is plenty here.
    fn noise(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (*state ^ (*state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// How many of 2000 series are found alike, and what those are worth on average.
    fn found(n: usize, mut next: impl FnMut(&mut u64, f64) -> f64) -> (f64, f64) {
        const SERIES: usize = 2000;
        let mut state = 17;
        let (mut alarms, mut worth) = (0, 0.0);
        for _ in 0..SERIES {
            let mut last = 0.0;
            let series: Vec<f64> = (0..n)
                .map(|_| {
                    last = next(&mut state, last);
                    last
                })
                .collect();
            if let Some(alike) = Alike::of(&series, Probability::new(0.1).unwrap(), 0.05) {
                alarms += 1;
                worth += alike.independent as f64;
            }
        }
        (f64::from(alarms) / SERIES as f64, worth / f64::from(alarms.max(1)))
    }

    #[test]
    fn independent_samples_seldom_alarm_and_dependent_ones_do() {
        for n in [20, 43, 100, 300, 1000] {
            let shares = [
                found(n, |state, _| noise(state)).0,
                found(n, |state, _| 1.0 / noise(state).max(1e-12)).0,
                // Nearly always true, and only just.
                found(n, |state, _| f64::from(u8::from(noise(state) < 0.9))).0,
                found(n, |state, _| if noise(state) < 0.9 { 1.0 } else { f64::NEG_INFINITY }).0,
            ];
            assert!(shares[..2].iter().all(|share| *share <= 0.015), "{n}: {shares:?}");
            // Of few distinct values the correlation is skewed.
            assert!(shares.iter().all(|share| *share <= 0.03), "{n}: {shares:?}");
        }
        for (n, factor, least) in [(100, 0.5, 0.97), (300, 0.3, 0.97), (300, 0.97, 1.0)] {
            let (share, worth) = found(n, |state, last| factor * last + noise(state) - 0.5);
            assert!(share >= least, "{n} {factor}: {share}");
            assert!(worth < 0.75 * n as f64, "{n} {factor}: {worth}");
        }
    }

    #[test]
    fn little_says_nothing() {
        let of = |values: &[f64]| Alike::of(values, Probability::HALF, 0.05);
        assert_eq!(of(&[1.0; 500]), None);
        assert_eq!(of(&[1.0, 2.0, 3.0]), None);
        assert_eq!(of(&[]), None);
        let mut one_missing: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(of(&one_missing).is_some());
        one_missing[3] = f64::NAN;
        assert_eq!(of(&one_missing), None);
    }

    #[test]
    fn ranks_are_stretched_outwards() {
        let alike = Alike { lag1: 0.5, effective: 12.0, independent: 10, samples: 100 };
        assert_eq!((alike.worth(100), alike.worth(200), alike.worth(0)), (10, 20, 0));
        assert_eq!(alike.samples_worth(6), 50);
        let ranks = RankPair { lower: Some(2), upper: Some(9), coverage: 0.9 };
        let stretched = alike.stretched(ranks, 100);
        assert_eq!((stretched.lower, stretched.upper), (Some(11), Some(90)));
    }
}
