//! What is true or false.

use super::super::error::PropertyError;
use super::super::text_span::TextSpan;
use super::super::tree::{Interval, Kind, Node, Operator};
use super::super::value::{Condition, Moment, Nature};
use super::Checker;
use crate::formula::{Edge, Formula, NumberComparison, Relation, Term, Window};

impl Checker<'_> {
    pub(super) fn condition(&mut self, node: &Node) -> Result<Condition, PropertyError> {
        match &node.kind {
            Kind::Truth(truth) => {
                Ok(Condition { formula: Formula::Constant(*truth), nature: Nature::default() })
            }
            Kind::Name { name, run } => self.named_condition(name, run.as_ref(), node.place),
            Kind::Edge(edge, inner) => self.edge(*edge, inner, node.place),
            Kind::Not(inner) => {
                let Condition { formula, nature } = self.condition(inner)?;
                Ok(Condition { formula: Formula::Not(Box::new(formula)), nature })
            }
            Kind::Binary(
                operator @ (Operator::Iff | Operator::Implies | Operator::Or | Operator::And),
                left,
                right,
            ) => self.connective(*operator, left, right),
            Kind::Compare(first, rest) => self.compare(node.place, first, rest),
            Kind::Temporal { is_always, interval, operand } => {
                self.temporal(*is_always, interval.as_ref(), operand, node.place)
            }
            Kind::Until { left, is_weak, interval, right } => {
                let left = self.elsewhere(|this| this.condition(left))?;
                let right = self.elsewhere(|this| this.condition(right))?;
                let nature = left.nature.and(right.nature);
                let window = self.future(interval.as_ref(), &nature, node.place)?;
                let formula = Formula::Until {
                    left: Box::new(left.formula),
                    right: Box::new(right.formula),
                    window,
                    is_weak: *is_weak,
                };
                Ok(Condition { formula, nature: nature.over_time() })
            }
            Kind::Where { .. } => self.conditional_event(node),
            // What is left is a number.
            Kind::Number(_)
            | Kind::BuiltIn { .. }
            | Kind::Negate(_)
            | Kind::Binary(..)
            | Kind::Share { .. }
            | Kind::Call { .. }
            | Kind::Speedup { .. } => Err(self.number_as_condition(node)),
        }
    }

    fn number_as_condition(&mut self, node: &Node) -> PropertyError {
        // What is wrong inside comes first.
        if let Err(error) = self.number(node) {
            return error;
        }
        let text = self.quoted(node.place);
        let example = match node.kind {
            Kind::Share { .. } => format!("{text} < 20%"),
            Kind::Speedup { .. } => format!("{text} >= 1.1"),
            _ => format!("{text} > 0"),
        };
        let message = format!("`{text}` is a number, not true or false");
        self.error(node.place, message, format!("compare it, as in `{example}`"))
    }

    fn connective(
        &mut self,
        operator: Operator,
        left: &Node,
        right: &Node,
    ) -> Result<Condition, PropertyError> {
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        let nature = left.nature.and(right.nature);
        let (left, right) = (Box::new(left.formula), Box::new(right.formula));
        let formula = match operator {
            Operator::Iff => Formula::Iff(left, right),
            Operator::Implies => Formula::Implies(left, right),
            Operator::Or => Formula::Or(left, right),
            _ => Formula::And(left, right),
        };
        Ok(Condition { formula, nature })
    }

    fn temporal(
        &mut self,
        is_always: bool,
        interval: Option<&Interval>,
        operand: &Node,
        place: TextSpan,
    ) -> Result<Condition, PropertyError> {
        let operand = self.elsewhere(|this| this.condition(operand))?;
        let window = self.future(interval, &operand.nature, place)?;
        let inner = Box::new(operand.formula);
        let formula = if is_always {
            Formula::Always(window, inner)
        } else {
            Formula::Eventually(window, inner)
        };
        Ok(Condition { formula, nature: operand.nature.over_time() })
    }

    /// The window of a temporal operator over something of this nature.
    fn future(
        &self,
        interval: Option<&Interval>,
        nature: &Nature,
        place: TextSpan,
    ) -> Result<Window, PropertyError> {
        self.refuse_curved(nature.curved)?;
        self.time_of(&nature.runs, place)?;
        interval.map_or(Ok(Window::FROM_NOW), |interval| self.window(interval, &nature.runs))
    }

    /// A condition that changes.
    pub(super) fn changing(
        &mut self,
        inner: &Node,
        place: TextSpan,
    ) -> Result<Condition, PropertyError> {
        let inner_place = inner.place;
        let inner = self.elsewhere(|this| this.condition(inner))?;
        if !inner.nature.varies {
            let text = self.quoted(inner_place);
            let message = format!("`{text}` is constant during an execution, so it never changes");
            return Err(self.error(place, message, "use it without `rise` and `fall`"));
        }
        self.refuse_curved(inner.nature.curved)?;
        self.time_of(&inner.nature.runs, place)?;
        Ok(inner)
    }

    fn edge(
        &mut self,
        edge: Edge,
        inner: &Node,
        place: TextSpan,
    ) -> Result<Condition, PropertyError> {
        let inner = self.changing(inner, place)?;
        let formula = Formula::Edge(edge, Box::new(inner.formula));
        let nature = inner.nature.over_time().at_a_moment(Moment::Edge, place);
        Ok(Condition { formula, nature })
    }

    /// `(event where condition)`: true at the instants at which it occurs so.
    fn conditional_event(&mut self, node: &Node) -> Result<Condition, PropertyError> {
        let event = self.occurrence(node)?;
        let now = Window { from: 0.0, to: 0.0, includes_from: true, includes_to: true };
        let formula = Formula::Compare(NumberComparison {
            left: Term::Count(Some(now), event.occurrence),
            relation: Relation::Greater,
            right: Term::Number(0.5),
            unit: String::new(),
            span: node.place.span(),
        });
        let nature = event.nature.over_time().at_a_moment(Moment::Event, node.place);
        Ok(Condition { formula, nature })
    }
}
