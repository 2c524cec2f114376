//! The order of metrics by any correlator.

use super::panel::Scored;
use crate::change::ChangeEvidence;
use crate::rank::combined::{Evidence, Lane, combine};
use crate::significance::{self, Chance, Pool};
use crate::{Correlator, Family, Score, Sign};

/// A metric in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrderedMetric {
    /// Its index among those that are ordered.
    pub(super) index: usize,
    /// `None` if the correlator has no score for it.
    pub(super) score: Option<f64>,
    /// What brought it there, for the combined rank.
    pub(super) lane: Option<Lane>,
}

/// All of them, those with the highest scores first; those without a score come last, in their own
/// order.
pub(super) fn ordered(
    correlator: Correlator,
    target: Option<&ChangeEvidence>,
    all: &[&Scored],
) -> Vec<OrderedMetric> {
    if correlator == Correlator::Combined {
        let evidence = |scored: &&Scored| Evidence { change: scored.change, shape: scored.shape };
        let placed = combine(target, &all.iter().map(evidence).collect::<Vec<_>>());
        let place = |one: &crate::rank::combined::Placed| OrderedMetric {
            index: one.index,
            score: Some(one.score),
            lane: Some(one.lane),
        };
        return placed.iter().map(place).collect();
    }
    let place = |(index, scored): (usize, &&Scored)| OrderedMetric {
        index,
        score: score(correlator, scored).map(|score| score.value()),
        lane: None,
    };
    let mut places: Vec<OrderedMetric> = all.iter().enumerate().map(place).collect();
    places.sort_by(|a, b| match (a.score, b.score) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    places
}

/// What a correlator says; the combined rank says nothing of a metric alone.
pub(super) fn score(correlator: Correlator, scored: &Scored) -> Option<Score> {
    match correlator {
        Correlator::ChangeScore => {
            let change = scored.change?;
            Score::new(change.z, Sign::of(change.shift))
        }
        Correlator::ShapeScore => {
            let shape = scored.shape?;
            Score::new(shape.z, Sign::of(shape.r))
        }
        _ => scored.scores.iter().find(|(one, _)| *one == correlator).map(|(_, score)| *score),
    }
}

/// The scores of all correlators with their ranks: 1 and one more for each that is better.
pub(super) fn ranked_scores(
    target: Option<&ChangeEvidence>,
    all: &[&Scored],
) -> Vec<Vec<(Correlator, Score, usize)>> {
    let mut found: Vec<Vec<(Correlator, Score, usize)>> = all.iter().map(|_| Vec::new()).collect();
    for correlator in Correlator::ALL {
        let places = ordered(correlator, target, all);
        let mut above: Option<(f64, usize)> = None;
        for (place, one) in places.iter().enumerate() {
            let Some(value) = one.score else { continue };
            let is_tied = above.is_some_and(|(higher, _)| higher.total_cmp(&value).is_eq());
            let rank = match above {
                // The combined rank is an order, not only a score.
                Some((_, rank)) if is_tied && correlator != Correlator::Combined => rank,
                _ => place + 1,
            };
            above = Some((value, rank));
            let said = all.get(one.index).and_then(|scored| score(correlator, scored));
            let said = said.or_else(|| Score::new(value, Sign::Unsaid));
            if let (Some(scores), Some(said)) = (found.get_mut(one.index), said) {
                scores.push((correlator, said, rank));
            }
        }
    }
    found
}

/// How often chance would say as much of a metric, by what the correlator looks for.
pub(super) fn chance(correlator: Correlator, scored: &Scored, pool: &Pool) -> Option<Chance> {
    let (change, shape) = (scored.change.as_ref(), scored.shape.as_ref());
    let past = scored.past.as_ref();
    match correlator.family() {
        Family::Change => significance::chance(change, None, past, pool),
        Family::Shape => significance::chance(None, shape, past, pool),
        Family::Both => significance::chance(change, shape, past, pool),
    }
}

/// Whether a metric goes with the target. What changed goes with it if both rose or both fell.
pub(super) fn sign(
    correlator: Correlator,
    lane: Option<Lane>,
    scored: &Scored,
    target: Option<&ChangeEvidence>,
) -> Sign {
    let by_change = || {
        let (shift, target) = (scored.change?.shift, target?.shift);
        Some(Sign::of(shift.signum() * target.signum())).filter(|_| shift != 0.0 && target != 0.0)
    };
    let by_shape = || scored.shape.map(|shape| Sign::of(shape.r));
    let said = match correlator.family() {
        Family::Change => by_change(),
        Family::Shape => score(correlator, scored).map(|score| score.sign).or_else(by_shape),
        Family::Both if lane == Some(Lane::Change) => by_change().or_else(by_shape),
        Family::Both => by_shape().or_else(by_change),
    };
    said.unwrap_or(Sign::Unsaid)
}

/// By how many rows a metric comes after the target: 0 unless a shift fits clearly better, since the
/// best of many shifts always fits a little better.
pub(super) fn lag(scored: &Scored) -> Option<isize> {
    const CLEARLY: f64 = 0.05;
    let lagged = score(Correlator::Lagged, scored)?;
    let at_once = score(Correlator::Pearson, scored).map_or(0.0, |score| score.value());
    Some(if lagged.value() > at_once + CLEARLY { lagged.lag.unwrap_or(0) } else { 0 })
}
