//! Functions: summaries over time and over events.

use super::super::catalogue::{NameMeaning, suggestion};
use super::super::error::PropertyError;
use super::super::measure::Measure;
use super::super::print;
use super::super::text_span::TextSpan;
use super::super::tree::{Argument, Function, Interval, Kind, Node};
use super::super::value::{Quantity, Value};
use super::Checker;
use super::event::Event;
use super::names::quantity;
use super::share::windowed;
use crate::formula::{Aggregate, Arithmetic, EventAttribute, Term, Window};
use fathom_record::Unit;

/// Where a function is called.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) function: Function,
    pub(super) interval: Option<&'a Interval>,
    pub(super) place: TextSpan,
}

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        call: Call<'_>,
        arguments: &[Argument],
    ) -> Result<Value, PropertyError> {
        let (summary, arguments) = match (call.function, arguments) {
            (Function::Rate | Function::Delta, _) => return Err(self.row_by_row(call)),
            (Function::Magnitude, [Argument::Plain(node)]) => {
                let value = self.number(node)?;
                let term = Term::Magnitude(Box::new(value.term));
                return Ok(Value { term, written: None, place: call.place, ..value });
            }
            (Function::Logarithm, [Argument::Plain(node)]) => {
                return self.logarithm(node, call.place);
            }
            (Function::SquareRoot, [Argument::Plain(node)]) => {
                return self.square_root(node, call.place);
            }
            (Function::GeometricMean, many @ [_, _, ..]) => {
                return self.geometric_mean(call, many);
            }
            (Function::GeometricMean, [of]) => (Aggregate::GeometricMean, of),
            (Function::Count, [Argument::Plain(node)]) => return self.count(call, node),
            (Function::Gap, [Argument::Plain(node)]) => return self.gap(call, node),
            (Function::Percentile, [Argument::Plain(rank), of]) => {
                (Aggregate::Percentile(self.percentage(rank)?), of)
            }
            (Function::Mean, [of]) => (Aggregate::Mean, of),
            (Function::Sum, [of]) => (Aggregate::Sum, of),
            (Function::Least, [of]) => (Aggregate::Least, of),
            (Function::Greatest, [of]) => (Aggregate::Greatest, of),
            (Function::Least, many) if call.interval.is_none() => {
                return self.pointwise(call, Arithmetic::Smaller, many);
            }
            (Function::Greatest, many) if call.interval.is_none() => {
                return self.pointwise(call, Arithmetic::Larger, many);
            }
            _ => return Err(self.misused(call)),
        };
        match arguments {
            Argument::Plain(node) => self.over_time(call, summary, node),
            Argument::Of { attribute, place, event } => {
                self.over_events(call, summary, attribute, *place, event)
            }
        }
    }

    pub(super) fn misused(&self, call: Call<'_>) -> PropertyError {
        let name = call.function.name();
        let usage = match call.function {
            Function::Magnitude => "`abs(x)`".to_string(),
            Function::Logarithm => "`log(x)`".to_string(),
            Function::SquareRoot => "`sqrt(x)`".to_string(),
            Function::GeometricMean => {
                "`geomean(x, y)`, `geomean(temp)` or `geomean(latency of request)`".to_string()
            }
            Function::Mean | Function::Sum => {
                format!("`{name}(temp)`, `{name}[0,10](temp)` or `{name}(latency of request)`")
            }
            Function::Least | Function::Greatest => format!(
                "`{name}(temp)`, `{name}[0,10](temp)`, `{name}(latency of request)` or, without a \
                 window, `{name}(x, y)`"
            ),
            Function::Percentile => "`pct(99, temp)` or `pct(99, latency of request)`".to_string(),
            Function::Count => "`count(error)` or `count(rise(busy))`".to_string(),
            Function::Gap => "`gap(error)` or `gap(rise(busy))`".to_string(),
            Function::Rate | Function::Delta => format!("`{name}(requests)`"),
        };
        self.error(
            call.place,
            format!("{name} does not accept these arguments"),
            format!("write {usage}"),
        )
    }

    /// What is computed from a row and the one before it, which an execution does not have.
    fn row_by_row(&self, call: Call<'_>) -> PropertyError {
        let name = call.function.name();
        self.error(
            call.place,
            format!("`{name}` compares the rows of a trace, and a property has none"),
            format!("define a metric with --derive 'NAME={name}(...)', and use NAME here"),
        )
    }

    /// Several numbers, in one unit.
    pub(super) fn several(
        &mut self,
        call: Call<'_>,
        arguments: &[Argument],
    ) -> Result<(Vec<Value>, Quantity), PropertyError> {
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Plain(node) => values.push(self.number(node)?),
                Argument::Of { .. } => {
                    let message = "an attribute has a value only when its event occurs";
                    let name = call.function.name();
                    let remedy =
                        format!("summarize it first: `{name}(max(latency of request), ...)`");
                    return Err(self.error(argument.place(), message, remedy));
                }
            }
        }
        self.unified(values)
    }

    /// The smaller or larger of several.
    fn pointwise(
        &mut self,
        call: Call<'_>,
        arithmetic: Arithmetic,
        arguments: &[Argument],
    ) -> Result<Value, PropertyError> {
        let (values, quantity) = self.several(call, arguments)?;
        let combine = |left: Value, right: Value| Value {
            term: Term::Binary(arithmetic, Box::new(left.term), Box::new(right.term)),
            quantity: left.quantity,
            written: None,
            is_measured: left.is_measured || right.is_measured,
            is_linear: left.is_linear || right.is_linear,
            nature: left.nature.and(right.nature),
            place: call.place,
        };
        let all = values.into_iter().reduce(combine).ok_or_else(|| self.misused(call))?;
        Ok(Value { quantity, place: call.place, ..all })
    }

    /// The 99 of `pct(99, ...)`.
    fn percentage(&self, node: &Node) -> Result<f64, PropertyError> {
        let wrong = |remedy: &str| {
            let message = format!("`{}` is not a percentage", self.quoted(node.place));
            Err(self.error(node.place, message, remedy))
        };
        let remedy = "write a number from 0 to 100, such as 99 in `pct(99, temp)`";
        let Kind::Number(number) = &node.kind else { return wrong(remedy) };
        let Ok(value) = number.digits.parse::<f64>() else { return wrong(remedy) };
        let is_percent = match number.unit {
            Some(unit) if unit.symbol == "%" => true,
            Some(_) => return wrong(remedy),
            None => false,
        };
        if !(0.0..=100.0).contains(&value) {
            return wrong(remedy);
        }
        if value > 0.0 && value < 1.0 && !is_percent {
            let hundredfold = format!("{}%", value * 100.0);
            return wrong(&format!(
                "percentages go up to 100: write `{hundredfold}` or `{}%`",
                number.digits
            ));
        }
        Ok(value)
    }

    fn count(&mut self, call: Call<'_>, node: &Node) -> Result<Value, PropertyError> {
        let (event, window) = self.windowed_event(call, node)?;
        let nature = windowed(event.nature, window, call.place);
        let term = Term::Count(window, event.occurrence);
        let quantity = quantity(&Unit::Other("Count".to_string()), "");
        Ok(Value::measured(term, quantity, nature, call.place))
    }

    fn gap(&mut self, call: Call<'_>, node: &Node) -> Result<Value, PropertyError> {
        let (event, _) = self.windowed_event(call, node)?;
        let (quantity, _) = self.time_of(&event.nature.runs, call.place)?;
        let nature = event.nature.throughout();
        Ok(Value::measured(Term::Gap(event.occurrence), quantity, nature, call.place))
    }

    fn windowed_event(
        &mut self,
        call: Call<'_>,
        node: &Node,
    ) -> Result<(Event, Option<Window>), PropertyError> {
        let event = self.elsewhere(|this| this.occurrence(node))?;
        self.time_of(&event.nature.runs, call.place)?;
        let runs = &event.nature.runs;
        let window = call.interval.map(|interval| self.window(interval, runs)).transpose()?;
        Ok((event, window))
    }

    fn over_events(
        &mut self,
        call: Call<'_>,
        summary: Aggregate,
        attribute: &str,
        place: TextSpan,
        event: &Node,
    ) -> Result<Value, PropertyError> {
        let (event, window) = self.windowed_event(call, event)?;
        let Some(unit) = event.attributes.get(attribute) else {
            let names: Vec<&str> = event.attributes.keys().map(String::as_str).collect();
            let name = print::name(&event.name);
            let message = format!("`{name}` has no attribute `{}`", print::name(attribute));
            let remedy = match names.as_slice() {
                [] => {
                    format!(
                        "`{name}` has no attributes. Count it, or use the gap between its \
                         occurrences"
                    )
                }
                names => {
                    suggestion(attribute, names).replace("he data contain", "he attributes are")
                }
            };
            return Err(self.error(place, message, remedy));
        };
        let quantity = quantity(unit, &format!("{}.{attribute}", event.name));
        let nature = windowed(event.nature, window, call.place);
        let attributed = EventAttribute { attribute: attribute.to_string(), of: event.occurrence };
        let term = Term::OverEvents(summary, window, attributed);
        Ok(Value::measured(term, quantity, nature, call.place))
    }

    fn over_time(
        &mut self,
        call: Call<'_>,
        summary: Aggregate,
        node: &Node,
    ) -> Result<Value, PropertyError> {
        let name = call.function.name();
        if self.is_event(node) {
            return Err(self.event_summed_up(name, node));
        }
        let value = self.elsewhere(|this| this.number(node))?;
        if !value.nature.varies {
            let text = self.quoted(node.place);
            let message = format!(
                "`{text}` is a single number per execution, so there is nothing to summarize"
            );
            return Err(self.error(node.place, message, format!("write `{text}` without {name}")));
        }
        self.refuse_curved(value.nature.curved)?;
        if summary == Aggregate::GeometricMean {
            self.refuse_slope(&value, name)?;
        }
        let (time, _) = self.time_of(&value.nature.runs, call.place)?;
        let runs = &value.nature.runs;
        let window = call.interval.map(|interval| self.window(interval, runs)).transpose()?;
        if let (Some(interval), Some(window)) = (call.interval, window)
            && matches!(summary, Aggregate::Mean | Aggregate::Percentile(_))
        {
            self.refuse_unbounded(name, window, interval.place)?;
        }
        let adds_up = matches!(summary, Aggregate::Mean | Aggregate::Sum);
        let is_curved = window.is_some()
            && value.is_linear
            && (adds_up || matches!(summary, Aggregate::Percentile(_)));
        let mut nature = windowed(value.nature, window, call.place);
        if is_curved {
            nature.curved = Some(call.place);
        }
        let quantity = match (summary, value.quantity, time) {
            (Aggregate::Sum, Quantity::Known(measure), Quantity::Known(time)) => {
                Quantity::Known(measure.times(&time))
            }
            (Aggregate::Sum, Quantity::Known(_), time) => time,
            (_, quantity, _) => quantity,
        };
        // A window that moves adds up steps steadily, and slides along lines.
        let is_linear = window.is_some() && (adds_up || value.is_linear);
        let term = Term::OverTime(summary, window, Box::new(value.term));
        let value = Value::measured(term, quantity, nature, call.place);
        self.plain(Value { is_linear, ..value })
    }

    /// Whether it is, by its form or by the data, an event.
    pub(super) fn is_event(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Where { .. } | Kind::Edge(..) => true,
            Kind::Name { name, run } => {
                let known = self.lookup(name, run.as_ref(), node.place);
                self.scope.is_none() && matches!(known, Ok((_, NameMeaning::Event { .. })))
            }
            _ => false,
        }
    }

    fn event_summed_up(&mut self, function: &str, node: &Node) -> PropertyError {
        let event = match self.elsewhere(|this| this.occurrence(node)) {
            Ok(event) => event,
            Err(error) => return error,
        };
        let text = self.quoted(node.place);
        let message = format!("`{text}` is an event, but {function} needs numbers");
        let remedy = match event.attributes.keys().next() {
            Some(attribute) => {
                let attribute = print::name(attribute);
                format!("choose one of its attributes, as in `{function}({attribute} of {text})`")
            }
            None => format!("it has no attributes. Count it: `count({text})`"),
        };
        self.error(node.place, message, remedy)
    }

    /// A percentage as the share it is.
    pub(super) fn plain(&self, value: Value) -> Result<Value, PropertyError> {
        match &value.quantity {
            Quantity::Known(measure) if measure.is_pure() && !measure.is_plain() => {
                let measure = measure.clone();
                self.converted(value, &measure, &Measure::pure())
            }
            _ => Ok(value),
        }
    }
}
