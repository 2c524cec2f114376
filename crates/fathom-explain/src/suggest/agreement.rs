//! Which excursions of a target are one event: those that the same other metrics take part in.
//!
//! On a busy machine a target dips for many reasons. Dips that look alike are joined only if other
//! metrics say that they are the same, or if none says anything.

use super::company::{Company, Departing};
use super::excursions::Excursion;

/// So many more than elsewhere have to depart, or they say nothing.
const FEWEST: f64 = 3.0;
/// So many times as many as elsewhere.
const TIMES: f64 = 2.0;
/// Two are the same if they share this part of the smaller one's metrics.
const SHARED: f64 = 1.0 / 3.0;

/// Excursions that are one event, in the order of time, and who departs with the clearest of them.
pub(super) type Event = (Vec<Excursion>, Departing);

/// The events in a group of excursions that look alike.
pub(super) fn events(group: Vec<Excursion>, company: &Company) -> Vec<Event> {
    if company.is_empty() {
        return vec![(group, Departing::default())];
    }
    let mut sorted = group;
    sorted
        .sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.range.start.cmp(&b.range.start)));
    let mut events: Vec<Event> = Vec::new();
    let mut alone: Vec<Excursion> = Vec::new();
    for excursion in sorted {
        let departing = company.departing(&excursion.range);
        if !is_support(&departing) {
            alone.push(excursion);
            continue;
        }
        match events.iter_mut().find(|(_, first)| is_the_same(first, &departing)) {
            Some((event, _)) => event.push(excursion),
            None => events.push((vec![excursion], departing)),
        }
    }
    if !alone.is_empty() {
        events.push((alone, Departing::default()));
    }
    for (event, _) in &mut events {
        event.sort_by_key(|one| one.range.start);
    }
    events
}

/// Whether clearly more metrics depart than elsewhere.
pub(super) fn is_support(departing: &Departing) -> bool {
    let count = departing.members.len() as f64;
    departing.excess() >= FEWEST && count >= TIMES * departing.elsewhere
}

fn is_the_same(one: &Departing, other: &Departing) -> bool {
    let fewer = one.members.len().min(other.members.len()) as f64;
    one.shared(other) as f64 >= SHARED * fewer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sequence;
    use std::ops::Range;

    fn excursion(range: Range<usize>, strength: f64) -> Excursion {
        Excursion { range, level: 1.0, reached: 0.0, strength, is_still: false }
    }

    /// Metrics that move a little, and are far out within their stretches.
    fn company(stretches: &[&[Range<usize>]]) -> Company {
        let metric = |(number, rows): (usize, &&[Range<usize>])| {
            let value = |row: usize| {
                let noise = ((row * row * 37 + row * (11 + number)) % 101) as f64 / 101.0;
                noise + if rows.iter().any(|rows| rows.contains(&row)) { 20.0 } else { 0.0 }
            };
            Sequence::from((0..500).map(value).collect::<Vec<f64>>())
        };
        Company::of(stretches.iter().enumerate().map(metric))
    }

    #[test]
    fn what_others_take_part_in_is_joined_and_no_more() {
        let group =
            || vec![excursion(100..110, 3.0), excursion(200..210, 2.0), excursion(300..310, 4.0)];
        let rows = |events: &[Event]| -> Vec<Vec<usize>> {
            events
                .iter()
                .map(|(event, _)| event.iter().map(|one| one.range.start).collect())
                .collect()
        };
        let (first, last) = (&[100..110][..], &[300..310][..]);
        let both = &[100..110, 300..310][..];
        let none: &[Range<usize>] = &[];
        assert_eq!(rows(&events(group(), &Company::default())), [[100, 200, 300]]);
        assert_eq!(rows(&events(group(), &company(&[none; 9]))), [[100, 200, 300]]);
        assert_eq!(rows(&events(group(), &company(&[both; 9]))), [vec![100, 300], vec![200]]);
        let apart = [first, first, first, first, last, last, last, last];
        assert_eq!(rows(&events(group(), &company(&apart))), [[300], [100], [200]]);
        // Two metrics are no support.
        let few = [last, last, none, none, none, none];
        assert_eq!(rows(&events(group(), &company(&few))), [[100, 200, 300]]);
    }
}
