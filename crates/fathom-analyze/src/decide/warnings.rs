//! What may be wrong with a subject's estimates, each warning with what to do.

use super::interval::are_outcomes;
use super::{Autocorrelation, Estimate, EstimateRequest, IntervalOutcome, Method, Statistic};
use crate::clean::{Flagged, Labelled, SlowBeginning, Steadiness, SteadyStatePolicy};
use crate::report::Levels;
use crate::warning::{IndependenceSource, MissingEnds, SamplesNeeded, Warning};
use fathom_record::{Series, Unit};
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use fathom_stats::mean::{Moments, SkewnessVerdict, skewness_verdict};
use fathom_stats::steady_state::{Class, SteadyState};
use fathom_stats::{Interval, Probability, Sides};

/// Independent samples are rarely judged to be worth less than this share of themselves.
const WORTH_A_WARNING: f64 = 0.6;

/// Everything that warnings look at.
pub(super) struct Circumstances<'a> {
    pub(super) series: &'a Series,
    pub(super) levels: Levels,
    pub(super) labelled: &'a Labelled,
    pub(super) autocorrelation: &'a Autocorrelation,
    pub(super) estimates: &'a [Estimate],
    /// The samples whose mean would be taken.
    pub(super) means: &'a [f64],
    pub(super) request: &'a EstimateRequest,
}

impl Circumstances<'_> {
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        warnings.extend(self.of_resolution());
        let is_constant = !warnings.is_empty();
        warnings.extend(self.of_levels());
        warnings.extend(self.of_steadiness());
        warnings.extend(self.labelled.flagged.as_ref().and_then(of_outliers));
        // That there is no interval follows from what was just said.
        let said = |estimate: &&Estimate| is_constant && estimate.interval().is_none();
        warnings.extend(self.estimates.iter().filter(|e| !said(e)).filter_map(of_estimate));
        warnings.extend(self.of_few());
        warnings.extend(self.of_independence());
        warnings.extend(self.of_skewness());
        warnings.extend(self.of_rates());
        warnings
    }

    fn of_resolution(&self) -> Option<Warning> {
        let values = self.series.values();
        let value = *values.first()?;
        if are_outcomes(values, self.series.unit()) {
            return None;
        }
        let is_constant = values.len() > 1 && values.iter().all(|one| *one == value);
        is_constant.then(|| Warning::SameValues {
            n: values.len(),
            value,
            unit: self.series.unit().clone(),
        })
    }

    fn of_levels(&self) -> Option<Warning> {
        match self.levels {
            Levels::Values => None,
            Levels::Pooled { executions } => Some(Warning::Pooled { executions }),
            Levels::Executions { .. } => {
                let tail = self.estimates.iter().find(|estimate| {
                    matches!(estimate.statistic, Statistic::Quantile(p) if p != Probability::HALF)
                });
                tail.map(|tail| Warning::TailOfExecutions { statistic: tail.statistic })
            }
        }
    }

    fn of_steadiness(&self) -> Vec<Warning> {
        let state = match &self.labelled.steadiness {
            Steadiness::Found(state) => state,
            Steadiness::Told { skipped } => {
                return self.of_skipping(*skipped).into_iter().collect();
            }
            Steadiness::NotSought => return Vec::new(),
        };
        let SteadyState { class, start, change_points, strongly_autocorrelated, .. } = state;
        let mut warnings = Vec::new();
        match class {
            Class::None => {
                let change_points = change_points.clone();
                warnings.push(Warning::NoSteadyState { change_points });
            }
            Class::SlowDown => warnings.push(Warning::SlowDown { start: *start }),
            Class::Flat | Class::WarmUp => {}
        }
        warnings.extend(of_slow_beginning(self.labelled));
        if *strongly_autocorrelated && *class != Class::Flat {
            warnings.push(Warning::RandomDrift);
        }
        warnings
    }

    fn of_skipping(&self, skipped: usize) -> Option<Warning> {
        match self.request.steady_state {
            SteadyStatePolicy::Skip(asked) if asked > skipped => {
                Some(Warning::NearlyAllSkipped { asked, n: self.labelled.len() })
            }
            _ => None,
        }
    }

    /// Intervals that hold on condition.
    fn of_few(&self) -> Option<Warning> {
        let few = self.estimates.iter().find(|estimate| estimate.if_independent)?;
        // Two standard errors of independent samples: then it is no longer a mere possibility.
        let suspicious = 2.0 / (few.n_used as f64).sqrt();
        let needed = match few.outcome {
            IntervalOutcome::Interval { samples_needed: Some(needed), .. }
                if few.n_used >= SAMPLES_TO_JUDGE =>
            {
                SamplesNeeded::About(needed)
            }
            _ => SamplesNeeded::AtLeast(SAMPLES_TO_JUDGE),
        };
        Some(Warning::TooFewToCheck {
            n: few.n_used,
            lag1: self.autocorrelation.lag1.filter(|lag1| *lag1 > suspicious),
            needed,
        })
    }

    /// Methods that take samples as independent, when they are not.
    fn of_independence(&self) -> Option<Warning> {
        let effective = self.autocorrelation.effective_n?;
        let n = self.means.len();
        let careless = self.estimates.iter().find(|estimate| {
            self.request.assume_independent || !estimate.method.handles_dependence()
        })?;
        let by = if self.request.assume_independent {
            IndependenceSource::User
        } else {
            IndependenceSource::Method(careless.method)
        };
        let is_clear = effective < WORTH_A_WARNING * n as f64;
        is_clear.then_some(Warning::NotIndependent { by, n, effective })
    }

    fn of_skewness(&self) -> Option<Warning> {
        let is_judged = |estimate: &Estimate| {
            matches!(estimate.method, Method::T | Method::Z) && estimate.interval().is_some()
        };
        if !self.estimates.iter().any(is_judged) {
            return None;
        }
        let moments = Moments::of(self.means)?;
        let is_doubtful = skewness_verdict(&moments) == SkewnessVerdict::Doubtful;
        let (skewness, n, confidence) = (moments.skewness, moments.n, self.request.confidence);
        is_doubtful.then_some(Warning::Skewed { skewness, n, confidence })
    }

    fn of_rates(&self) -> Option<Warning> {
        let is_rate = matches!(self.series.unit(), Unit::Other(unit) if unit.contains('/'));
        let has_mean = self.estimates.iter().any(|estimate| estimate.statistic == Statistic::Mean);
        let unit = self.series.unit().clone();
        (is_rate && has_mean).then_some(Warning::MeanOfRates { unit })
    }
}

/// A slow beginning that may be no warm-up: a level that changed is said to have changed.
pub(crate) fn of_slow_beginning(labelled: &Labelled) -> Option<Warning> {
    let (start, n) = (labelled.start(), labelled.len());
    match labelled.slow_beginning()? {
        SlowBeginning::WarmUp => None,
        SlowBeginning::Disturbed(load) => Some(Warning::DisturbedBeginning { start, n, load }),
        SlowBeginning::Unexplained => Some(Warning::LongBeginning { start, n }),
    }
}

fn of_outliers(flagged: &Flagged) -> Option<Warning> {
    const MANY: f64 = 0.05;
    let Flagged { found, among, applied, .. } = flagged;
    let count = found.indices.len();
    let share = count as f64 / (*among).max(1) as f64;
    (share > MANY).then_some(Warning::ManyOutliers { count, among: *among, are_removed: *applied })
}

fn of_estimate(estimate: &Estimate) -> Option<Warning> {
    let Estimate { statistic, method, n_used, confidence, .. } = *estimate;
    match &estimate.outcome {
        IntervalOutcome::Declined { reason, .. } => {
            Some(Warning::NoInterval { statistic, method, why: reason.clone() })
        }
        IntervalOutcome::Interval { interval, samples_needed: Some(needed), .. } => {
            Some(Warning::MissingEnds {
                // A condition has a warning of its own, which says how many.
                missing: missing_ends(interval, estimate.sides)?,
                statistic,
                confidence,
                n: n_used,
                effective: estimate
                    .effective_n
                    .filter(|effective| *effective < 0.95 * n_used as f64),
                needed: *needed,
            })
        }
        IntervalOutcome::Interval { coverage: Some(coverage), .. } if method == Method::Spa => {
            let coverage = *coverage;
            let is_less = coverage < confidence.get();
            is_less.then_some(Warning::SpaCoverage { statistic, coverage, confidence })
        }
        IntervalOutcome::Interval { coverage: Some(coverage), .. }
            if method == Method::Subsession =>
        {
            // A simulation is not sure of less.
            const CLEARLY: f64 = 0.01;
            let coverage = *coverage;
            let is_less = coverage < confidence.get() - CLEARLY;
            is_less.then_some(Warning::SubsessionCoverage { statistic, coverage, confidence })
        }
        IntervalOutcome::Interval { .. } => None,
    }
}

fn missing_ends(interval: &Interval, sides: Sides) -> Option<MissingEnds> {
    let missing_lower = sides != Sides::Upper && interval.lower == f64::NEG_INFINITY;
    let missing_upper = sides != Sides::Lower && interval.upper == f64::INFINITY;
    match (missing_lower, missing_upper) {
        (false, false) => None,
        (true, false) => Some(MissingEnds::Lower),
        (false, true) => Some(MissingEnds::Upper),
        (true, true) => Some(MissingEnds::Both),
    }
}
