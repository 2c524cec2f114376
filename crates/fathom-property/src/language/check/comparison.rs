//! Comparisons, and bringing what is compared to one unit.

use super::super::error::PropertyError;
use super::super::measure::Measure;
use super::super::text_span::TextSpan;
use super::super::tree::{Kind, Node};
use super::super::value::{Condition, Quantity, Value};
use super::Checker;
use super::time::described;
use crate::formula::{Formula, NumberComparison, Relation, Term};

/// Whether it is a number without a unit above 1, as for a percentage without its sign.
fn exceeds_one(value: &Value) -> bool {
    value.quantity == Quantity::Bare
        && value.written.is_some()
        && matches!(value.term, Term::Number(number) if number > 1.0)
}

/// How often something may stand in a formula for once in the text.
const MOST_COPIES: usize = 64;

impl Checker<'_> {
    /// A chain of comparisons: each value with the one after it.
    pub(super) fn compare(
        &mut self,
        place: TextSpan,
        first: &Node,
        rest: &[(Relation, Node)],
    ) -> Result<Condition, PropertyError> {
        // The middle of a chain stands in two comparisons.
        let copies = if rest.len() > 1 { self.copies.saturating_mul(2) } else { self.copies };
        if copies > MOST_COPIES {
            let message = "too many comparison chains are nested";
            return Err(self.error(
                place,
                message,
                "write two comparisons with `and` between them",
            ));
        }
        let outer = (self.comparison.replace(place), std::mem::replace(&mut self.copies, copies));
        let values = self.operands(first, rest);
        (self.comparison, self.copies) = outer;
        let (values, quantity) = self.unified(values?)?;
        let unit = match &quantity {
            Quantity::Known(measure) => measure.symbol().to_string(),
            Quantity::Bare | Quantity::Unlabelled(_) => String::new(),
        };
        let nature = values.iter().map(|value| value.nature.clone()).reduce(|a, b| a.and(b));
        let pairs = values.iter().zip(values.iter().skip(1)).zip(rest);
        let links = pairs.map(|((left, right), (relation, _))| {
            Formula::Compare(NumberComparison {
                left: left.term.clone(),
                relation: *relation,
                right: right.term.clone(),
                unit: unit.clone(),
                span: left.place.to(right.place).span(),
            })
        });
        let formula = links.reduce(|a, b| Formula::And(Box::new(a), Box::new(b)));
        match (formula, nature) {
            (Some(formula), Some(nature)) => {
                Ok(Condition { formula, nature: nature.within(place) })
            }
            _ => Err(self.error(place, "a comparison has two sides", "")),
        }
    }

    fn operands(
        &mut self,
        first: &Node,
        rest: &[(Relation, Node)],
    ) -> Result<Vec<Value>, PropertyError> {
        let nodes: Vec<&Node> =
            std::iter::once(first).chain(rest.iter().map(|(_, node)| node)).collect();
        // What a share is compared with, in case it should have been a share of executions.
        let number = nodes.iter().find_map(|node| match &node.kind {
            Kind::Number(number) => Some(match number.unit {
                Some(unit) if unit.symbol == "%" => format!("{}%", number.digits),
                _ => number.digits.clone(),
            }),
            _ => None,
        });
        let mut values = Vec::new();
        for node in &nodes {
            self.share_wanted = match node.kind {
                Kind::Share { .. } => number.clone(),
                _ => None,
            };
            values.push(self.number(node)?);
        }
        let has_share = nodes.iter().any(|node| matches!(node.kind, Kind::Share { .. }));
        match values.iter().find(|value| has_share && exceeds_one(value)) {
            Some(value) => Err(self.beyond_share(value)),
            None => Ok(values),
        }
    }

    /// A share compared with a number that none can be.
    fn beyond_share(&self, value: &Value) -> PropertyError {
        let text = self.quoted(value.place);
        let message = format!("a share is at most 1, so it is always below {text}");
        self.error(value.place, message, format!("for a percentage, write `{text}%`"))
    }

    /// All in the unit of the leftmost that is measured, and what that is.
    pub(super) fn unified(
        &self,
        values: Vec<Value>,
    ) -> Result<(Vec<Value>, Quantity), PropertyError> {
        let is_known = |value: &&Value| matches!(value.quantity, Quantity::Known(_));
        let target = values.iter().find(|value| value.is_measured);
        let target = target.or(values.iter().find(is_known));
        let Some(target) = target.cloned() else { return Ok((values, Quantity::Bare)) };
        let values: Result<Vec<Value>, _> =
            values.into_iter().map(|value| self.brought_to(value, &target)).collect();
        Ok((values?, target.quantity))
    }

    /// A value in the unit of another.
    fn brought_to(&self, value: Value, target: &Value) -> Result<Value, PropertyError> {
        match (&value.quantity, &target.quantity) {
            (
                Quantity::Bare | Quantity::Unlabelled(_),
                Quantity::Bare | Quantity::Unlabelled(_),
            ) => Ok(value),
            (Quantity::Bare, Quantity::Known(unit)) => {
                let is_open = unit.is_plain() || unit.suffix().is_none();
                if is_open || value.is_zero() {
                    Ok(value)
                } else {
                    Err(self.needs_unit(&value, target, unit))
                }
            }
            (Quantity::Unlabelled(name), Quantity::Known(unit)) => match unit.is_plain() {
                true => Ok(value),
                false => Err(self.unlabelled(name, &value, unit, target.place)),
            },
            (Quantity::Known(unit), Quantity::Unlabelled(name)) => match unit.is_pure() {
                true => self.plain(value),
                false => Err(self.unlabelled(name, target, unit, value.place)),
            },
            (Quantity::Known(unit), Quantity::Bare) => Err(self.needs_unit(target, &value, unit)),
            (Quantity::Known(from), Quantity::Known(to)) => {
                let (from, to) = (from.clone(), to.clone());
                let run = value.nature.runs.first().or(target.nature.runs.first());
                let run = run.copied().unwrap_or(0);
                if self.conversion(&from, &to, run, value.place)?.is_ok() {
                    return self.converted_of(value, &from, &to, run);
                }
                let are_shares = (from.is_pure() && to.is_share_of_words())
                    || (to.is_pure() && from.is_share_of_words());
                if are_shares { self.plain(value) } else { Err(self.mismatch(&value, target)) }
            }
        }
    }

    /// A value in another unit of the same kind.
    pub(super) fn converted(
        &self,
        value: Value,
        from: &Measure,
        to: &Measure,
    ) -> Result<Value, PropertyError> {
        let run = value.nature.runs.first().copied().unwrap_or(0);
        self.converted_of(value, from, to, run)
    }

    fn converted_of(
        &self,
        value: Value,
        from: &Measure,
        to: &Measure,
        run: usize,
    ) -> Result<Value, PropertyError> {
        let place = value.place;
        let Ok(factor) = self.conversion(from, to, run, place)? else {
            return Err(self.mismatch(&value, &value));
        };
        let quantity = Quantity::Known(to.clone());
        if factor.is_one() {
            return Ok(Value { quantity, ..value });
        }
        let term = match &value.written {
            Some(written) => {
                let too_large =
                    || self.error(place, "the number is too large", "use a larger unit");
                let number = factor.apply(&written.digits).ok_or_else(too_large)?;
                Term::Number(if written.is_negative { -number } else { number })
            }
            None => {
                let (up, down) = factor.scale();
                Term::Scale(Box::new(value.term), up, down)
            }
        };
        Ok(Value { term, quantity, ..value })
    }

    /// A bare number next to something that has a unit.
    fn needs_unit(&self, bare: &Value, united: &Value, unit: &Measure) -> PropertyError {
        let (bare_text, united_text) = (self.quoted(bare.place), self.quoted(united.place));
        let suffix = unit.suffix().map_or("", |suffix| suffix.symbol);
        let message = format!(
            "`{united_text}` is {}, but `{bare_text}` has no unit",
            described(&united.quantity)
        );
        let remedy = match bare.written {
            Some(_) => format!("write `{bare_text}{suffix}`"),
            None => format!("add units to its numbers, such as `10{suffix}`"),
        };
        self.error(bare.place, message, remedy)
    }

    /// A metric whose unit the data do not give, next to something that has a unit.
    fn unlabelled(
        &self,
        label: &str,
        metric: &Value,
        unit: &Measure,
        other: TextSpan,
    ) -> PropertyError {
        let what = self.quoted(metric.place);
        let message = format!(
            "the data do not give the unit of `{what}`, but `{}` is in {}",
            self.quoted(other),
            unit.symbol()
        );
        let symbol = unit.symbol();
        let needs_quotes =
            label.contains(|c: char| c.is_whitespace() || "\"'`$&|;<>()*?[]#~\\".contains(c));
        let remedy = match needs_quotes {
            true => format!("set it with `--unit '{label}={symbol}'`"),
            false => format!("set it with `--unit {label}={symbol}`"),
        };
        self.error(metric.place, message, remedy)
    }

    /// Two values that measure different things.
    fn mismatch(&self, value: &Value, target: &Value) -> PropertyError {
        let message = format!(
            "`{}` is {}, but `{}` is {}",
            self.quoted(target.place),
            described(&target.quantity),
            self.quoted(value.place),
            described(&value.quantity)
        );
        let suffix = match &target.quantity {
            Quantity::Known(measure) => measure.suffix().map(|suffix| suffix.symbol),
            _ => None,
        };
        let remedy = match (&value.written, suffix) {
            (Some(written), Some("x")) => {
                format!("write a pure number, such as `{}`", written.digits)
            }
            (Some(written), Some(suffix)) => {
                format!("write a number of the same kind, such as `{}{suffix}`", written.digits)
            }
            (Some(written), None) => format!("write it without a unit: `{}`", written.digits),
            (None, _) => {
                "compare values of the same kind. If the data have the wrong unit, correct it there"
                    .to_string()
            }
        };
        self.error(value.place, message, remedy)
    }
}
