//! Ways to make one order of two kinds of evidence, and what they are compared with.

use super::panel::Panel;
use fathom_explain::rank::combined::{Evidence, combine};

/// A rule: scores of all metrics, the larger the earlier.
pub(super) type Rule = fn(&Panel) -> Vec<Option<f64>>;

/// All of them by name; the first is what `fathom explain` does.
pub(super) const RULES: [(&str, Rule); 6] = [
    ("alternating, the target decides the first", chosen),
    ("alternating, the larger is first", in_turns),
    ("two lanes", two_lanes),
    ("sum of logarithms", sum_of_logarithms),
    ("change alone", change_alone),
    ("shape alone", shape_alone),
];

/// What a metric is worth among those that changed if it was constant before, in the rules that were
/// not chosen: as in the one that was.
const WOKE_UP: f64 = 10.0;
/// Strong enough for a lane of its own.
const CHANGED: f64 = 5.0;
const FOLLOWS: f64 = 1.0;

fn chosen(panel: &Panel) -> Vec<Option<f64>> {
    let mut scores = vec![None; panel.evidence.len()];
    for placed in combine(panel.target.as_ref(), &panel.evidence) {
        scores[placed.index] = Some(placed.score);
    }
    scores
}

fn change_alone(panel: &Panel) -> Vec<Option<f64>> {
    panel.evidence.iter().map(|evidence| Some(changed(evidence))).collect()
}

fn shape_alone(panel: &Panel) -> Vec<Option<f64>> {
    panel.evidence.iter().map(|evidence| Some(follows(evidence))).collect()
}

/// The two orders in turns; the one whose first is stronger begins.
fn in_turns(panel: &Panel) -> Vec<Option<f64>> {
    let changed: Vec<f64> = panel.evidence.iter().map(changed).collect();
    let follows: Vec<f64> = panel.evidence.iter().map(follows).collect();
    merged(&changed, &follows, 0.0, 0.0)
}

/// The same of metrics that are strong, changes discounted if the target changed little; then the
/// others by the sum of logarithms.
fn two_lanes(panel: &Panel) -> Vec<Option<f64>> {
    let gate = gate(panel);
    let changed: Vec<f64> = panel.evidence.iter().map(|one| gate * changed(one)).collect();
    let follows: Vec<f64> = panel.evidence.iter().map(follows).collect();
    merged(&changed, &follows, CHANGED, FOLLOWS)
}

/// The logarithm of the stronger and half of that of the weaker.
fn sum_of_logarithms(panel: &Panel) -> Vec<Option<f64>> {
    let gate = gate(panel);
    let sum = |one: &Evidence| logarithms(gate * changed(one), follows(one));
    panel.evidence.iter().map(|one| Some(sum(one))).collect()
}

fn changed(evidence: &Evidence) -> f64 {
    evidence.change.map_or(0.0, |c| if c.constant_before.is_some() { WOKE_UP } else { c.z })
}

fn follows(evidence: &Evidence) -> f64 {
    evidence.shape.map_or(0.0, |shape| shape.z)
}

/// By how much changes count.
fn gate(panel: &Panel) -> f64 {
    let target = panel.target.filter(|target| target.constant_before.is_none());
    target.map_or(1.0, |target| (target.z / 3.0).clamp(0.03, 1.0))
}

fn logarithms(changed: f64, follows: f64) -> f64 {
    let (a, b) = (changed.ln_1p(), follows.ln_1p());
    a.max(b) + 0.5 * a.min(b)
}

/// In turns as far as strengths reach these limits.
fn merged(changed: &[f64], follows: &[f64], least: f64, least_shape: f64) -> Vec<Option<f64>> {
    let (in_change, in_shape) = (places(changed), places(follows));
    let top = |strengths: &[f64]| strengths.iter().copied().fold(0.0, f64::max);
    let change_first = usize::from(top(changed) >= top(follows));
    let turn = |index: usize| {
        let change = 2 * in_change[index] + 1 - change_first;
        let shape = 2 * in_shape[index] + change_first;
        let change = if changed[index] >= least { change } else { usize::MAX };
        change.min(if follows[index] >= least_shape { shape } else { usize::MAX })
    };
    let sum = |index: usize| logarithms(changed[index], follows[index]);
    let mut order: Vec<usize> = (0..changed.len()).collect();
    order.sort_by(|&a, &b| turn(a).cmp(&turn(b)).then(sum(b).total_cmp(&sum(a))));
    let mut scores = vec![None; order.len()];
    for (place, index) in order.into_iter().enumerate() {
        scores[index] = Some(-(place as f64));
    }
    scores
}

fn places(strengths: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]).then(a.cmp(&b)));
    let mut places = vec![0; strengths.len()];
    for (place, index) in order.into_iter().enumerate() {
        places[index] = place;
    }
    places
}
