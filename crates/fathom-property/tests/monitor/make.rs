//! Small words for formulas and executions.

use fathom_property::{
    Arithmetic, Edge, Formula, Happening, NumberComparison, Occurrence, QualifiedName, Relation,
    Term, Window,
};
use fathom_record::{Attribute, Certainty, Events, Observation, Scalar, Shape, Signal, Unit};
use std::collections::BTreeMap;

pub(crate) const INF: f64 = f64::INFINITY;

pub(crate) fn source(run: usize, name: &str) -> QualifiedName {
    QualifiedName { run, name: name.to_string() }
}

pub(crate) fn number(number: f64) -> Term {
    Term::Number(number)
}

pub(crate) fn metric(name: &str) -> Term {
    Term::Metric(source(0, name))
}

pub(crate) fn compare(left: Term, relation: Relation, right: Term) -> Formula {
    Formula::Compare(NumberComparison { left, relation, right, unit: String::new(), span: 0..1 })
}

/// The same comparison, at another place of the text.
pub(crate) fn at_place(formula: Formula, start: usize, unit: &str) -> Formula {
    let Formula::Compare(comparison) = formula else { panic!("not a comparison") };
    Formula::Compare(NumberComparison {
        unit: unit.to_string(),
        span: start..start + 1,
        ..comparison
    })
}

pub(crate) fn less(left: Term, right: f64) -> Formula {
    compare(left, Relation::Less, number(right))
}

pub(crate) fn greater(left: Term, right: f64) -> Formula {
    compare(left, Relation::Greater, number(right))
}

pub(crate) fn state(name: &str) -> Formula {
    Formula::State(source(0, name))
}

pub(crate) fn event(name: &str) -> Formula {
    Formula::Event(source(0, name))
}

pub(crate) fn not(of: Formula) -> Formula {
    Formula::Not(Box::new(of))
}

pub(crate) fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(Box::new(a), Box::new(b))
}

pub(crate) fn or(a: Formula, b: Formula) -> Formula {
    Formula::Or(Box::new(a), Box::new(b))
}

pub(crate) fn implies(a: Formula, b: Formula) -> Formula {
    Formula::Implies(Box::new(a), Box::new(b))
}

pub(crate) fn always(window: Window, of: Formula) -> Formula {
    Formula::Always(window, Box::new(of))
}

pub(crate) fn eventually(window: Window, of: Formula) -> Formula {
    Formula::Eventually(window, Box::new(of))
}

pub(crate) fn until(left: Formula, window: Window, right: Formula) -> Formula {
    let (left, right) = (Box::new(left), Box::new(right));
    Formula::Until { left, right, window, is_weak: false }
}

pub(crate) fn weak_until(left: Formula, window: Window, right: Formula) -> Formula {
    let (left, right) = (Box::new(left), Box::new(right));
    Formula::Until { left, right, window, is_weak: true }
}

/// Both ends included.
pub(crate) fn closed(from: f64, to: f64) -> Window {
    Window { from, to, includes_from: true, includes_to: to.is_finite() }
}

/// The end left out.
pub(crate) fn half_open(from: f64, to: f64) -> Window {
    Window { from, to, includes_from: true, includes_to: false }
}

/// The beginning left out.
pub(crate) fn after(from: f64, to: f64) -> Window {
    Window { from, to, includes_from: false, includes_to: to.is_finite() }
}

pub(crate) fn occurrence(name: &str) -> Occurrence {
    Occurrence { what: Happening::Event(source(0, name)), condition: None }
}

pub(crate) fn rise(of: Formula) -> Occurrence {
    Occurrence { what: Happening::Edge(Edge::Rise, Box::new(of)), condition: None }
}

pub(crate) fn share(of: Formula) -> Term {
    Term::ShareOfTime(None, Box::new(of))
}

pub(crate) fn share_in(window: Window, of: Formula) -> Term {
    Term::ShareOfTime(Some(window), Box::new(of))
}

pub(crate) fn share_at(of: Formula, at: Occurrence) -> Term {
    Term::ShareOfEvents(Box::new(of), at)
}

pub(crate) fn binary(operator: Arithmetic, a: Term, b: Term) -> Term {
    Term::Binary(operator, Box::new(a), Box::new(b))
}

/// An execution that ended on its own.
pub(crate) fn execution(end: f64) -> Observation {
    let mut seen = Observation::new();
    seen.set_end(end).unwrap();
    seen
}

pub(crate) trait With {
    fn scalar(self, name: &str, value: f64) -> Self;
    fn at_least(self, name: &str, value: f64) -> Self;
    fn steps(self, name: &str, times: &[f64], values: &[f64]) -> Self;
    fn lines(self, name: &str, times: &[f64], values: &[f64]) -> Self;
    fn in_state(self, name: &str, stretches: &[(f64, f64)]) -> Self;
    fn events(self, name: &str, times: &[f64], attributes: &[(&str, &[f64])]) -> Self;
    fn cut(self) -> Self;
}

impl With for Observation {
    fn scalar(mut self, name: &str, value: f64) -> Self {
        self.set_scalar(name, Scalar::new(value, Unit::Unknown)).unwrap();
        self
    }

    fn at_least(mut self, name: &str, value: f64) -> Self {
        let scalar = Scalar { certainty: Certainty::AtLeast, ..Scalar::new(value, Unit::Unknown) };
        self.set_scalar(name, scalar).unwrap();
        self
    }

    fn steps(mut self, name: &str, times: &[f64], values: &[f64]) -> Self {
        let signal =
            Signal::new(Unit::Unknown, Shape::Step, times.to_vec(), values.to_vec()).unwrap();
        self.set_signal(name, signal).unwrap();
        self
    }

    fn lines(mut self, name: &str, times: &[f64], values: &[f64]) -> Self {
        let signal =
            Signal::new(Unit::Unknown, Shape::Linear, times.to_vec(), values.to_vec()).unwrap();
        self.set_signal(name, signal).unwrap();
        self
    }

    fn in_state(self, name: &str, stretches: &[(f64, f64)]) -> Self {
        let (mut times, mut values) = (vec![], vec![]);
        if stretches.first().is_none_or(|stretch| stretch.0 > 0.0) {
            times.push(0.0);
            values.push(0.0);
        }
        for &(from, to) in stretches {
            times.extend([from, to]);
            values.extend([1.0, 0.0]);
        }
        self.steps(name, &times, &values)
    }

    fn events(mut self, name: &str, times: &[f64], attributes: &[(&str, &[f64])]) -> Self {
        let attribute = |values: &[f64]| Attribute { unit: Unit::Unknown, values: values.to_vec() };
        let attributes: BTreeMap<String, Attribute> =
            attributes.iter().map(|(name, values)| (name.to_string(), attribute(values))).collect();
        self.set_events(name, Events::new(times.to_vec(), attributes).unwrap()).unwrap();
        self
    }

    fn cut(mut self) -> Self {
        self.set_cut(true);
        self
    }
}
