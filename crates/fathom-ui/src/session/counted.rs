//! The samples that a picture counts.

use fathom_analyze::{IntervalOutcome, Levels, Subject};
use fathom_stats::band::Band;
use fathom_stats::dependence::{Declined, SAMPLES_TO_JUDGE};
use fathom_stats::{Confidence, Probability, quantile};

/// Samples in their order and by size.
pub(super) struct Counted {
    pub(super) in_time: Vec<f64>,
    pub(super) sorted: Vec<f64>,
    is_independent: bool,
}

impl Counted {
    /// Those that the estimates count.
    pub(super) fn of(subject: &Subject) -> Counted {
        let samples = base(subject);
        let in_time = match &subject.labelled {
            // Times of different amounts of work are not of one distribution.
            _ if subject.work.is_some() => Vec::new(),
            Some(labelled) => labelled.kept(&samples),
            None => samples,
        };
        Counted::some(subject, in_time)
    }

    /// All that there are.
    pub(super) fn all(subject: &Subject) -> Counted {
        Counted::some(subject, base(subject))
    }

    /// These.
    pub(super) fn some(subject: &Subject, in_time: Vec<f64>) -> Counted {
        let mut sorted = in_time.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        Counted { in_time, sorted, is_independent: is_independent(subject) }
    }

    /// The band of their distribution, or why there is none.
    pub(super) fn band(&self, confidence: Confidence) -> Result<Band, Declined> {
        match self.in_time.len() {
            0 => Err(Declined::TooFew { n: 0 }),
            n if self.is_independent => Ok(Band::of_independent(n, confidence)),
            _ => Band::of(&self.in_time, confidence),
        }
    }
}

/// The samples that labels refer to: the values, or the median of each execution.
pub(super) fn base(subject: &Subject) -> Vec<f64> {
    let median = |values: &&[f64]| quantile::of_unsorted(&mut values.to_vec(), Probability::HALF);
    match (subject.levels, subject.series.executions()) {
        (Levels::Executions { .. }, Some(executions)) => {
            executions.iter().filter_map(median).collect()
        }
        _ => subject.series.values().to_vec(),
    }
}

/// Whether samples were taken as independent: an interval of a method that judges dependence, which
/// did not.
pub(super) fn is_independent(subject: &Subject) -> bool {
    let skipped = subject.estimates.iter().any(|estimate| {
        estimate.method.handles_dependence()
            && estimate.effective_n.is_none()
            && !estimate.if_independent
            && matches!(estimate.outcome, IntervalOutcome::Interval { .. })
    });
    skipped || matches!(subject.levels, Levels::Pooled { .. })
}

/// Why there is no band, in words; nothing where there is nothing to see either.
pub(super) fn why_declined(declined: Declined) -> Option<String> {
    match declined {
        Declined::Constant | Declined::TooFew { n: 0 | 1 } => None,
        Declined::TooFew { n } => Some(format!(
            "{n} samples are too few to check for autocorrelation; collect at least {SAMPLES_TO_JUDGE}"
        )),
        Declined::TooDependent { effective, needed } => Some(format!(
            "the samples are so strongly autocorrelated that the effective sample size is \
             {effective:.1}; collect about {needed} samples"
        )),
    }
}
