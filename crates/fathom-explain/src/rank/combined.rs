//! One order from two kinds of evidence: what changed, and what follows the target's shape.
//!
//! Each kind has an order of its own, and the two are merged in turns: no metric comes later than
//! twice its place in the better one. How strong one kind is against the other is not asked, because
//! the numbers do not compare; only which of them goes first depends on the target. Why, and what
//! other rules were tried: `docs/methods/ranking.md`.

use crate::change::ChangeEvidence;
use crate::shape::ShapeEvidence;

/// A target that moved by less of its usual changes did not change: its shape is what was meant.
const TARGET_CHANGED: f64 = 2.0;

/// What a metric is worth among those that changed if it was constant before: there is nothing to
/// measure its change with, so it comes after those that changed clearly.
const WOKE_UP: f64 = 10.0;

/// What is known of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// How it changed.
    pub change: Option<ChangeEvidence>,
    /// How it follows the target's shape.
    pub shape: Option<ShapeEvidence>,
}

impl Evidence {
    /// How much it changed, as a number that others can be compared with; 0 if not at all.
    fn changed(&self) -> f64 {
        self.change.as_ref().map_or(0.0, strength)
    }

    /// How much it follows; 0 if not at all.
    fn follows(&self) -> f64 {
        self.shape.map_or(0.0, |shape| shape.z.max(0.0))
    }
}

fn strength(change: &ChangeEvidence) -> f64 {
    // `max` is 0 for what is not a number.
    if change.constant_before.is_some() { WOKE_UP } else { change.z.max(0.0) }
}

/// Which order a metric has its place from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// What changed.
    Change,
    /// What follows the target's shape.
    Shape,
    /// Neither: nothing is known of it.
    Neither,
}

impl Lane {
    /// The names of those that a metric can have its place from.
    pub const NAMES: [&'static str; 2] = ["change", "shape"];

    /// The name in JSON; `None` if it is neither.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        let [change, shape] = Lane::NAMES;
        match self {
            Lane::Change => Some(change),
            Lane::Shape => Some(shape),
            Lane::Neither => None,
        }
    }
}

/// A metric in the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Which of the metrics it is.
    pub index: usize,
    /// One over the place it has at best, if the two orders take turns; 0 if nothing is known of it.
    /// Never more than that of the one before.
    pub score: f64,
    /// Where that place is.
    pub lane: Lane,
}

/// Puts all metrics in an order, by what is known of them and of how the target changed.
///
/// Equal ones stay in the order in which they are given.
#[must_use]
pub fn combine(target: Option<&ChangeEvidence>, all: &[Evidence]) -> Vec<Placed> {
    let changed: Vec<f64> = all.iter().map(Evidence::changed).collect();
    let follows: Vec<f64> = all.iter().map(Evidence::follows).collect();
    let in_change = places(&changed, &follows);
    let in_shape = places(&follows, &changed);
    let change_first = target.is_some_and(|target| strength(target) >= TARGET_CHANGED);
    // Turns: 1, 3, 5 ... for the order that goes first, 2, 4, 6 ... for the other.
    let (change_turn, shape_turn) = if change_first { (1, 2) } else { (2, 1) };
    let mut merged: Vec<(usize, Placed)> = (0..all.len())
        .map(|index| {
            let turn = |places: &[Option<usize>], first: usize| {
                let place = places.get(index).copied().flatten();
                place.map_or(usize::MAX, |place| 2 * place + first)
            };
            let (change, shape) = (turn(&in_change, change_turn), turn(&in_shape, shape_turn));
            let (best, lane) = match change.min(shape) {
                usize::MAX => (usize::MAX, Lane::Neither),
                best if best == change => (best, Lane::Change),
                best => (best, Lane::Shape),
            };
            (best, Placed { index, score: score(best), lane })
        })
        .collect();
    merged.sort_by_key(|(best, placed)| (*best, placed.index));
    merged.into_iter().map(|(_, placed)| placed).collect()
}

#[allow(clippy::cast_precision_loss, reason = "metrics are far fewer than 2^53")]
fn score(turn: usize) -> f64 {
    if turn == usize::MAX { 0.0 } else { 1.0 / turn as f64 }
}

/// The place of each by its own strength, then by the other kind's; `None` for those without any.
fn places(strengths: &[f64], others: &[f64]) -> Vec<Option<usize>> {
    let key = |index: usize| {
        let of = |values: &[f64]| values.get(index).copied().unwrap_or(0.0);
        (of(strengths), of(others))
    };
    let mut order: Vec<usize> = (0..strengths.len()).filter(|&index| key(index).0 > 0.0).collect();
    order.sort_by(|&a, &b| {
        let ((mine, other), (theirs, another)) = (key(a), key(b));
        theirs.total_cmp(&mine).then(another.total_cmp(&other)).then(a.cmp(&b))
    });
    let mut places = vec![None; strengths.len()];
    for (place, index) in order.into_iter().enumerate() {
        if let Some(slot) = places.get_mut(index) {
            *slot = Some(place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn change(z: f64) -> ChangeEvidence {
        ChangeEvidence { shift: z, relative: None, z, degrees: 9.0, constant_before: None }
    }

    fn woke_up() -> ChangeEvidence {
        ChangeEvidence { constant_before: Some(60), ..change(f64::INFINITY) }
    }

    fn shape(z: f64) -> ShapeEvidence {
        ShapeEvidence { r: 0.5, z, chance: 0.2, degrees: 9.0, occurrences: 1 }
    }

    fn both(c: f64, s: f64) -> Evidence {
        Evidence { change: Some(change(c)), shape: Some(shape(s)) }
    }

    fn order(target: &ChangeEvidence, all: &[Evidence]) -> Vec<usize> {
        combine(Some(target), all).iter().map(|placed| placed.index).collect()
    }

    #[test]
    fn the_target_says_which_order_goes_first() {
        let all = [both(0.1, 5.0), both(50.0, 0.1), both(20.0, 0.2), both(0.2, 4.0)];
        assert_eq!(order(&change(8.0), &all), [1, 0, 2, 3]);
        assert_eq!(order(&change(1.0), &all), [0, 1, 3, 2]);
        assert_eq!(order(&woke_up(), &all), [1, 0, 2, 3]);
        let lanes: Vec<Lane> = combine(None, &all).iter().map(|placed| placed.lane).collect();
        assert_eq!(lanes, [Lane::Shape, Lane::Change, Lane::Shape, Lane::Change]);
    }

    #[test]
    fn who_is_first_in_both_is_first() {
        let all = [both(1.0, 1.0), both(2.0, 2.0), both(9.0, 9.0)];
        assert_eq!(order(&change(0.0), &all), [2, 1, 0]);
        assert_eq!(combine(None, &all).first().map(|placed| placed.score), Some(1.0));
    }

    #[test]
    fn what_woke_up_comes_after_clear_changes_and_by_its_shape() {
        let woke = |z| Evidence { change: Some(woke_up()), shape: Some(shape(z)) };
        let all = [both(9.0, 0.0), woke(0.1), woke(0.2), both(11.0, 0.0)];
        assert_eq!(order(&change(8.0), &all), [3, 2, 1, 0]);
    }

    #[test]
    fn nothing_known_is_last_and_infinity_is_a_number() {
        let none = Evidence::default();
        let all =
            [none, both(f64::INFINITY, 0.0), both(f64::INFINITY, 1.0), none, both(f64::NAN, -1.0)];
        let placed = combine(Some(&change(f64::INFINITY)), &all);
        let indices: Vec<usize> = placed.iter().map(|placed| placed.index).collect();
        assert_eq!(indices, [2, 1, 0, 3, 4]);
        assert!(placed.iter().skip(2).all(|p| p.score == 0.0 && p.lane == Lane::Neither));
        assert!(combine(None, &[]).is_empty());
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![0.0..50.0, Just(0.0), Just(f64::INFINITY), Just(3.0)]
    }

    fn evidence() -> impl Strategy<Value = Evidence> {
        let changes = proptest::option::of(prop_oneof![number().prop_map(change), Just(woke_up())]);
        let shapes = proptest::option::of(number().prop_map(shape));
        (changes, shapes).prop_map(|(change, shape)| Evidence { change, shape })
    }

    proptest! {
        #[test]
        fn everyone_has_a_place_and_scores_fall(
            target in proptest::option::of(number().prop_map(change)),
            all in proptest::collection::vec(evidence(), 0..40),
        ) {
            let placed = combine(target.as_ref(), &all);
            let mut indices: Vec<usize> = placed.iter().map(|placed| placed.index).collect();
            indices.sort_unstable();
            prop_assert_eq!(indices, (0..all.len()).collect::<Vec<_>>());
            prop_assert!(placed.windows(2).all(|pair| pair[0].score >= pair[1].score));
            prop_assert!(placed.iter().all(|placed| (0.0..=1.0).contains(&placed.score)));
            // No metric comes later than twice its better place.
            let changed: Vec<f64> = all.iter().map(Evidence::changed).collect();
            for (place, metric) in placed.iter().enumerate() {
                let mine = changed[metric.index];
                let before = changed.iter().filter(|&&other| other >= mine).count();
                prop_assert!(mine == 0.0 || place < 2 * before);
            }
        }
    }
}
