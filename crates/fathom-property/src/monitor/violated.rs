//! When in an execution a property is violated.

use super::evaluating::Monitor;
use super::reach::Reach;
use super::trace::Trace;
use crate::{Formula, Window};
use fathom_record::Observation;

/// A stretch of an execution's time, in its time unit; an instant has both ends alike.
pub type TimeStretch = (f64, f64);

/// When in an execution, or a tuple of them, a property is violated: in `G (p)` the times at which
/// `p` is false, in `not F (p)` those at which it is true. Empty where the property holds, or where
/// what is violated is no matter of a moment, as in `max(x) < 5` or `F (p)`.
///
/// ```
/// use fathom_property::{Catalogue, Property, violated};
/// use fathom_record::{Observation, Shape, Signal, Unit};
/// let mut seen = Observation::new();
/// let times = vec![0.0, 1.0, 2.0, 3.0];
/// seen.set_signal("queue", Signal::new(Unit::Unknown, Shape::Step, times, vec![1.0, 9.0, 8.0, 2.0])?)?;
/// let property = Property::parse("G (queue < 5)")?;
/// let resolved = property.resolve(&[(String::new(), Catalogue::of(&seen))])?;
/// assert_eq!(violated(&resolved.formula, &[&seen]), [(1.0, 3.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn violated(formula: &Formula, runs: &[&Observation]) -> Vec<TimeStretch> {
    let mut found = Vec::new();
    let end = runs.iter().map(|run| Reach::of(run).end).fold(0.0, f64::max);
    collect(&mut Monitor::new(runs), formula, true, end, &mut found);
    merged(found)
}

/// `wanted`: whether the formula should be true at the beginning.
fn collect(
    monitor: &mut Monitor<'_>,
    formula: &Formula,
    wanted: bool,
    end: f64,
    found: &mut Vec<TimeStretch>,
) {
    // What is not known may be as it should.
    let is_otherwise = |monitor: &mut Monitor<'_>, formula: &Formula| {
        let [worst, .., best] = monitor.formula(formula).ways;
        if wanted { !best.first().holds() } else { worst.first().holds() }
    };
    match (formula, wanted) {
        (Formula::Not(of), _) => collect(monitor, of, !wanted, end, found),
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
            for part in [a, b] {
                if is_otherwise(monitor, part) {
                    collect(monitor, part, wanted, end, found);
                }
            }
        }
        (Formula::Implies(_, b), true) if is_otherwise(monitor, formula) => {
            collect(monitor, b, true, end, found);
        }
        (Formula::Always(window, of), true) | (Formula::Eventually(window, of), false) => {
            let [worst, .., best] = monitor.formula(of).ways;
            let trace = if wanted { best } else { worst };
            found.extend(stretches(&trace, !wanted, end).filter_map(|one| within(one, window)));
        }
        _ => {}
    }
}

/// Where a trace has this truth.
fn stretches(trace: &Trace, truth: bool, end: f64) -> impl Iterator<Item = TimeStretch> {
    let mut found = Vec::new();
    if let Some(grade) = trace.everywhere() {
        if grade.holds() == truth {
            found.push((0.0, end));
        }
        return found.into_iter();
    }
    for (place, &time) in trace.times.iter().enumerate() {
        if trace.at.get(place).is_some_and(|grade| grade.holds() == truth) {
            found.push((time, time));
        }
        // Lines do not cross 0, so that a stretch has one truth.
        let next = trace.times.get(place + 1).copied();
        if let (Some(next), Some(after)) = (next, trace.after.get(place))
            && after.holds() == truth
        {
            found.push((time, next));
        }
    }
    found.into_iter()
}

fn within((from, to): TimeStretch, window: &Window) -> Option<TimeStretch> {
    let (from, to) = (from.max(window.from), to.min(window.to));
    (from <= to).then_some((from, to))
}

/// Stretches in order, those that touch joined.
fn merged(mut stretches: Vec<TimeStretch>) -> Vec<TimeStretch> {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut all: Vec<TimeStretch> = Vec::new();
    for (from, to) in stretches {
        match all.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => all.push((from, to)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Property};
    use fathom_record::{Events, Shape, Signal, Unit};
    use std::collections::BTreeMap;

    fn seen(shape: Shape) -> Observation {
        let mut seen = Observation::new();
        let times = (0..6).map(f64::from).collect();
        let values = vec![0.0, 4.0, 8.0, 4.0, 0.0, 8.0];
        seen.set_signal("x", Signal::new(Unit::Unknown, shape, times, values).unwrap()).unwrap();
        let stop = Events::new(vec![2.5], BTreeMap::new()).unwrap();
        seen.set_events("stop", stop).unwrap();
        seen.set_end(6.0).unwrap();
        seen
    }

    fn of(text: &str, shape: Shape) -> Vec<TimeStretch> {
        let seen = seen(shape);
        let property = Property::parse(text).unwrap();
        let resolved = property.resolve(&[(String::new(), Catalogue::of(&seen))]).unwrap();
        violated(&resolved.formula, &[&seen])
    }

    #[test]
    fn steps_are_violated_from_one_time_to_the_next() {
        assert_eq!(of("G (x < 5)", Shape::Step), [(2.0, 3.0), (5.0, 6.0)]);
        assert_eq!(of("not F (x > 5)", Shape::Step), [(2.0, 3.0), (5.0, 6.0)]);
        assert_eq!(of("G[0, 4] (x < 5)", Shape::Step), [(2.0, 3.0)]);
        assert_eq!(of("G (x < 9)", Shape::Step), []);
    }

    #[test]
    fn lines_are_violated_from_where_they_cross() {
        let found = of("G (x <= 6)", Shape::Linear);
        let expected = [(1.5, 2.5), (4.75, 6.0)];
        assert_eq!(found.len(), 2, "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.0 - expected.0).abs() < 1e-9 && (found.1 - expected.1).abs() < 1e-9);
        }
    }

    #[test]
    fn of_several_parts_only_those_that_are_false_count() {
        assert_eq!(of("G (x < 5) and G (x >= 0)", Shape::Step), [(2.0, 3.0), (5.0, 6.0)]);
        assert_eq!(of("max(x) < 100 -> G (x < 5)", Shape::Step), [(2.0, 3.0), (5.0, 6.0)]);
        assert_eq!(of("G (not stop)", Shape::Step), [(2.5, 2.5)]);
    }

    #[test]
    fn what_is_no_matter_of_a_moment_has_none() {
        assert_eq!(of("max(x) < 5", Shape::Step), []);
        assert_eq!(of("F (x > 100)", Shape::Step), []);
    }
}
