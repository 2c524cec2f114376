//! An estimate with its interval.

use super::interval::{self, DecidedInterval};
use super::{EstimateRequest, Method, NoInterval, QuantileProperty, Statistic};
use crate::clean::Labelled;
use fathom_record::Unit;
use fathom_stats::quantile::RankPair;
use fathom_stats::{Confidence, Interval, Sides, dependence, mean};

/// A statistic's value and how well it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What was estimated.
    pub statistic: Statistic,
    /// Its value in the samples that count.
    pub value: f64,
    /// The interval, or why there is none.
    pub outcome: IntervalOutcome,
    /// How sure the interval was asked to be.
    pub confidence: Confidence,
    /// How the interval was made.
    pub method: Method,
    /// Which ends it was asked to have.
    pub sides: Sides,
    /// How many samples it rests on.
    pub n_used: usize,
    /// What those are worth, where dependence was handled.
    pub effective_n: Option<f64>,
    /// Whether the interval holds only if the samples are independent, because they are too few to
    /// check it. Nothing that rests on such an interval is sure without that condition.
    pub if_independent: bool,
    /// The smallest and the largest sample that it rests on.
    pub range: Interval,
    /// The same from all samples, where some were left out before the steady state.
    pub with_everything: Option<Aside>,
    /// The same without outliers, where some were flagged and counted.
    pub with_outliers_removed: Option<Aside>,
    /// The property whose threshold this is, where the question was put that way.
    pub property: Option<QuantileProperty>,
}

/// What another choice of samples gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aside {
    /// The value.
    pub value: f64,
    /// The interval, if there is one.
    pub interval: Option<Interval>,
    /// How many samples it rests on.
    pub n_used: usize,
    /// As of the estimate.
    pub if_independent: bool,
}

/// An interval, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum IntervalOutcome {
    /// An interval.
    Interval {
        /// Its ends; one that the data cannot support is infinite.
        interval: Interval,
        /// The probability that it covers: exact for independent samples; where dependence was
        /// handled, that of as many independent samples as these are worth.
        coverage: Option<f64>,
        /// The ranks of its ends, where they are order statistics.
        ranks: Option<RankPair>,
        /// How many samples would give the ends that are missing, or those that are there without
        /// the condition that samples are independent.
        samples_needed: Option<usize>,
    },
    /// No interval can be given.
    Declined {
        /// Why, with what to do.
        reason: NoInterval,
        /// How many samples would do, where more of them would.
        samples_needed: Option<usize>,
    },
}

impl IntervalOutcome {
    /// No interval, whatever the number of samples.
    pub(super) fn declined(reason: NoInterval) -> IntervalOutcome {
        IntervalOutcome::Declined { reason, samples_needed: None }
    }
}

impl IntervalOutcome {
    /// The same interval with a coverage that was found otherwise.
    fn with_coverage(mut self, found: Option<f64>) -> IntervalOutcome {
        if let IntervalOutcome::Interval { coverage, .. } = &mut self {
            *coverage = found.or(*coverage);
        }
        self
    }
}

/// What Pilot's interval covers on series like this one. It takes a while, so asides do without.
fn coverage_of_subsessions(
    samples: &[f64],
    statistic: Statistic,
    method: Method,
    request: &EstimateRequest,
) -> Option<f64> {
    if method != Method::Subsession {
        return None;
    }
    let EstimateRequest { confidence, sides, seed, .. } = *request;
    let reciprocals = (statistic == Statistic::HarmonicMean).then(|| mean::reciprocals(samples));
    let samples = match &reciprocals {
        Some(reciprocals) => reciprocals.as_deref()?,
        None => samples,
    };
    let range = request.subsession_range.get();
    dependence::subsession_coverage(samples, range, confidence, sides, seed)
}

impl Estimate {
    /// The interval, if there is one.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        match &self.outcome {
            IntervalOutcome::Interval { interval, .. } => Some(*interval),
            IntervalOutcome::Declined { .. } => None,
        }
    }

    /// The coverage, where it is known.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        match &self.outcome {
            IntervalOutcome::Interval { coverage, .. } => *coverage,
            IntervalOutcome::Declined { .. } => None,
        }
    }
}

/// Estimates a statistic of labelled samples.
pub(super) fn estimate(
    samples: &[f64],
    labelled: &Labelled,
    statistic: Statistic,
    unit: &Unit,
    request: &EstimateRequest,
) -> Estimate {
    let kept = labelled.kept(samples);
    let method = match request.method_for(statistic) {
        // A mean of yes and no is a proportion, which has an exact interval.
        Method::T if statistic == Statistic::Mean && interval::are_outcomes(&kept, unit) => {
            Method::Exact
        }
        method => method,
    };
    let n_used = kept.len();
    let steady = samples.get(labelled.start()..).unwrap_or(samples).to_vec();
    let range = Interval {
        lower: kept.iter().copied().fold(f64::INFINITY, f64::min),
        upper: kept.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    };
    let simulated = coverage_of_subsessions(&kept, statistic, method, request);
    let DecidedInterval { value, outcome, effective_n, if_independent } =
        interval::find(kept, &steady, statistic, method, request);
    let outcome = outcome.with_coverage(simulated);
    let aside = |values: Vec<f64>, among: &[f64]| {
        let n_used = values.len();
        let found = interval::find(values, among, statistic, method, request);
        let if_independent = found.if_independent;
        let interval = match found.outcome {
            IntervalOutcome::Interval { interval, .. } => Some(interval),
            IntervalOutcome::Declined { .. } => None,
        };
        Aside { value: found.value, interval, n_used, if_independent }
    };
    let flagged = labelled.flagged.as_ref();
    let are_counted =
        flagged.is_some_and(|flagged| !flagged.applied && !flagged.found.indices.is_empty());
    Estimate {
        statistic,
        value,
        outcome,
        confidence: request.confidence,
        method,
        sides: request.sides,
        n_used,
        effective_n,
        if_independent,
        range,
        with_everything: (n_used < samples.len()).then(|| aside(samples.to_vec(), samples)),
        with_outliers_removed: are_counted
            .then(|| aside(labelled.without_outliers(samples), &steady)),
        property: request.property,
    }
}
