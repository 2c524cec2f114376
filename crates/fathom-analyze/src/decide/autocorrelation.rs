//! How much the samples that count depend on each other, for the report.

use super::EstimateRequest;
use fathom_stats::dependence::{self, DependenceKind, Thinness, autocorrelation, first_within};

/// Subsession analysis and effective size of the samples that count.
#[derive(Debug, Clone, PartialEq)]
pub struct Autocorrelation {
    /// R(1); `None` for constant or single samples.
    pub lag1: Option<f64>,
    /// The smallest number of samples to merge so that neighbours are no longer alike; `None`
    /// if no number does.
    pub subsession: Option<usize>,
    /// R(1) after merging this many.
    pub lag1_merged: Option<f64>,
    /// What the samples are worth for a mean; `None` where that cannot be judged.
    pub effective_n: Option<f64>,
    /// What kind of dependence shows; `None` where that cannot be judged.
    pub kind: Option<DependenceKind>,
    /// R at every lag, where asked for.
    pub correlogram: Option<Vec<f64>>,
}

impl Autocorrelation {
    pub(super) fn of(samples: &[f64], request: &EstimateRequest) -> Autocorrelation {
        let merged = first_within(samples, request.subsession_range.get());
        let judged = samples.len() >= dependence::SAMPLES_TO_JUDGE;
        let thinness = Thinness::of(samples).filter(|_| judged);
        Autocorrelation {
            lag1: autocorrelation(samples, 1),
            subsession: merged.map(|merged| merged.size),
            lag1_merged: merged.map(|merged| merged.lag1),
            effective_n: thinness.map(|thinness| thinness.effective(samples.len())),
            kind: DependenceKind::of(samples),
            correlogram: request
                .correlogram
                .then(|| dependence::correlogram(samples, samples.len())),
        }
    }
}
