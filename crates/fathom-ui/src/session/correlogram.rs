//! Whether neighbours are alike.

use fathom_analyze::Subject;
use fathom_stats::dependence;
use serde::Serialize;

/// Lags beyond are not drawn.
const FARTHEST: usize = 100;

/// Below this many samples a coefficient is chance.
const FEWEST: usize = 8;

/// The autocorrelation at lags from 1 on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlogram {
    /// The coefficients.
    pub r: Vec<f64>,
    /// Beyond this a lag is not chance, at 95%.
    pub band: f64,
}

impl Correlogram {
    /// Of the samples that count; `None` where they are too few, or all the same.
    pub(super) fn of(subject: &Subject, kept: &[f64]) -> Option<Correlogram> {
        const AT_95_PERCENT: f64 = 1.959_963_984_540_054;
        let n = kept.len();
        if n < FEWEST {
            return None;
        }
        // From a quarter of the series on, too few pairs are left.
        let lags = (n / 4).min(FARTHEST);
        let known = subject.autocorrelation.as_ref().and_then(|found| found.correlogram.as_ref());
        let r = match known {
            Some(all) => all.iter().take(lags).copied().collect(),
            None => dependence::correlogram(kept, lags),
        };
        (!r.is_empty()).then_some(Correlogram { r, band: AT_95_PERCENT / (n as f64).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::{EstimateRequest, analyze};
    use fathom_record::{Series, Unit};

    fn of(values: Vec<f64>, correlogram: bool) -> Option<Correlogram> {
        let request = EstimateRequest { correlogram, ..EstimateRequest::default() };
        let subject = analyze(Series::new("x", Unit::SECONDS, values).unwrap(), &request);
        let kept = subject.labelled.as_ref().unwrap().kept(subject.series.values());
        Correlogram::of(&subject, &kept)
    }

    #[test]
    fn it_is_the_same_from_the_report_and_from_the_samples() {
        let values: Vec<f64> = (0..64).map(|i| f64::from(i * i % 17)).collect();
        let found = of(values.clone(), true).unwrap();
        assert_eq!(Some(&found), of(values, false).as_ref());
        assert_eq!((found.r.len(), found.band), (16, 1.959_963_984_540_054 / 8.0));
    }

    #[test]
    fn too_few_and_constant_samples_have_none() {
        assert_eq!(of(vec![1.0, 2.0, 3.0], true), None);
        assert_eq!(of(vec![1.0; 50], true), None);
    }
}
