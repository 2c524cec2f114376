//! One subject, as it is looked at.

use super::counted::{Counted, base, is_independent, why_declined};
use super::{Correlogram, Ecdf, EstimateView, Histogram, PageSamples};
use fathom_analyze::Subject;
use fathom_render::{View, human};
use fathom_stats::Confidence;
use fathom_stats::band::Band;
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
    /// Mean, deviation, smallest and largest of all samples.
    pub spread: Option<String>,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<String>,
    /// The estimates.
    pub estimates: Vec<EstimateView>,
    /// In time order.
    pub samples: PageSamples,
    /// How the samples that count spread.
    pub histogram: Option<Histogram>,
    /// Their distribution.
    pub ecdf: Option<Ecdf>,
    /// Whether neighbours are alike.
    pub correlogram: Option<Correlogram>,
}

impl SubjectView {
    pub(super) fn of(subject: &Subject, confidence: Confidence) -> SubjectView {
        let view = View { assume_independent: is_independent(subject), ..View::default() };
        let samples = base(subject);
        let counted = Counted::of(subject);
        let mut warnings: Vec<String> = subject.warnings.iter().map(ToString::to_string).collect();
        let ecdf = match counted.band(confidence) {
            Ok(band) => {
                warnings.extend(thin(&band));
                Some(Ecdf::of(&counted.sorted, Some(&band)))
            }
            Err(declined) => why_declined(declined).map(|why| {
                warnings.push(format!("no confidence band for the distribution: {why}"));
                Ecdf::of(&counted.sorted, None)
            }),
        };
        let kind = human::dependence_kind(subject).filter(|_| !view.assume_independent);
        let trail = [Some(human::trail(subject, &view)), kind];
        SubjectView {
            name: subject.series.name().to_string(),
            unit: subject.series.unit().symbol().to_string(),
            sentence: human::sentences(subject, &view).join(" "),
            trail: trail.into_iter().flatten().collect::<Vec<String>>().join("; "),
            spread: human::mean_and_range(subject, &view),
            warnings,
            estimates: EstimateView::all(subject),
            samples: PageSamples::of(&samples, subject.labelled.as_ref()),
            histogram: Histogram::of(&counted.sorted),
            ecdf,
            correlogram: Correlogram::of(subject, &counted.in_time),
        }
    }
}

/// A band on so little may be luck.
fn thin(band: &Band) -> Option<String> {
    const FEW: usize = 10;
    (band.worth() < FEW && band.worth() < band.samples()).then(|| {
        format!(
            "the distribution's confidence band has an effective sample size of {}; it misses states \
             that last longer than this session; run longer",
            band.worth()
        )
    })
}
