//! The estimate: Hyndman and Fan's type 7.

use crate::Probability;

/// Where the quantile lies among sorted values: between an index and the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuantilePosition {
    pub(crate) index: usize,
    pub(crate) fraction: f64,
}

impl QuantilePosition {
    pub(crate) fn of(n: usize, p: f64) -> QuantilePosition {
        let h = n.saturating_sub(1) as f64 * p;
        let index = (h.floor() as usize).min(n.saturating_sub(1));
        QuantilePosition { index, fraction: h - index as f64 }
    }

    /// Between the value here and the next. Equal neighbours give their value to the bit, and the
    /// difference cannot overflow.
    pub(crate) fn between(self, here: f64, next: f64) -> f64 {
        if self.fraction == 0.0 || here == next {
            here
        } else {
            here * (1.0 - self.fraction) + next * self.fraction
        }
    }
}

/// The p-quantile of values that are already sorted; `None` for no values.
///
/// ```
/// use fathom_stats::{quantile, Probability};
/// assert_eq!(quantile::of_sorted(&[1.0, 2.0, 4.0], Probability::HALF), Some(2.0));
/// assert_eq!(quantile::of_sorted(&[1.0, 2.0], Probability::HALF), Some(1.5));
/// ```
#[must_use]
pub fn of_sorted(sorted: &[f64], p: Probability) -> Option<f64> {
    let place = QuantilePosition::of(sorted.len(), p.get());
    let here = *sorted.get(place.index)?;
    Some(place.between(here, sorted.get(place.index + 1).copied().unwrap_or(here)))
}

/// The p-quantile of values in any order, which it reorders; `None` for no values.
///
/// Linear time: it selects instead of sorting.
///
/// ```
/// use fathom_stats::{Probability, quantile};
/// assert_eq!(quantile::of_unsorted(&mut [4.0, 1.0, 2.0], Probability::HALF), Some(2.0));
/// ```
#[must_use]
pub fn of_unsorted(values: &mut [f64], p: Probability) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let place = QuantilePosition::of(values.len(), p.get());
    let (_, &mut here, above) = values.select_nth_unstable_by(place.index, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp).unwrap_or(here);
    Some(place.between(here, next))
}

/// The ranks, from 1, of the two order statistics that the estimate of n values lies between.
///
/// ```
/// use fathom_stats::{Probability, quantile};
/// assert_eq!(quantile::ranks_of_estimate(10, Probability::HALF), (5, 6));
/// ```
#[must_use]
pub fn ranks_of_estimate(n: usize, p: Probability) -> (usize, usize) {
    let place = QuantilePosition::of(n, p.get());
    let above = if place.fraction > 0.0 { place.index + 2 } else { place.index + 1 };
    (place.index + 1, above.min(n.max(1)))
}
