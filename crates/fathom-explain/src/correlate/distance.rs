//! Distances between z-scores, and the scores of distances.

use super::target_rows::TargetRows;
use crate::segment::centred::length;
use crate::{Score, Sequence, Sign};

/// Distances per row, in standard deviations, that are rounding: a metric and a rescaled copy of it
/// would else have scores that depend on the unit.
const ROUNDING: f64 = 1e-10;

/// The score of the smaller of two distances per row, one from the metric, the other from its
/// negation.
pub(super) fn of_distances(with: f64, against: f64) -> Option<Score> {
    let distance = with.min(against);
    let distance = if distance <= ROUNDING { 0.0 } else { distance };
    Score::of_distance(distance, Sign::of(against - with))
}

/// Sums up what each pair of z-scores has between them: from the metric, and from its negation.
/// And how many pairs there are.
pub(super) fn sums(
    asked: &TargetRows,
    metric: &Sequence,
    between: impl Fn(f64) -> f64,
) -> Option<(f64, f64, f64)> {
    let (asked, metric) = asked.standard(metric)?;
    let count = length(&metric);
    let scale = count.sqrt();
    let (mut with, mut against) = (0.0, 0.0);
    for (asked, metric) in asked.iter().zip(&metric) {
        with += between(scale * (asked - metric));
        against += between(scale * (asked + metric));
    }
    Some((with, against, count))
}
