//! Names: which execution, and what they are there.

use super::super::catalogue::{Catalogue, NameMeaning, suggestion};
use super::super::error::PropertyError;
use super::super::lexer::is_plain_name;
use super::super::measure::Measure;
use super::super::print;
use super::super::text_span::TextSpan;
use super::super::tree::{BuiltIn, RunName};
use super::super::value::{Condition, Moment, Nature, Quantity, Value};
use super::Checker;
use crate::formula::{Formula, NumberComparison, QualifiedName, Relation, RunIndex, Term};
use fathom_record::{Shape, Unit};

impl<'a> Checker<'a> {
    /// The execution that something is of.
    pub(super) fn run(
        &self,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<RunIndex, PropertyError> {
        match run {
            Some(run) => {
                let known = self.roles.iter().position(|role| role.name == run.name);
                let message = || format!("there is no execution `{}`", run.name);
                known.ok_or_else(|| self.error(run.place, message(), "name it after `runs`"))
            }
            None => self.default_run.ok_or_else(|| {
                let names: Vec<String> =
                    self.roles.iter().map(|role| print::run(&role.name)).collect();
                let what = self.quoted(place);
                let message = format!("`{what}` does not name its execution");
                let first = names.first().map_or("1", String::as_str);
                let all = names.join(", ");
                self.error(
                    place,
                    message,
                    format!("write `{what}@{first}`. The executions are {all}"),
                )
            }),
        }
    }

    /// What a name is in its execution.
    pub(super) fn lookup(
        &self,
        name: &str,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<(RunIndex, &'a NameMeaning), PropertyError> {
        let run = self.run(run, place)?;
        let empty = || self.error(place, "the property has no system", "add a command or data");
        let catalogue = self.catalogue(run).ok_or_else(empty)?;
        match catalogue.names().get(name) {
            Some(named) => Ok((run, named)),
            None => Err(self.unknown(name, catalogue, place).of_unknown_name()),
        }
    }

    fn unknown(&self, name: &str, catalogue: &Catalogue, place: TextSpan) -> PropertyError {
        let shown = print::name(name);
        let message = format!("there is no metric or event `{shown}`");
        if let Some(whole) = self.name_around(catalogue, place) {
            let remedy = format!("put the name in quotes: `{}`", print::name(whole));
            return self.error(place, message, remedy);
        }
        // `latency`, or `R.latency`, as an attribute of R.
        let meant = |event: &str, attribute: &str| {
            matches!(catalogue.names().get(event),
                Some(NameMeaning::Event { attributes }) if attributes.contains_key(attribute))
        };
        let dotted = name.rsplit_once('.').filter(|(event, attribute)| meant(event, attribute));
        let bare = || catalogue.names().keys().find(|event| meant(event, name));
        let found = dotted.or_else(|| bare().map(|event| (event.as_str(), name)));
        if let Some((event, attribute)) = found {
            let (event, attribute) = (print::name(event), print::name(attribute));
            let remedy = format!(
                "`{attribute}` is an attribute of the event `{event}`. Write `max({attribute} of \
                 {event})`"
            );
            return self.error(place, message, remedy);
        }
        if let Some(simulated) = catalogue.simulated_time().filter(|_| name == "runtime") {
            let remedy = format!("the simulated time is `{}`", print::name(simulated));
            return self.error(place, message, remedy);
        }
        let attributes = self.scope.iter().flat_map(|scope| scope.attributes.keys());
        let mut names: Vec<&str> = attributes.map(String::as_str).collect();
        names.extend(catalogue.names().keys().map(String::as_str));
        self.error(place, message, suggestion(name, &names))
    }

    /// A name with unusual characters that stands here without quotes.
    fn name_around<'b>(&self, catalogue: &'b Catalogue, place: TextSpan) -> Option<&'b str> {
        let covers = |name: &&String| {
            !is_plain_name(name)
                && self
                    .text
                    .match_indices(name.as_str())
                    .any(|(at, name)| at <= place.start && place.end <= at + name.len())
        };
        catalogue.names().keys().filter(covers).max_by_key(|name| name.len()).map(String::as_str)
    }

    /// The attribute of this name, if attributes may be used here.
    pub(super) fn attribute(
        &self,
        name: &str,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<Option<Value>, PropertyError> {
        let Some(scope) = self.scope.as_ref().filter(|_| run.is_none()) else { return Ok(None) };
        let Some(unit) = scope.attributes.get(name) else { return Ok(None) };
        if scope.is_hidden {
            let shown = print::name(name);
            let message = format!(
                "`{shown}` belongs to an occurrence of `{}`, but this part looks at other times",
                print::name(&scope.event)
            );
            let remedy = "use it outside the operator or function";
            return Err(self.error(place, message, remedy));
        }
        let label = format!("{}.{name}", scope.event);
        let quantity = quantity(unit, &label);
        let nature = Nature { varies: true, ..Nature::default() };
        let term = Term::Attribute(name.to_string());
        Ok(Some(Value::measured(term, quantity, nature, place)))
    }

    /// A name as a number.
    pub(super) fn named_number(
        &self,
        name: &str,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        if let Some(attribute) = self.attribute(name, run, place)? {
            return Ok(attribute);
        }
        let (run, named) = self.lookup(name, run, place)?;
        let term = Term::Metric(QualifiedName { run, name: name.to_string() });
        match named {
            NameMeaning::Scalar { unit } => {
                Ok(Value::measured(term, quantity(unit, name), Nature::of(run), place))
            }
            NameMeaning::Signal { unit, shape } => {
                let nature = Nature::of(run).at_a_moment(Moment::Signal, place);
                let value = Value::measured(term, quantity(unit, name), nature, place);
                Ok(Value { is_linear: *shape == Shape::Linear, ..value })
            }
            NameMeaning::Event { attributes } => {
                Err(self.event_as_number(attributes.keys().next(), place))
            }
        }
    }

    fn event_as_number(&self, attribute: Option<&String>, place: TextSpan) -> PropertyError {
        let event = place.of(self.text);
        // With the comparison it is in, as it would be right.
        let around = self.comparison.filter(|around| around.end - around.start <= 60);
        let counted = match around {
            Some(around) => {
                let before = TextSpan::new(around.start, place.start).of(self.text);
                let after = TextSpan::new(place.end, around.end).of(self.text);
                format!("{before}count({event}){after}")
            }
            None => format!("count({event})"),
        };
        let mut remedy = format!("write `{counted}` to count it");
        if let Some(attribute) = attribute {
            remedy = format!("{remedy}, or `max({} of {event})`", print::name(attribute));
        }
        self.error(place, format!("`{event}` is an event, not a number"), remedy)
    }

    /// A name as a condition.
    pub(super) fn named_condition(
        &self,
        name: &str,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<Condition, PropertyError> {
        if let Some(attribute) = self.attribute(name, run, place)? {
            self.refuse_unit(&attribute.quantity, place)?;
            let compare = NumberComparison {
                left: attribute.term,
                relation: Relation::Unequal,
                right: Term::Number(0.0),
                unit: String::new(),
                span: place.span(),
            };
            let formula = Formula::Compare(compare);
            return Ok(Condition { formula, nature: attribute.nature });
        }
        let (run, named) = self.lookup(name, run, place)?;
        let source = QualifiedName { run, name: name.to_string() };
        let nature = Nature::of(run);
        Ok(match named {
            NameMeaning::Event { .. } => Condition {
                formula: Formula::Event(source),
                nature: nature.at_a_moment(Moment::Event, place),
            },
            NameMeaning::Scalar { unit } => {
                self.refuse_unit(&quantity(unit, name), place)?;
                Condition { formula: Formula::State(source), nature }
            }
            NameMeaning::Signal { unit, shape } => {
                self.refuse_unit(&quantity(unit, name), place)?;
                if *shape == Shape::Linear {
                    let message = format!(
                        "`{}` is linear between its samples, so it is not a state",
                        self.quoted(place)
                    );
                    let remedy = format!("compare it, as in `{} > 0`", self.quoted(place));
                    return Err(self.error(place, message, remedy));
                }
                let nature = nature.at_a_moment(Moment::State, place);
                Condition { formula: Formula::State(source), nature }
            }
        })
    }

    /// What is true or false has no unit.
    fn refuse_unit(&self, of: &Quantity, place: TextSpan) -> Result<(), PropertyError> {
        match of {
            Quantity::Known(measure) if !measure.is_plain() => {
                let what = self.quoted(place);
                let message =
                    format!("`{what}` is in {}, so it is not true or false", measure.symbol());
                let suffix = measure.suffix().map_or("", |suffix| suffix.symbol);
                Err(self.error(place, message, format!("compare it, as in `{what} > 10{suffix}`")))
            }
            _ => Ok(()),
        }
    }

    /// `time`, `remaining`, `duration`.
    pub(super) fn built_in(
        &self,
        built_in: BuiltIn,
        run: Option<&RunName>,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let name = built_in.name();
        if let Some(attribute) = self.attribute(name, run, place)? {
            return Ok(attribute);
        }
        let run = self.run(run, place)?;
        if self.catalogue(run).is_some_and(|catalogue| catalogue.names().contains_key(name)) {
            let message = format!("`{name}` is built in, and the data also contain a `{name}`");
            let remedy = format!("write `\"{name}\"` in quotes for the one in the data");
            return Err(self.error(place, message, remedy));
        }
        let quantity = self.time_quantity(run);
        let nature = Nature::of(run);
        let at_a_moment = nature.clone().at_a_moment(Moment::Time, place);
        let (term, nature, is_linear) = match built_in {
            BuiltIn::Time => (Term::Time(run), at_a_moment, true),
            BuiltIn::Remaining => (Term::Remaining(run), at_a_moment, true),
            BuiltIn::Duration => (Term::Duration(run), nature, false),
        };
        Ok(Value { is_linear, ..Value::measured(term, quantity, nature, place) })
    }

    /// What the times of an execution are in.
    pub(super) fn time_quantity(&self, run: RunIndex) -> Quantity {
        let unit = self.catalogue(run).map_or(&Unit::Unknown, Catalogue::time_unit);
        quantity(unit, "time")
    }
}

/// What a metric is in; `label` is how a user could say it.
pub(super) fn quantity(unit: &Unit, label: &str) -> Quantity {
    match Measure::of_unit(unit) {
        Some(measure) => Quantity::Known(measure),
        None => Quantity::Unlabelled(label.to_string()),
    }
}
