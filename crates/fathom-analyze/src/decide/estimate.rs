//! An estimate with its interval.

use super::independent::Independent;
use super::{Method, Property, Request, Statistic};
use fathom_stats::bca::{self, Resampling};
use fathom_stats::mean::{self, Moments, Reference};
use fathom_stats::quantile::{self, RankPair, sequence, spa};
use fathom_stats::{Confidence, Interval, Probability, Sides};

/// A statistic's value and how well it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What was estimated.
    pub statistic: Statistic,
    /// Its value in the sample.
    pub value: f64,
    /// The interval, or why there is none.
    pub outcome: Outcome,
    /// How sure the interval was asked to be.
    pub confidence: Confidence,
    /// How the interval was made.
    pub method: Method,
    /// Which ends it was asked to have.
    pub sides: Sides,
    /// How many independent samples it rests on.
    pub n_used: usize,
    /// The property whose threshold this is, where the question was put that way.
    pub property: Option<Property>,
}

/// An interval, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// An interval.
    Interval {
        /// Its ends; one that the data cannot support is infinite.
        interval: Interval,
        /// The exact probability that it covers, where that is known.
        coverage: Option<f64>,
        /// The ranks of its ends, where they are order statistics.
        ranks: Option<RankPair>,
        /// How many samples would give the ends that are missing.
        samples_needed: Option<usize>,
    },
    /// No interval can be given.
    Declined {
        /// Why, as a clause: "every sample has the same value".
        reason: String,
    },
}

impl Estimate {
    /// The interval, if there is one.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        match &self.outcome {
            Outcome::Interval { interval, .. } => Some(*interval),
            Outcome::Declined { .. } => None,
        }
    }

    /// The exact coverage, where it is known.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        match &self.outcome {
            Outcome::Interval { coverage, .. } => *coverage,
            Outcome::Declined { .. } => None,
        }
    }
}

pub(super) fn estimate(
    independent: &Independent<'_>,
    statistic: Statistic,
    request: &Request,
) -> Estimate {
    let mut samples = independent.samples(statistic);
    let n_used = samples.len();
    let method = request.method_for(statistic);
    let (value, outcome) = match statistic {
        Statistic::Mean => of_mean(&samples, method, request),
        Statistic::Quantile(p) => of_quantile(&mut samples, p, method, request),
    };
    Estimate {
        statistic,
        value,
        outcome,
        confidence: request.confidence,
        method,
        sides: request.sides,
        n_used,
        property: request.property,
    }
}

fn of_quantile(
    samples: &mut [f64],
    p: Probability,
    method: Method,
    request: &Request,
) -> (f64, Outcome) {
    let n = samples.len();
    let Request { confidence, sides, .. } = *request;
    let (ranks, needed) = match method {
        Method::Bca => {
            let value = quantile::of_unsorted(samples, p).unwrap_or_default();
            return (value, bootstrap(samples, bca::Statistic::Quantile(p), request));
        }
        Method::Spa => (
            // The four directions are two: "above F" is "below 1 − F". See docs/methods/spa.md.
            spa::interval(n, p, confidence, spa::Direction::AtMost),
            spa::samples_needed(p, confidence),
        ),
        Method::Sequence => (
            sequence::ranks(n, p, confidence, sides),
            sequence::samples_needed(p, confidence, sides),
        ),
        Method::Sign => (
            quantile::sign_test(n, confidence),
            quantile::samples_needed(Probability::HALF, confidence, Sides::Both),
        ),
        Method::Exact | Method::T | Method::Z => (
            containing_estimate(n, p, quantile::exact(n, p, confidence, sides)),
            quantile::samples_needed(p, confidence, sides),
        ),
    };
    let interval = ranks.of_unsorted(samples);
    let value = quantile::of_unsorted(samples, p).unwrap_or_default();
    let outcome = Outcome::Interval {
        interval,
        coverage: Some(ranks.coverage),
        ranks: Some(ranks),
        samples_needed: (n < needed).then_some(needed),
    };
    (value, outcome)
}

/// Widens a pair of ranks to hold the estimate. Only a handful of samples of a far quantile need
/// it: the p99 of two samples is interpolated below the larger, which is already a lower bound.
fn containing_estimate(n: usize, p: Probability, ranks: RankPair) -> RankPair {
    let (below, above) = quantile::ranks_of_estimate(n, p);
    let lower = ranks.lower.map(|rank| rank.min(below));
    let upper = ranks.upper.map(|rank| rank.max(above));
    if (lower, upper) == (ranks.lower, ranks.upper) {
        return ranks;
    }
    RankPair::with_coverage(n, p, lower, upper)
}

fn of_mean(samples: &[f64], method: Method, request: &Request) -> (f64, Outcome) {
    let Some(moments) = Moments::of(samples) else {
        return (0.0, Outcome::Declined { reason: "there are no samples".to_string() });
    };
    let outcome = match method {
        Method::Bca => bootstrap(samples, bca::Statistic::Mean, request),
        // A spread of zero says that the clock is too coarse, not that the mean is certain.
        _ if moments.n > 1 && moments.sd == 0.0 => Outcome::Declined {
            reason: "every sample has the same value, so their spread says nothing about the mean"
                .to_string(),
        },
        _ => {
            let reference =
                if method == Method::Z { Reference::Normal } else { Reference::StudentT };
            Outcome::Interval {
                interval: mean::interval(&moments, request.confidence, request.sides, reference),
                coverage: None,
                ranks: None,
                samples_needed: (moments.n < 2).then_some(2),
            }
        }
    };
    (moments.mean, outcome)
}

fn bootstrap(samples: &[f64], statistic: bca::Statistic, request: &Request) -> Outcome {
    let resampling = Resampling::seeded(request.seed);
    match bca::interval(samples, statistic, request.confidence, request.sides, resampling) {
        Ok(interval) => {
            Outcome::Interval { interval, coverage: None, ranks: None, samples_needed: None }
        }
        Err(error) => Outcome::Declined { reason: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_interval_holds_the_estimate(
            values in prop::collection::vec(-100.0_f64..100.0, 1..60),
            level in 0.001_f64..0.999,
            confidence in 0.5_f64..0.999,
            side in 0_usize..3,
        ) {
            let request = Request {
                confidence: Confidence::new(confidence).unwrap(),
                sides: [Sides::Both, Sides::Lower, Sides::Upper][side],
                ..Request::default()
            };
            let p = Probability::new(level).unwrap();
            let (value, outcome) = of_quantile(&mut values.clone(), p, Method::Exact, &request);
            let Outcome::Interval { interval, coverage, .. } = outcome else { panic!() };
            prop_assert!(interval.contains(value), "{value} {interval:?}");
            prop_assert!(coverage.unwrap() >= confidence - 1e-12);
        }
    }

    #[test]
    fn two_samples_of_a_far_quantile_are_widened() {
        let p = Probability::new(0.99).unwrap();
        let narrow = quantile::exact(2, p, Confidence::DEFAULT, Sides::Both);
        assert_eq!(narrow.lower, Some(2));
        assert_eq!(containing_estimate(2, p, narrow).lower, Some(1));
    }
}
