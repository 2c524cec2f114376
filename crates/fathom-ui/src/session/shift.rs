//! Two subjects, quantile by quantile.

use super::counted::{Counted, why_declined};
use fathom_analyze::compare::Comparison;
use fathom_record::own_json::End;
use fathom_stats::band::{Banded, shift};
use fathom_stats::{Confidence, Probability};
use serde::Serialize;

/// Subject over reference, quantile by quantile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShiftView {
    /// The levels of the quantiles.
    pub p: Vec<f64>,
    /// Their ratios.
    pub ratio: Vec<f64>,
    /// Intervals that hold together; `None` where one of the two is unknown.
    pub band: Option<ShiftBand>,
    /// How sure the band is, where it is that of the verdict and not that of the options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// Intervals of ratios.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShiftBand {
    /// The lower ends.
    pub lower: Vec<End>,
    /// The upper ends.
    pub upper: Vec<End>,
}

impl ShiftView {
    /// The quantiles that the verdict is about, so that the picture says what it says; nothing where
    /// it is about something else.
    pub(super) fn of_comparison(comparison: &Comparison) -> Option<ShiftView> {
        let quantiles = &comparison.quantiles;
        let ends = || quantiles.iter().map(|one| one.interval.ends());
        let band = ShiftBand {
            lower: ends().map(|ends| End(ends.lower)).collect(),
            upper: ends().map(|ends| End(ends.upper)).collect(),
        };
        (!quantiles.is_empty()).then(|| ShiftView {
            p: quantiles.iter().map(|one| one.p.get()).collect(),
            ratio: quantiles.iter().map(|one| one.ratio).collect(),
            band: Some(band),
            confidence: Some(comparison.confidence.get()),
        })
    }

    /// Every percent of the subject and the reference, and why there is no band; nothing where
    /// values are not above zero, or where there is nothing to see.
    pub(super) fn of(
        [subject, reference]: &[Counted; 2],
        confidence: Confidence,
    ) -> Option<(ShiftView, Option<String>)> {
        const LEVELS: usize = 100;
        // Each band errs half as often, so that both hold at once, whatever they share.
        let each = Confidence::new(1.0 - 0.5 * confidence.alpha()).unwrap_or(confidence);
        let (above, missing) = banded(subject, each)?;
        let (below, also_missing) = banded(reference, each)?;
        let declined = missing.or(also_missing);
        let (p, shifts): (Vec<f64>, Vec<_>) = (1..LEVELS)
            .map(|level| level as f64 / LEVELS as f64)
            .filter_map(|p| Some((p, shift(above, below, Probability::new(p).ok()?)?)))
            .unzip();
        let band = ShiftBand {
            lower: shifts.iter().map(|shift| End(shift.interval.ends().lower)).collect(),
            upper: shifts.iter().map(|shift| End(shift.interval.ends().upper)).collect(),
        };
        let ratio = shifts.iter().map(|shift| shift.ratio).collect();
        let band = declined.is_none().then_some(band);
        let shift = ShiftView { p, ratio, band, confidence: None };
        (!shift.p.is_empty()).then_some((shift, declined))
    }
}

/// With their band, or the reason that there is none; `None` if there is nothing to show.
fn banded(counted: &Counted, confidence: Confidence) -> Option<(Banded<'_>, Option<String>)> {
    let (band, missing) = match counted.band(confidence) {
        Ok(band) => (Some(band), None),
        Err(declined) => (None, Some(why_declined(declined)?)),
    };
    Some((Banded { sorted: &counted.sorted, band }, missing))
}
