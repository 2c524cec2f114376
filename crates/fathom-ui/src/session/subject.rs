//! One subject, as it is looked at.

use super::{Correlogram, Ecdf, EstimateView, Histogram, Samples};
use fathom_analyze::{Levels, Outcome, Subject};
use fathom_render::{View, human};
use fathom_stats::band::Band;
use fathom_stats::dependence::{Declined, SAMPLES_TO_JUDGE};
use fathom_stats::{Confidence, Probability, quantile};
use serde::Serialize;

/// A subject with its pictures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubjectView {
    /// Its name.
    pub name: String,
    /// The symbol of its unit; empty if that is not known.
    pub unit: String,
    /// What is estimated, in words.
    pub sentence: String,
    /// What was done to the data.
    pub trail: String,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<String>,
    /// The estimates.
    pub estimates: Vec<EstimateView>,
    /// In time order.
    pub samples: Samples,
    /// How the samples that count spread.
    pub histogram: Option<Histogram>,
    /// Their distribution, with a band that has all of it.
    pub ecdf: Option<Ecdf>,
    /// Whether neighbours are alike.
    pub correlogram: Option<Correlogram>,
}

impl SubjectView {
    pub(super) fn of(subject: &Subject, confidence: Confidence) -> SubjectView {
        let view = View { assume_independent: is_independent(subject), ..View::default() };
        let samples = base(subject);
        let counted = Counted::of(subject);
        let mut warnings = subject.warnings.clone();
        let ecdf = match counted.band(confidence) {
            Ok(band) => {
                warnings.extend(thin(&band));
                Some(Ecdf::of(&counted.sorted, &band))
            }
            Err(declined) => {
                warnings.extend(why_no_band(declined));
                None
            }
        };
        SubjectView {
            name: subject.series.name().to_string(),
            unit: subject.series.unit().symbol().to_string(),
            sentence: human::sentences(subject, &view).join(" "),
            trail: human::trail(subject, &view),
            warnings,
            estimates: EstimateView::all(subject),
            samples: Samples::of(&samples, subject.labelled.as_ref()),
            histogram: Histogram::of(&counted.sorted),
            ecdf,
            correlogram: Correlogram::of(subject, &counted.in_time),
        }
    }
}

/// The samples that count.
pub(super) struct Counted {
    pub(super) in_time: Vec<f64>,
    pub(super) sorted: Vec<f64>,
    is_independent: bool,
}

impl Counted {
    pub(super) fn of(subject: &Subject) -> Counted {
        let samples = base(subject);
        let in_time = match &subject.labelled {
            Some(labelled) => labelled.kept(&samples),
            None => samples,
        };
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

/// The samples that labels speak of: the values, or the median of each execution.
fn base(subject: &Subject) -> Vec<f64> {
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
fn is_independent(subject: &Subject) -> bool {
    let skipped = subject.estimates.iter().any(|estimate| {
        estimate.method.handles_dependence()
            && estimate.effective_n.is_none()
            && matches!(estimate.outcome, Outcome::Interval { .. })
    });
    skipped || matches!(subject.levels, Levels::Pooled { .. })
}

/// Why the distribution has no band, where the estimates have not said so.
pub(super) fn why_no_band(declined: Declined) -> Option<String> {
    match declined {
        // There is nothing to see either.
        Declined::Constant | Declined::TooFew { n: 0 | 1 } => None,
        Declined::TooFew { n } => Some(format!(
            "no distribution is drawn: {n} samples are too few to tell whether they depend on each \
             other; take at least {SAMPLES_TO_JUDGE}"
        )),
        Declined::TooDependent { effective, needed } => Some(format!(
            "no distribution is drawn: the samples depend on each other so much that they are worth \
             {effective:.1} independent ones; keep running, to about {needed} samples"
        )),
    }
}

/// A band on so little may be luck.
fn thin(band: &Band) -> Option<String> {
    const FEW: usize = 10;
    (band.worth() < FEW && band.worth() < band.samples()).then(|| {
        format!(
            "the distribution's band rests on what {} independent samples would tell; states that \
             last longer than this session are not in it; run longer",
            band.worth()
        )
    })
}
