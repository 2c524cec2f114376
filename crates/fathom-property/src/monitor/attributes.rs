//! Attributes of the occurrence at hand, inside a condition.

use crate::{EventAttribute, Formula, Happening, NumberComparison, Occurrence, Term};

/// Whether a formula refers to the current occurrence. Conditions inside it refer to others.
pub(super) fn formula_speaks(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) | Formula::State(_) | Formula::Event(_) => false,
        Formula::Compare(comparison) => {
            term_speaks(&comparison.left) || term_speaks(&comparison.right)
        }
        Formula::Edge(_, of)
        | Formula::Not(of)
        | Formula::Always(_, of)
        | Formula::Eventually(_, of) => formula_speaks(of),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Iff(a, b)
        | Formula::Until { left: a, right: b, .. } => formula_speaks(a) || formula_speaks(b),
    }
}

/// Whether a term does.
pub(super) fn term_speaks(term: &Term) -> bool {
    match term {
        Term::Attribute(_) => true,
        Term::Number(_)
        | Term::Metric(_)
        | Term::Time(_)
        | Term::Remaining(_)
        | Term::Duration(_) => false,
        Term::Negate(of)
        | Term::Magnitude(of)
        | Term::Function(_, of)
        | Term::Scale(of, ..)
        | Term::OverTime(_, _, of) => term_speaks(of),
        Term::Binary(_, a, b) => term_speaks(a) || term_speaks(b),
        Term::ShareOfTime(_, of) => formula_speaks(of),
        Term::ShareOfEvents(of, at) => formula_speaks(of) || occurrence_speaks(at),
        Term::Count(_, of) | Term::Gap(of) => occurrence_speaks(of),
        Term::OverEvents(_, _, of) => occurrence_speaks(&of.of),
    }
}

fn occurrence_speaks(occurrence: &Occurrence) -> bool {
    match &occurrence.what {
        Happening::Event(_) => false,
        Happening::Edge(_, of) => formula_speaks(of),
    }
}

/// A formula with attributes of the occurrence at hand put in.
pub(super) fn in_formula(formula: &Formula, number: &dyn Fn(&str) -> f64) -> Formula {
    let of = |of: &Formula| Box::new(in_formula(of, number));
    match formula {
        Formula::Constant(_) | Formula::State(_) | Formula::Event(_) => formula.clone(),
        Formula::Compare(comparison) => Formula::Compare(NumberComparison {
            left: in_term(&comparison.left, number),
            right: in_term(&comparison.right, number),
            ..comparison.clone()
        }),
        Formula::Edge(edge, a) => Formula::Edge(*edge, of(a)),
        Formula::Not(a) => Formula::Not(of(a)),
        Formula::Always(window, a) => Formula::Always(*window, of(a)),
        Formula::Eventually(window, a) => Formula::Eventually(*window, of(a)),
        Formula::And(a, b) => Formula::And(of(a), of(b)),
        Formula::Or(a, b) => Formula::Or(of(a), of(b)),
        Formula::Implies(a, b) => Formula::Implies(of(a), of(b)),
        Formula::Iff(a, b) => Formula::Iff(of(a), of(b)),
        Formula::Until { left, right, window, is_weak } => {
            Formula::Until { left: of(left), right: of(right), window: *window, is_weak: *is_weak }
        }
    }
}

/// A term with them put in.
pub(super) fn in_term(term: &Term, number: &dyn Fn(&str) -> f64) -> Term {
    let of = |of: &Term| Box::new(in_term(of, number));
    let formula = |of: &Formula| Box::new(in_formula(of, number));
    match term {
        Term::Attribute(name) => Term::Number(number(name)),
        Term::Number(_)
        | Term::Metric(_)
        | Term::Time(_)
        | Term::Remaining(_)
        | Term::Duration(_) => term.clone(),
        Term::Negate(a) => Term::Negate(of(a)),
        Term::Magnitude(a) => Term::Magnitude(of(a)),
        Term::Function(function, a) => Term::Function(*function, of(a)),
        Term::Scale(a, times, divided_by) => Term::Scale(of(a), *times, *divided_by),
        Term::OverTime(summary, window, a) => Term::OverTime(*summary, *window, of(a)),
        Term::Binary(operator, a, b) => Term::Binary(*operator, of(a), of(b)),
        Term::ShareOfTime(window, a) => Term::ShareOfTime(*window, formula(a)),
        Term::ShareOfEvents(a, at) => Term::ShareOfEvents(formula(a), in_occurrence(at, number)),
        Term::Count(window, a) => Term::Count(*window, in_occurrence(a, number)),
        Term::Gap(a) => Term::Gap(in_occurrence(a, number)),
        Term::OverEvents(summary, window, a) => {
            let of = in_occurrence(&a.of, number);
            let attribute = a.attribute.clone();
            Term::OverEvents(*summary, *window, EventAttribute { attribute, of })
        }
    }
}

fn in_occurrence(occurrence: &Occurrence, number: &dyn Fn(&str) -> f64) -> Occurrence {
    let what = match &occurrence.what {
        Happening::Edge(edge, of) => Happening::Edge(*edge, Box::new(in_formula(of, number))),
        event @ Happening::Event(_) => event.clone(),
    };
    Occurrence { what, condition: occurrence.condition.clone() }
}
