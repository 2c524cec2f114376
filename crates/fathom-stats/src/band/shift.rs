//! Two distributions, quantile by quantile.

use super::Band;
use crate::quantile::of_sorted;
use crate::{Interval, Probability};

/// How much more a quantile of one distribution is than that of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The estimate.
    pub ratio: f64,
    /// Of the ratio, together with those of all other quantiles.
    pub interval: Interval,
}

/// Sorted samples with their band.
#[derive(Debug, Clone, Copy)]
pub struct Banded<'a> {
    /// The samples, from the smallest to the largest, all above zero.
    pub sorted: &'a [f64],
    /// `None`: nothing is known of the distribution.
    pub band: Option<Band>,
}

impl Banded<'_> {
    fn quantile(&self, p: Probability) -> Interval {
        self.band.map_or(Interval::EVERYTHING, |band| band.ranks(p).of_sorted(self.sorted))
    }
}

/// The ratio of the p-quantiles; `None` where there is none, for want of samples above zero.
///
/// If both bands hold at once with some probability, then so do the intervals of all p. Two bands
/// that each fail with probability α/2 do so with 1 − α, whatever the two have to do with each other.
#[must_use]
pub fn shift(subject: Banded<'_>, reference: Banded<'_>, p: Probability) -> Option<Shift> {
    let is_positive = |side: &Banded<'_>| side.sorted.first().is_some_and(|least| *least > 0.0);
    if !is_positive(&subject) || !is_positive(&reference) {
        return None;
    }
    let ratio = of_sorted(subject.sorted, p)? / of_sorted(reference.sorted, p)?;
    let (above, below) = (subject.quantile(p), reference.quantile(p));
    // An end that is unknown above leaves the ratio unknown: below, or above.
    let lower = if below.upper.is_finite() { above.lower / below.upper } else { f64::NEG_INFINITY };
    let upper = if below.lower.is_finite() { above.upper / below.lower } else { f64::INFINITY };
    // The estimate is interpolated, and at the far ends may lie beyond the order statistics.
    let interval = Interval { lower: lower.min(ratio), upper: upper.max(ratio) };
    ratio.is_finite().then_some(Shift { ratio, interval })
}
