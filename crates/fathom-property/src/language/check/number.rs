//! What has a value.

use super::super::catalogue::Catalogue;
use super::super::error::PropertyError;
use super::super::factor::Factor;
use super::super::measure::Measure;
use super::super::print;
use super::super::text_span::TextSpan;
use super::super::tree::{Kind, Literal, Node, Operator, RunName};
use super::super::value::{Nature, Quantity, Value, WrittenNumber};
use super::Checker;
use super::aggregate::Call;
use crate::formula::{Arithmetic, Term};

impl Checker<'_> {
    pub(super) fn number(&mut self, node: &Node) -> Result<Value, PropertyError> {
        let place = node.place;
        match &node.kind {
            Kind::Number(number) => self.literal(number, place),
            Kind::Name { name, run } => self.named_number(name, run.as_ref(), place),
            Kind::BuiltIn { built_in, run } => self.built_in(*built_in, run.as_ref(), place),
            Kind::Negate(inner) => {
                let value = self.number(inner)?;
                Ok(negated(value, place))
            }
            Kind::Binary(Operator::Add, left, right) => {
                self.sum(Arithmetic::Add, left, right, place)
            }
            Kind::Binary(Operator::Subtract, left, right) => {
                self.sum(Arithmetic::Subtract, left, right, place)
            }
            Kind::Binary(Operator::Multiply, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.product(left, right, place)
            }
            Kind::Binary(Operator::Divide, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.quotient(left, right, place)
            }
            Kind::Binary(Operator::Power, left, right) => self.power(left, right, place),
            Kind::Share { interval, body, at } => {
                self.share(interval.as_ref(), body, at.as_deref(), place)
            }
            Kind::Call { function, interval, arguments } => {
                let call = Call { function: *function, interval: interval.as_ref(), place };
                self.call(call, arguments)
            }
            Kind::Speedup { base, new, metric } => {
                self.speedup(base, new, metric.as_deref(), place)
            }
            Kind::Truth(_)
            | Kind::Edge(..)
            | Kind::Not(_)
            | Kind::Binary(..)
            | Kind::Compare(..)
            | Kind::Temporal { .. }
            | Kind::Until { .. }
            | Kind::Where { .. } => Err(self.condition_as_number(node)),
        }
    }

    fn condition_as_number(&mut self, node: &Node) -> PropertyError {
        // What is wrong inside comes first.
        if let Err(error) = self.condition(node) {
            return error;
        }
        let text = self.quoted(node.place);
        let remedy = match node.kind {
            Kind::Truth(_) => "use the condition itself, or `not` before it".to_string(),
            Kind::Edge(..) | Kind::Where { .. } => format!("count it: `count({text})`"),
            _ => "to say that two conditions agree, use `<->`. For the share of time, use `P(...)`"
                .to_string(),
        };
        self.error(node.place, format!("`{text}` is true or false, not a number"), remedy)
    }

    fn literal(&self, number: &Literal, place: TextSpan) -> Result<Value, PropertyError> {
        let too_large = || self.error(place, "the number is too large", "use a larger unit");
        let term = Term::Number(Factor::ONE.apply(&number.digits).ok_or_else(too_large)?);
        let quantity =
            number.unit.map_or(Quantity::Bare, |unit| Quantity::Known(Measure::of_suffix(unit)));
        let written = Some(WrittenNumber { digits: number.digits.clone(), is_negative: false });
        let nature = Nature::default();
        Ok(Value { term, quantity, written, is_measured: false, is_linear: false, nature, place })
    }

    fn sum(
        &mut self,
        arithmetic: Arithmetic,
        left: &Node,
        right: &Node,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let values = vec![self.number(left)?, self.number(right)?];
        let (values, quantity) = self.unified(values)?;
        let both: Result<[Value; 2], _> = values.try_into();
        let Ok([left, right]) = both else {
            return Err(self.error(place, "a sum has two sides", ""));
        };
        Ok(Value {
            is_linear: left.is_linear || right.is_linear,
            ..combined(arithmetic, left, right, quantity, place)
        })
    }

    fn product(&self, left: Value, right: Value, place: TextSpan) -> Result<Value, PropertyError> {
        if left.is_linear && right.is_linear {
            let message =
                "both factors are linear signals, so their product is not piecewise linear";
            let remedy = "use a summary of one of them, such as `avg(...)`, or a step signal";
            return Err(self.error(place, message, remedy));
        }
        let (left, right) = (self.plain(left)?, self.plain(right)?);
        let quantity = match (&left.quantity, &right.quantity) {
            (Quantity::Bare, other) | (other, Quantity::Bare) => other.clone(),
            (Quantity::Unlabelled(name), _) | (_, Quantity::Unlabelled(name)) => {
                Quantity::Unlabelled(name.clone())
            }
            (Quantity::Known(left), Quantity::Known(right)) => Quantity::Known(left.times(right)),
        };
        let is_linear = left.is_linear || right.is_linear;
        let value = combined(Arithmetic::Multiply, left, right, quantity, place);
        self.plain(Value { is_linear, ..value })
    }

    fn quotient(&self, left: Value, right: Value, place: TextSpan) -> Result<Value, PropertyError> {
        if right.is_linear {
            let message = format!(
                "`{}` is a linear signal, so you cannot divide by it",
                self.quoted(right.place)
            );
            let remedy =
                "use a summary of it, such as `avg(...)`, or multiply the other side by it";
            return Err(self.error(right.place, message, remedy));
        }
        if right.is_zero() {
            return Err(self.error(right.place, "division by 0", "divide by another number"));
        }
        let (left, mut right) = (self.plain(left)?, self.plain(right)?);
        let quantity = match (&left.quantity, &right.quantity) {
            (other, Quantity::Bare) => other.clone(),
            (Quantity::Unlabelled(name), _) | (_, Quantity::Unlabelled(name)) => {
                Quantity::Unlabelled(name.clone())
            }
            (Quantity::Bare, Quantity::Known(right)) => {
                Quantity::Known(Measure::pure().over(right))
            }
            (Quantity::Known(over), Quantity::Known(under)) => {
                let (over, under) = (over.clone(), under.clone());
                // Of the same kind: in the same unit, so that the ratio is a pure number.
                if over.conversion(&under, None).is_ok() {
                    right = self.converted(right, &under, &over)?;
                    Quantity::Known(Measure::pure())
                } else {
                    Quantity::Known(over.over(&under))
                }
            }
        };
        let is_linear = left.is_linear;
        let value = combined(Arithmetic::Divide, left, right, quantity, place);
        self.plain(Value { is_linear, ..value })
    }

    /// How many times as fast the new one is.
    fn speedup(
        &mut self,
        base: &RunName,
        new: &RunName,
        metric: Option<&Node>,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        if base.name == new.name {
            let message = "the execution is compared with itself";
            return Err(self.error(new.place, message, "name two different executions or systems"));
        }
        let is_nested =
            |node: &Node| node.contains(&|node| matches!(node.kind, Kind::Speedup { .. }));
        if let Some(metric) = metric.filter(|metric| is_nested(metric)) {
            let message = "a speed-up is not a metric of a single execution";
            return Err(self.error(metric.place, message, "use a metric, such as runtime"));
        }
        let names = [base.name.clone(), new.name.clone()];
        let (base, new) = (self.run(Some(base), place)?, self.run(Some(new), place)?);
        if metric.is_none() {
            for run in [base, new] {
                let catalogue = self.catalogue(run);
                if catalogue.is_none_or(|catalogue| !catalogue.names().contains_key("runtime")) {
                    let message = "speedup compares `runtime`, which the data do not contain";
                    let simulated = catalogue.and_then(Catalogue::simulated_time);
                    let remedy = match simulated {
                        Some(name) => format!(
                            "name the simulated time, as in `speedup({}, {}, {})`",
                            print::run(&names[0]),
                            print::run(&names[1]),
                            print::name(name)
                        ),
                        None => "name another metric, as in `speedup(base, new, latency)`".into(),
                    };
                    return Err(self.error(place, message, remedy));
                }
            }
        }
        let saved = self.default_run;
        let mut of = |run| {
            self.default_run = Some(run);
            match metric {
                Some(metric) => self.number(metric),
                None => self.named_number("runtime", None, place),
            }
        };
        let both = (of(base), of(new));
        self.default_run = saved;
        let (base, new) = (both.0?, both.1?);
        self.quotient(base, new, place)
    }
}

fn combined(
    arithmetic: Arithmetic,
    left: Value,
    right: Value,
    quantity: Quantity,
    place: TextSpan,
) -> Value {
    Value {
        term: Term::Binary(arithmetic, Box::new(left.term), Box::new(right.term)),
        quantity,
        written: None,
        is_measured: left.is_measured || right.is_measured,
        is_linear: false,
        nature: left.nature.and(right.nature),
        place,
    }
}

/// The negative; of a number that was written, the number.
fn negated(value: Value, place: TextSpan) -> Value {
    match (value.term, value.written) {
        (Term::Number(number), Some(written)) => Value {
            term: Term::Number(-number),
            written: Some(WrittenNumber { is_negative: !written.is_negative, ..written }),
            place,
            ..value
        },
        (term, _) => Value { term: Term::Negate(Box::new(term)), written: None, place, ..value },
    }
}
