//! Expressions that are computed row by row: names are looked up among a run's metrics, units converted.
//!
//! A total in an expression is its growth in the row. How often a value must still be divided by the
//! row's length (`flow`) is kept apart until it matters, so that a ratio of two totals is the ratio of
//! their growths to the last bit, and one that never changes does not seem to.

use super::catalogue::suggestion;
use super::error::PropertyError;
use super::factor::Factor;
use super::lexer::is_plain_name;
use super::measure::{Measure, Mismatch};
use super::parser::{TextKind, parse_alone};
use super::print;
use super::suffix::Suffix;
use super::text_span::TextSpan;
use super::tree::{Argument, Function, Kind as NodeKind, Literal, Node, Operator, RunName};
use crate::formula::Arithmetic;
use crate::per_row::{Reading, RowFormula, RowFunction, RowLeaf, RowTerm};
use fathom_record::trace::{Kind, TraceMetric};
use fathom_record::{Unit, nearest};
use std::fmt;

/// An expression as it was written: its grammar is right.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowExpression {
    text: String,
    node: Node,
    kind: RowExpressionKind,
}

/// What an expression is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowExpressionKind {
    Number,
    Condition,
}

/// An expression over the metrics of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowProgram<T> {
    pub(crate) of: T,
    /// In what a number is.
    pub(crate) unit: Unit,
    /// The metrics that it needs, each once.
    pub(crate) inputs: Vec<String>,
    pub(crate) leaves: Vec<RowLeaf>,
    /// Whether all of its metrics are events.
    pub(crate) is_of_events: bool,
}

impl RowExpression {
    pub(crate) fn parse(
        text: &str,
        kind: RowExpressionKind,
    ) -> Result<RowExpression, PropertyError> {
        let node = parse_alone(text, kind.text_kind())?;
        Ok(RowExpression { text: text.to_string(), node, kind })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The names in it, as written, each once.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        collect_names(&self.node, &mut names);
        names
    }

    /// As a number in each row of a run with these metrics.
    pub(crate) fn number(
        &self,
        metrics: &[TraceMetric],
    ) -> Result<RowProgram<RowTerm>, PropertyError> {
        let mut checker = self.checker(metrics)?;
        let value = checker.number(&self.node)?;
        let value = checker.settled(value);
        let (term, unit) = checker.finished(value);
        checker.refuse_without_metrics(&self.node)?;
        Ok(checker.program(term, unit))
    }

    /// As a condition in each row of a run with these metrics.
    pub(crate) fn condition(
        &self,
        metrics: &[TraceMetric],
    ) -> Result<RowProgram<RowFormula>, PropertyError> {
        let mut checker = self.checker(metrics)?;
        let formula = checker.condition(&self.node)?;
        checker.refuse_without_metrics(&self.node)?;
        Ok(checker.program(formula, Unit::Unknown))
    }

    fn checker<'a>(&'a self, metrics: &'a [TraceMetric]) -> Result<RowChecker<'a>, PropertyError> {
        let mut checker = RowChecker {
            text: &self.text,
            kind: self.kind,
            metrics,
            inputs: Vec::new(),
            leaves: Vec::new(),
            is_of_events: false,
            has_unlabelled: false,
        };
        checker.is_of_events = checker.is_only_of_events(&self.node)?;
        Ok(checker)
    }
}

/// In the canonical way of writing.
impl fmt::Display for RowExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}

impl RowExpressionKind {
    fn text_kind(self) -> TextKind {
        match self {
            RowExpressionKind::Number => TextKind {
                name: "expression",
                plural: "expressions",
                example: "instructions / cycles",
            },
            RowExpressionKind::Condition => {
                TextKind { name: "condition", plural: "conditions", example: "gc.active == 0" }
            }
        }
    }

    fn of_one_row(self) -> &'static str {
        match self {
            RowExpressionKind::Number => "a derived metric is computed row by row",
            RowExpressionKind::Condition => "the condition is judged row by row",
        }
    }
}

fn collect_names<'n>(node: &'n Node, names: &mut Vec<&'n str>) {
    if let NodeKind::Name { name, .. } = &node.kind
        && !names.contains(&name.as_str())
    {
        names.push(name);
    }
    for child in node.children() {
        collect_names(child, names);
    }
}

/// A number of a row.
struct RowValue {
    term: RowTerm,
    /// How often it must still be divided by the row's length.
    flow: i32,
    /// `None` if neither the data nor the text say.
    measure: Option<Measure>,
    place: TextSpan,
}

struct RowChecker<'a> {
    text: &'a str,
    kind: RowExpressionKind,
    metrics: &'a [TraceMetric],
    inputs: Vec<String>,
    leaves: Vec<RowLeaf>,
    is_of_events: bool,
    /// Whether a metric without a unit is part of it.
    has_unlabelled: bool,
}

impl<'a> RowChecker<'a> {
    fn program<T>(self, of: T, unit: Unit) -> RowProgram<T> {
        let RowChecker { inputs, leaves, is_of_events, .. } = self;
        RowProgram { of, unit, inputs, leaves, is_of_events }
    }

    fn error(
        &self,
        place: TextSpan,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> PropertyError {
        PropertyError::new(self.text, place, message, remedy)
    }

    fn refuse_without_metrics(&self, node: &Node) -> Result<(), PropertyError> {
        if !self.inputs.is_empty() {
            return Ok(());
        }
        let remedy = format!("name one, as in `{}`", self.kind.text_kind().example);
        Err(self.error(node.place, "there is no metric in it", remedy))
    }

    fn is_only_of_events(&self, node: &Node) -> Result<bool, PropertyError> {
        let mut is_only = true;
        if let NodeKind::Name { name, run } = &node.kind {
            is_only = self.metric(name, run.as_ref(), node.place)?.kind == Kind::Event;
        }
        for child in node.children() {
            is_only &= self.is_only_of_events(child)?;
        }
        Ok(is_only)
    }

    /// The metric of this name, or the only one that ends in it.
    fn metric(
        &self,
        name: &str,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<&'a TraceMetric, PropertyError> {
        if let Some(run) = run {
            let message = "each run is computed from its own metrics";
            return Err(self.error(run.place, message, format!("remove `@{}`", run.name)));
        }
        if let Some(metric) = self.metrics.iter().find(|metric| metric.name == name) {
            return Ok(metric);
        }
        let ends = |metric: &&TraceMetric| {
            metric.name.strip_suffix(name).is_some_and(|s| s.ends_with('.'))
        };
        let ending: Vec<&TraceMetric> = self.metrics.iter().filter(ends).collect();
        match ending.as_slice() {
            [only] => Ok(only),
            [] => Err(self.unknown(name, place)),
            many => {
                let many: Vec<String> = many.iter().map(|one| print::name(&one.name)).collect();
                let message = format!("several metrics are called `{name}`");
                let remedy = format!("write the whole name: {}", many.join(", "));
                Err(self.error(place, message, remedy).of_unknown_name())
            }
        }
    }

    fn unknown(&self, name: &str, place: TextSpan) -> PropertyError {
        let message = format!("there is no metric `{}`", print::name(name));
        let names: Vec<&str> = self.metrics.iter().map(|metric| metric.name.as_str()).collect();
        // `perf.hardware-1.cycles` is a name and a difference unless it is quoted.
        let covers = |whole: &&&str| {
            let mut places = self.text.match_indices(**whole);
            !is_plain_name(whole)
                && places.any(|(at, it)| at <= place.start && place.end <= at + it.len())
        };
        let around = names.iter().filter(covers).max_by_key(|whole| whole.len());
        let remedy = match around {
            Some(whole) => format!("put the name in quotes: `{}`", print::name(whole)),
            None => {
                // A slip in the end of a name that is written alone.
                let ends: Vec<&str> =
                    names.iter().filter_map(|one| one.rsplit('.').next()).collect();
                let near = nearest(name, &names).is_empty().then(|| nearest(name, &ends));
                let near = near.and_then(|near| near.first().map(|near| print::name(near)));
                match near {
                    Some(near) => {
                        let rest = suggestion(name, &names);
                        let rest =
                            rest.strip_prefix("the").map_or(rest.clone(), |it| format!("The{it}"));
                        format!("did you mean `{near}`? {rest}")
                    }
                    None => suggestion(name, &names),
                }
            }
        };
        self.error(place, message, remedy).of_unknown_name()
    }

    fn leaf(&mut self, metric: &TraceMetric, reading: Reading) -> RowTerm {
        let known = self.inputs.iter().position(|input| *input == metric.name);
        let input = known.unwrap_or_else(|| {
            self.inputs.push(metric.name.clone());
            self.inputs.len() - 1
        });
        let leaf = RowLeaf { input, reading };
        let known = self.leaves.iter().position(|one| *one == leaf);
        RowTerm::Leaf(known.unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        }))
    }

    fn reading(
        &mut self,
        metric: &TraceMetric,
        reading: Reading,
        flow: i32,
        place: TextSpan,
    ) -> RowValue {
        let measure = Measure::of_unit(&metric.unit);
        self.has_unlabelled |= measure.is_none();
        RowValue { term: self.leaf(metric, reading), flow, measure, place }
    }

    fn number(&mut self, node: &Node) -> Result<RowValue, PropertyError> {
        let place = node.place;
        match &node.kind {
            NodeKind::Number(literal) => self.literal(literal, place),
            NodeKind::Name { name, run } => {
                let metric = self.metric(name, run.as_ref(), place)?;
                let (reading, flow) = match metric.kind {
                    Kind::Counter => (Reading::Growth, 1),
                    Kind::Event if !self.is_of_events => (Reading::Growth, 1),
                    Kind::Event | Kind::Gauge => (Reading::Level, 0),
                };
                Ok(self.reading(metric, reading, flow, place))
            }
            NodeKind::Negate(of) => {
                let value = self.number(of)?;
                Ok(RowValue { term: RowTerm::Negate(Box::new(value.term)), place, ..value })
            }
            NodeKind::Binary(Operator::Add, left, right) => {
                self.alike(Arithmetic::Add, left, right, place)
            }
            NodeKind::Binary(Operator::Subtract, left, right) => {
                self.alike(Arithmetic::Subtract, left, right, place)
            }
            NodeKind::Binary(Operator::Multiply, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let measure = match (&left.measure, &right.measure) {
                    (Some(left), Some(right)) => Some(left.times(right)),
                    (known, None) | (None, known) => known.clone(),
                };
                let flow = left.flow + right.flow;
                let term = binary(Arithmetic::Multiply, left.term, right.term);
                Ok(RowValue { term, flow, measure, place })
            }
            NodeKind::Binary(Operator::Divide, left, right) => self.quotient(left, right, place),
            NodeKind::Binary(Operator::Power, base, exponent) => self.power(base, exponent, place),
            NodeKind::Call { function, arguments, interval } => match interval {
                Some(interval) => Err(self.of_several_rows(interval.place)),
                None => self.call(*function, arguments, place),
            },
            NodeKind::Compare(..)
            | NodeKind::Truth(_)
            | NodeKind::Not(_)
            | NodeKind::Binary(..) => {
                let message = format!("`{}` is true or false, not a number", place.of(self.text));
                Err(self.error(place, message, "write a number here"))
            }
            NodeKind::BuiltIn { .. }
            | NodeKind::Edge(..)
            | NodeKind::Temporal { .. }
            | NodeKind::Until { .. }
            | NodeKind::Share { .. }
            | NodeKind::Speedup { .. }
            | NodeKind::Where { .. } => Err(self.of_several_rows(place)),
        }
    }

    /// What needs more than one row.
    fn of_several_rows(&self, place: TextSpan) -> PropertyError {
        let message = format!("`{}`: {}", place.of(self.text), self.kind.of_one_row());
        let remedy = "use + - * / ^, abs, sqrt, log, min, max, and for changes from row to row rate \
                      and delta";
        self.error(place, message, remedy)
    }

    fn literal(&self, literal: &Literal, place: TextSpan) -> Result<RowValue, PropertyError> {
        let number = Factor::ONE.apply(&literal.digits);
        let number = number
            .ok_or_else(|| self.error(place, "the number is too large", "use a larger unit"))?;
        let measure = literal.unit.map(Measure::of_suffix);
        Ok(RowValue { term: RowTerm::Number(number), flow: 0, measure, place })
    }

    fn quotient(
        &mut self,
        left: &Node,
        right: &Node,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        if right.term == RowTerm::Number(0.0) {
            return Err(self.error(right.place, "division by 0", "divide by another number"));
        }
        let measure = match (&left.measure, &right.measure) {
            (Some(over), Some(under)) => Some(over.over(under)),
            (None, Some(under)) => Some(Measure::pure().over(under)),
            (known, None) => known.clone(),
        };
        let flow = left.flow - right.flow;
        let term = binary(Arithmetic::Divide, left.term, right.term);
        Ok(RowValue { term, flow, measure, place })
    }

    fn power(
        &mut self,
        base: &Node,
        exponent: &Node,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let exponent = self.number(exponent)?;
        let Some(number) = constant(&exponent.term).filter(|_| exponent.measure.is_none()) else {
            let message = "the exponent is not a number that is written";
            let remedy = "write an exponent such as 2, 0.5 or (1/3)";
            return Err(self.error(exponent.place, message, remedy));
        };
        let base = self.number(base)?;
        self.raised(base, number, RowFunction::Power(number), place)
    }

    fn raised(
        &mut self,
        base: RowValue,
        exponent: f64,
        function: RowFunction,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let base = self.settled(base);
        let (term, measure) = match base.measure {
            None => (base.term, None),
            Some(measure) => {
                let plain = measure.base();
                let Some(raised) = plain.raised(exponent) else {
                    let message = format!(
                        "`{}` is in {}, and a part of that unit does not exist",
                        base.place.of(self.text),
                        measure.symbol()
                    );
                    return Err(self.error(base.place, message, "divide it by a unit first"));
                };
                (converted(base.term, &measure, &plain), Some(raised))
            }
        };
        Ok(RowValue { term: RowTerm::Function(function, Box::new(term)), flow: 0, measure, place })
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Argument],
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        match (function, arguments) {
            (Function::Rate | Function::Delta, [Argument::Plain(node)]) => {
                self.difference(function, node, place)
            }
            (Function::Magnitude, [Argument::Plain(node)]) => {
                let value = self.number(node)?;
                let term = RowTerm::Function(RowFunction::Magnitude, Box::new(value.term));
                Ok(RowValue { term, place, ..value })
            }
            (Function::SquareRoot, [Argument::Plain(node)]) => {
                let value = self.number(node)?;
                self.raised(value, 0.5, RowFunction::SquareRoot, place)
            }
            (Function::Logarithm, [Argument::Plain(node)]) => {
                let value = self.number(node)?;
                let value = self.settled(value);
                let pure = Measure::pure();
                let term = match value.measure {
                    None => value.term,
                    Some(measure) if measure.is_pure() => converted(value.term, &measure, &pure),
                    Some(measure) => {
                        let text = value.place.of(self.text);
                        let symbol = measure.symbol();
                        let message =
                            format!("`{text}` is in {symbol}, but only a number has a logarithm");
                        let remedy = format!("divide it by a unit: `log({text} / 1{symbol})`");
                        return Err(self.error(value.place, message, remedy));
                    }
                };
                let term = RowTerm::Function(RowFunction::Logarithm, Box::new(term));
                Ok(RowValue { term, flow: 0, measure: None, place })
            }
            (Function::Least | Function::Greatest, [Argument::Plain(first), rest @ ..])
                if !rest.is_empty() =>
            {
                let arithmetic = match function {
                    Function::Least => Arithmetic::Smaller,
                    _ => Arithmetic::Larger,
                };
                let mut value = self.number(first)?;
                for argument in rest {
                    let Argument::Plain(node) = argument else {
                        return Err(self.of_several_rows(argument.place()));
                    };
                    let other = self.number(node)?;
                    value = self.combined(arithmetic, value, other, place)?;
                }
                Ok(value)
            }
            (Function::Rate | Function::Delta | Function::Magnitude, _)
            | (Function::SquareRoot | Function::Logarithm, _) => {
                let name = function.name();
                let message = format!("{name} does not accept these arguments");
                Err(self.error(place, message, format!("write `{name}(x)`")))
            }
            _ => Err(self.of_several_rows(place)),
        }
    }

    /// `rate(x)` and `delta(x)`.
    fn difference(
        &mut self,
        function: Function,
        node: &Node,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let name = function.name();
        let NodeKind::Name { name: metric, run } = &node.kind else {
            let message = format!("{name} is of one metric");
            let remedy = format!("write it for each, as in `{name}(a) + {name}(b)`");
            return Err(self.error(node.place, message, remedy));
        };
        let metric = self.metric(metric, run.as_ref(), node.place)?;
        if self.is_of_events {
            let message = format!("`{}` consists of events, which have no rows", metric.name);
            let remedy = "combine it with a metric that was sampled";
            return Err(self.error(node.place, message, remedy));
        }
        let reading = match metric.kind {
            Kind::Counter | Kind::Event => Reading::Growth,
            Kind::Gauge => Reading::Change,
        };
        let flow = i32::from(function == Function::Rate);
        Ok(self.reading(metric, reading, flow, place))
    }

    fn alike(
        &mut self,
        arithmetic: Arithmetic,
        left: &Node,
        right: &Node,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        self.combined(arithmetic, left, right, place)
    }

    /// Two numbers that must be in one unit.
    fn combined(
        &mut self,
        arithmetic: Arithmetic,
        left: RowValue,
        right: RowValue,
        place: TextSpan,
    ) -> Result<RowValue, PropertyError> {
        let (left, right) = self.unified(left, right)?;
        let measure = left.measure.or(right.measure);
        let term = binary(arithmetic, left.term, right.term);
        Ok(RowValue { term, flow: left.flow, measure, place })
    }

    /// Both in the unit of the first.
    fn unified(
        &mut self,
        left: RowValue,
        right: RowValue,
    ) -> Result<(RowValue, RowValue), PropertyError> {
        let (left, mut right) = match left.flow == right.flow {
            true => (left, right),
            false => (self.settled(left), self.settled(right)),
        };
        let (Some(ours), Some(theirs)) = (&left.measure, &right.measure) else {
            return Ok((left, right));
        };
        let factor = theirs.conversion(ours, None).map_err(|mismatch| {
            let shown = |value: &RowValue, measure: &Measure| {
                let per_second = if value.flow > 0 { " per second" } else { "" };
                let symbol = match measure.symbol() {
                    "" => "a number",
                    symbol => symbol,
                };
                format!("`{}` is in {symbol}{per_second}", value.place.of(self.text))
            };
            let message = format!("{}, but {}", shown(&left, ours), shown(&right, theirs));
            let remedy = match mismatch {
                Mismatch::NeedsClock => "compare cycles with cycles, and times with times",
                Mismatch::Kinds => "only numbers of one kind can be added or compared",
            };
            self.error(right.place, message, remedy)
        })?;
        let (times, over) = factor.scale();
        right.term = scaled(right.term, times, over);
        right.measure.clone_from(&left.measure);
        Ok((left, right))
    }

    /// Divided by the row's length as often as it must be.
    fn settled(&mut self, value: RowValue) -> RowValue {
        if value.flow == 0 {
            return value;
        }
        let second = Suffix::parse("s").map_or_else(Measure::pure, Measure::of_suffix);
        let mut measure = value.measure.unwrap_or_else(Measure::pure);
        for _ in 0..value.flow.unsigned_abs() {
            measure = if value.flow > 0 { measure.over(&second) } else { measure.times(&second) };
        }
        let term = RowTerm::PerSecond(Box::new(value.term), value.flow);
        RowValue { term, flow: 0, measure: Some(measure), place: value.place }
    }

    /// The number and its unit. A ratio of one kind becomes a plain number, and counted things over
    /// counted things have no unit.
    fn finished(&self, value: RowValue) -> (RowTerm, Unit) {
        let Some(measure) = value.measure else { return (value.term, Unit::Unknown) };
        let measure = measure.tidied();
        let is_simple = matches!(value.term, RowTerm::Leaf(_));
        if measure.symbol().is_empty() {
            let term = converted(value.term, &measure, &Measure::pure());
            return (term, Unit::Unknown);
        }
        if !is_simple && measure.is_ratio_of_counts(self.has_unlabelled) {
            return (value.term, Unit::Unknown);
        }
        // What is not a wave has no hertz.
        let symbol = if measure.symbol() == "Hz" && !is_simple { "1/s" } else { measure.symbol() };
        (value.term, Unit::parse(symbol))
    }

    fn condition(&mut self, node: &Node) -> Result<RowFormula, PropertyError> {
        let both = |checker: &mut Self, left: &Node, right: &Node| {
            Ok((Box::new(checker.condition(left)?), Box::new(checker.condition(right)?)))
        };
        match &node.kind {
            NodeKind::Truth(truth) => Ok(RowFormula::Constant(*truth)),
            NodeKind::Not(of) => Ok(RowFormula::Not(Box::new(self.condition(of)?))),
            NodeKind::Binary(Operator::And, left, right) => {
                both(self, left, right).map(|(left, right)| RowFormula::And(left, right))
            }
            NodeKind::Binary(Operator::Or, left, right) => {
                both(self, left, right).map(|(left, right)| RowFormula::Or(left, right))
            }
            NodeKind::Binary(Operator::Implies, left, right) => {
                let (left, right) = both(self, left, right)?;
                Ok(RowFormula::Or(Box::new(RowFormula::Not(left)), right))
            }
            NodeKind::Binary(Operator::Iff, left, right) => {
                both(self, left, right).map(|(left, right)| RowFormula::Iff(left, right))
            }
            NodeKind::Compare(first, rest) => {
                let mut all: Option<RowFormula> = None;
                let mut left = &**first;
                for (relation, right) in rest {
                    let (one, other) = (self.number(left)?, self.number(right)?);
                    let (one, other) = self.unified(one, other)?;
                    // Rows have different lengths, and a limit is one per second.
                    let (one, other) = (self.settled(one), self.settled(other));
                    let here = RowFormula::Compare(one.term, *relation, other.term);
                    all = Some(match all {
                        None => here,
                        Some(before) => RowFormula::And(Box::new(before), Box::new(here)),
                    });
                    left = right;
                }
                Ok(all.unwrap_or(RowFormula::Constant(true)))
            }
            NodeKind::Name { .. } => {
                let value = self.number(node)?;
                Ok(RowFormula::State(value.term))
            }
            NodeKind::Edge(..)
            | NodeKind::Temporal { .. }
            | NodeKind::Until { .. }
            | NodeKind::Where { .. } => Err(self.of_several_rows(node.place)),
            _ => {
                // What is wrong inside comes first.
                self.number(node)?;
                let text = node.place.of(self.text);
                let message = format!("`{text}` is a number, not a condition");
                Err(self.error(node.place, message, format!("compare it, as in `{text} > 0`")))
            }
        }
    }
}

fn binary(arithmetic: Arithmetic, left: RowTerm, right: RowTerm) -> RowTerm {
    RowTerm::Binary(arithmetic, Box::new(left), Box::new(right))
}

fn scaled(term: RowTerm, times: f64, over: f64) -> RowTerm {
    if times == over { term } else { RowTerm::Scale(Box::new(term), times, over) }
}

/// From a unit to another one of its kind.
fn converted(term: RowTerm, from: &Measure, to: &Measure) -> RowTerm {
    match from.conversion(to, None) {
        Ok(factor) => {
            let (times, over) = factor.scale();
            scaled(term, times, over)
        }
        Err(_) => term,
    }
}

/// The number that a term is everywhere, if it is made of written numbers.
fn constant(term: &RowTerm) -> Option<f64> {
    match term {
        RowTerm::Number(number) => Some(*number),
        RowTerm::Negate(of) => Some(-constant(of)?),
        RowTerm::Binary(Arithmetic::Divide, left, right) => {
            Some(constant(left)? / constant(right)?).filter(|number| number.is_finite())
        }
        _ => None,
    }
}
