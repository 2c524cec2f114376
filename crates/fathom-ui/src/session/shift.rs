//! Two subjects, quantile by quantile.

use super::counted::Counted;
use fathom_record::own_json::End;
use fathom_stats::band::{Banded, shift};
use fathom_stats::dependence::Declined;
use fathom_stats::{Confidence, Probability};
use serde::Serialize;

/// Subject over reference, quantile by quantile, with intervals that hold together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShiftView {
    /// The levels of the quantiles.
    pub p: Vec<f64>,
    /// Their ratios.
    pub ratio: Vec<f64>,
    /// The lower ends.
    pub lower: Vec<End>,
    /// The upper ends.
    pub upper: Vec<End>,
}

impl ShiftView {
    /// Every percent of the subject and the reference; nothing where values are not above zero.
    pub(super) fn of(
        [subject, reference]: &[Counted; 2],
        confidence: Confidence,
    ) -> Result<Option<ShiftView>, Declined> {
        const LEVELS: usize = 100;
        // Each band errs half as often, so that both hold at once, whatever they share.
        let each = Confidence::new(1.0 - 0.5 * confidence.alpha()).unwrap_or(confidence);
        let above = Banded { sorted: &subject.sorted, band: Some(subject.band(each)?) };
        let below = Banded { sorted: &reference.sorted, band: Some(reference.band(each)?) };
        let (p, shifts): (Vec<f64>, Vec<_>) = (1..LEVELS)
            .map(|level| level as f64 / LEVELS as f64)
            .filter_map(|p| Some((p, shift(above, below, Probability::new(p).ok()?)?)))
            .unzip();
        Ok((!p.is_empty()).then(|| ShiftView {
            p,
            ratio: shifts.iter().map(|shift| shift.ratio).collect(),
            lower: shifts.iter().map(|shift| End(shift.interval.lower)).collect(),
            upper: shifts.iter().map(|shift| End(shift.interval.upper)).collect(),
        }))
    }
}
