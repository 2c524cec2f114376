//! What a property reads of executions.

use crate::formula::{
    Formula, Happening, NumberComparison, Occurrence, QualifiedName, Relation, RunIndex, Term,
};
use std::collections::BTreeSet;

/// What a property reads of executions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mentioned {
    /// Scalars, signals and events, each with the execution of the tuple that it is of.
    pub names: BTreeSet<(RunIndex, String)>,
    /// Whether two numbers must be equal or unequal: then the same number in every execution is
    /// what the user expects.
    pub has_equality: bool,
    /// Whether it reads the time: `time`, `remaining` or `duration`.
    pub has_time: bool,
}

impl Mentioned {
    /// What a formula reads.
    #[must_use]
    pub fn in_formula(formula: &Formula) -> Mentioned {
        let mut all = Mentioned::default();
        all.formula(formula);
        all
    }

    /// What a term reads.
    #[must_use]
    pub fn in_term(term: &Term) -> Mentioned {
        let mut all = Mentioned::default();
        all.term(term);
        all
    }

    /// Whether it reads something of this name, of whichever execution.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|(_, known)| known == name)
    }

    fn source(&mut self, source: &QualifiedName) {
        self.names.insert((source.run, source.name.clone()));
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Compare(NumberComparison { left, relation, right, .. }) => {
                self.has_equality |= matches!(relation, Relation::Equal | Relation::Unequal);
                self.term(left);
                self.term(right);
            }
            Formula::State(source) | Formula::Event(source) => self.source(source),
            Formula::Edge(_, of)
            | Formula::Not(of)
            | Formula::Always(_, of)
            | Formula::Eventually(_, of) => self.formula(of),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Until { left: a, right: b, .. } => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Number(_) | Term::Attribute(_) => {}
            Term::Metric(source) => self.source(source),
            Term::Time(_) | Term::Remaining(_) | Term::Duration(_) => self.has_time = true,
            Term::Negate(of)
            | Term::Magnitude(of)
            | Term::Function(_, of)
            | Term::Scale(of, ..) => self.term(of),
            Term::Binary(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::ShareOfTime(_, of) => self.formula(of),
            Term::ShareOfEvents(of, occurrence) => {
                self.formula(of);
                self.occurrence(occurrence);
            }
            Term::Count(_, occurrence) | Term::Gap(occurrence) => self.occurrence(occurrence),
            Term::OverTime(_, _, of) => self.term(of),
            Term::OverEvents(_, _, of) => self.occurrence(&of.of),
        }
    }

    fn occurrence(&mut self, occurrence: &Occurrence) {
        match &occurrence.what {
            Happening::Event(source) => self.source(source),
            Happening::Edge(_, of) => self.formula(of),
        }
        if let Some(condition) = &occurrence.condition {
            self.formula(condition);
        }
    }
}
