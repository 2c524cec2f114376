//! The numbers that signals are compared with directly.

use crate::formula::{Formula, NumberComparison, Occurrence, QualifiedName, RunIndex, Term};

/// The numbers that a formula compares a metric with as it is, in the metric's own unit: 10 for `queue`
/// in `G (queue < 10)`, nothing for it in `max(queue) < 10`.
#[must_use]
pub fn compared_with(formula: &Formula, run: RunIndex, name: &str) -> Vec<f64> {
    let mut found = Vec::new();
    collect(formula, &|source| source.run == run && source.name == name, &mut found);
    found.sort_unstable_by(f64::total_cmp);
    found.dedup();
    found
}

fn collect(formula: &Formula, is_it: &dyn Fn(&QualifiedName) -> bool, found: &mut Vec<f64>) {
    match formula {
        Formula::Compare(NumberComparison { left, right, .. }) => {
            for (metric, number) in [(left, right), (right, left)] {
                if let (Some(factor), Term::Number(number)) = (factor(metric, is_it), number) {
                    found.push(number / factor);
                }
            }
            for term in [left, right] {
                in_term(term, is_it, found);
            }
        }
        Formula::Constant(_) | Formula::State(_) | Formula::Event(_) => {}
        Formula::Edge(_, of)
        | Formula::Not(of)
        | Formula::Always(_, of)
        | Formula::Eventually(_, of) => collect(of, is_it, found),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Iff(a, b)
        | Formula::Until { left: a, right: b, .. } => {
            collect(a, is_it, found);
            collect(b, is_it, found);
        }
    }
}

/// Comparisons inside of a share of time or of events.
fn in_term(term: &Term, is_it: &dyn Fn(&QualifiedName) -> bool, found: &mut Vec<f64>) {
    match term {
        Term::ShareOfTime(_, of) => collect(of, is_it, found),
        Term::ShareOfEvents(of, Occurrence { .. }) => collect(of, is_it, found),
        Term::Negate(of) | Term::Magnitude(of) | Term::Function(_, of) | Term::Scale(of, ..) => {
            in_term(of, is_it, found);
        }
        Term::Binary(_, a, b) => {
            in_term(a, is_it, found);
            in_term(b, is_it, found);
        }
        _ => {}
    }
}

/// By what the metric is multiplied, if the term is the metric in some unit.
fn factor(term: &Term, is_it: &dyn Fn(&QualifiedName) -> bool) -> Option<f64> {
    match term {
        Term::Metric(source) if is_it(source) => Some(1.0),
        Term::Scale(of, by, divided) => Some(factor(of, is_it)? * by / divided),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Property};
    use fathom_record::{Observation, Shape, Signal, TimeUnit, Unit};

    #[test]
    fn lines_are_where_the_property_draws_them() {
        let mut seen = Observation::new();
        let unit = Unit::Time(TimeUnit::Milliseconds);
        let latency = Signal::new(unit, Shape::Step, vec![0.0, 1.0], vec![3.0, 7.0]).unwrap();
        seen.set_signal("latency", latency).unwrap();
        for (text, expected) in [
            ("G (latency < 5 ms)", &[5.0][..]),
            ("G (latency < 0.005 s)", &[5.0]),
            ("P(latency > 4 ms) < 0.5", &[4.0]),
            ("F (latency > 2 ms and 6 ms > latency)", &[2.0, 6.0]),
            ("max(latency) < 9 ms", &[]),
        ] {
            let property = Property::parse(text).unwrap();
            let resolved = property.resolve(&[(String::new(), Catalogue::of(&seen))]).unwrap();
            let found = compared_with(&resolved.formula, 0, "latency");
            assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{text}: {found}");
            }
        }
    }
}
