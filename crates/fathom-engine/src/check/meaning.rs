//! A question whose names are looked up, and what it says of executions.

use super::property_parts::PropertyParts;
use super::question::ParsedQuestion;
use super::worst_executions::{SeenExecution, WorstExecutions};
use crate::EngineError;
use fathom_property::{
    Catalogue, Demands, JudgedAs, Mentioned, Note, Resolved, ResolvedExpression, Threshold, Truth,
    judge, value,
};
use fathom_record::{Observation, Unit};
use fathom_stats::quantile::spa::Direction;

/// The question with its names looked up.
#[allow(clippy::large_enum_variant, reason = "there is one of them in a question")]
pub(super) enum Meaning {
    Property(Resolved, Demands, Mentioned),
    Value(ResolvedExpression, Mentioned, Direction),
}

/// What a question says of an execution, or a tuple of them.
pub(super) struct Finding {
    pub(super) result: JudgedAs,
    pub(super) notes: Vec<Note>,
    /// Which conditions of the property held.
    pub(super) triggered: Vec<bool>,
}

impl Meaning {
    /// Looks the names up in what the systems' executions have.
    pub(super) fn of(
        asked: &ParsedQuestion,
        systems: &[(String, Catalogue)],
    ) -> Result<Meaning, EngineError> {
        Ok(match asked {
            ParsedQuestion::Verdict { property, .. } => {
                let resolved = property.resolve(systems)?;
                let demands = Demands::of(&resolved.formula);
                let mentioned = Mentioned::in_formula(&resolved.formula);
                Meaning::Property(resolved, demands, mentioned)
            }
            ParsedQuestion::Value { expression, question, .. } => {
                let resolved = expression.resolve(systems)?;
                let mentioned = Mentioned::in_term(&resolved.term);
                Meaning::Value(resolved, mentioned, question.direction)
            }
        })
    }

    /// What the question reads.
    pub(super) fn mentioned(&self) -> &Mentioned {
        match self {
            Meaning::Property(_, _, mentioned) | Meaning::Value(_, mentioned, _) => mentioned,
        }
    }

    /// The only number that a property compares with.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        match self {
            Meaning::Property(resolved, ..) => Threshold::of(&resolved.formula),
            Meaning::Value(..) => None,
        }
    }

    /// What a value is in.
    pub(super) fn unit(&self) -> Unit {
        match self {
            Meaning::Property(..) => Unit::Unknown,
            Meaning::Value(resolved, ..) => Unit::parse(&resolved.unit),
        }
    }

    /// What it says of the executions of a tuple. `text` is the question as it was written.
    pub(super) fn judge(
        &self,
        runs: &[&Observation],
        text: &str,
        parts: &mut PropertyParts,
    ) -> Finding {
        match self {
            Meaning::Property(resolved, demands, _) => {
                let judgement = judge(&resolved.formula, runs);
                let at = judgement.decided_by.as_ref().and_then(|decider| decider.at);
                let at = at.zip(runs.first());
                let at = at.map(|(at, seen)| Box::new((at, parts.time_unit(seen))));
                // True because nothing was demanded is not the same as true.
                let is_vacuous = judgement.truth == Truth::True && demands.are_none(runs);
                let truth = if is_vacuous { Truth::Vacuous } else { judgement.truth };
                let decided_by = judgement.decided_by.map(|it| parts.decided_by(it, text));
                let robustness = judgement.robustness;
                Finding {
                    result: JudgedAs::Property { truth, robustness, decided_by, at },
                    notes: judgement.notes,
                    triggered: demands.triggered(runs),
                }
            }
            Meaning::Value(resolved, ..) => {
                let found = value(&resolved.term, runs);
                let result = JudgedAs::Value(found.bounds);
                Finding { result, notes: found.notes, triggered: Vec::new() }
            }
        }
    }

    /// Shows an execution to those that keep the worst.
    pub(super) fn show(
        &self,
        seen: SeenExecution<'_>,
        result: &JudgedAs,
        worst: &mut WorstExecutions,
    ) {
        match (self, result) {
            (Meaning::Property(resolved, _, mentioned), _) => {
                worst.take_property(seen, &resolved.formula, mentioned, result);
            }
            (Meaning::Value(_, mentioned, direction), JudgedAs::Value(bounds)) => {
                worst.take_value(seen, mentioned, *bounds, *direction);
            }
            (Meaning::Value(..), _) => {}
        }
    }
}
