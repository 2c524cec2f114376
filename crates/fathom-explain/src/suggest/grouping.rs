//! Excursions that are alike are one suggestion.

use super::excursions::Excursion;

/// Lengths of one group differ by at most this factor.
const LENGTHS: f64 = 4.0;
/// Depths of one group differ by at most this factor.
const DEPTHS: f64 = 3.0;

/// The groups, each in the order of time and the strongest excursion's group first.
pub(super) fn alike(excursions: Vec<Excursion>) -> Vec<Vec<Excursion>> {
    let mut sorted = excursions;
    sorted
        .sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.range.start.cmp(&b.range.start)));
    let mut groups: Vec<Vec<Excursion>> = Vec::new();
    for excursion in sorted {
        let home = groups
            .iter_mut()
            .find(|group| group.first().is_some_and(|first| are_alike(first, &excursion)));
        match home {
            Some(group) => group.push(excursion),
            None => groups.push(vec![excursion]),
        }
    }
    groups.into_iter().map(apart).collect()
}

/// In the order of time; one within another, longer one is part of it.
fn apart(mut group: Vec<Excursion>) -> Vec<Excursion> {
    group.sort_by_key(|excursion| excursion.range.start);
    let mut kept: Vec<Excursion> = Vec::with_capacity(group.len());
    for excursion in group {
        match kept.last_mut().filter(|last| last.range.end > excursion.range.start) {
            Some(last) => {
                let range = last.range.start..last.range.end.max(excursion.range.end);
                let is_longer = excursion.range.len() > last.range.len();
                *last = if is_longer { excursion.on(range) } else { last.on(range) };
            }
            None => kept.push(excursion),
        }
    }
    kept
}

fn are_alike(one: &Excursion, two: &Excursion) -> bool {
    let within = |a: f64, b: f64, factor: f64| a <= factor * b && b <= factor * a;
    let length = |excursion: &Excursion| excursion.range.len() as f64;
    one.depth() * two.depth() > 0.0
        && within(length(one), length(two), LENGTHS)
        && within(one.depth().abs(), two.depth().abs(), DEPTHS)
}

/// How many values lie from one excursion of a group to the next, if it is always about the same.
pub(super) fn spacing(group: &[Excursion]) -> Option<f64> {
    let middle = |e: &Excursion| (e.range.start + e.range.end) as f64 / 2.0;
    let gaps: Vec<f64> =
        group.iter().zip(group.iter().skip(1)).map(|(a, b)| middle(b) - middle(a)).collect();
    if gaps.len() < 3 {
        return None;
    }
    let count = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    let spread = (gaps.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / count).sqrt();
    (spread <= 0.2 * mean).then_some(mean)
}
