//! From a tree to a formula: names are looked up, units converted, types and times checked.

mod aggregate;
mod comparison;
mod condition;
mod event;
mod function;
mod names;
mod number;
mod roles;
mod share;
mod time;

use super::catalogue::{Catalogue, Clock};
use super::error::PropertyError;
use super::parser::Declaration;
use super::resolved::RunRole;
use super::text_span::TextSpan;
use super::tree::Node;
use super::value::{Condition, Moment, Momentary, Value};
use crate::formula::RunIndex;
use fathom_record::Unit;
use std::collections::BTreeMap;

/// What the text of a property means for executions of these systems.
pub(crate) struct Checker<'a> {
    text: &'a str,
    systems: &'a [(String, Catalogue)],
    roles: Vec<RunRole>,
    /// The execution that names without `@` are of.
    default_run: Option<RunIndex>,
    /// The attributes that may be used.
    scope: Option<Scope>,
    /// The comparison that is being checked.
    comparison: Option<TextSpan>,
    /// The number that a share is compared with, as a share of executions.
    share_wanted: Option<String>,
    /// How often what is being checked will stand in the formula.
    copies: usize,
}

/// The attributes of an event, inside its condition.
#[derive(Debug, Clone)]
struct Scope {
    attributes: BTreeMap<String, Unit>,
    event: String,
    /// Whether this part looks at other times, which have no occurrence.
    is_hidden: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(
        text: &'a str,
        declarations: &[Declaration],
        node: &Node,
        systems: &'a [(String, Catalogue)],
    ) -> Result<Checker<'a>, PropertyError> {
        let (roles, default_run) = roles::roles(text, declarations, node, systems)?;
        Ok(Checker {
            text,
            systems,
            roles,
            default_run,
            scope: None,
            comparison: None,
            share_wanted: None,
            copies: 1,
        })
    }

    pub(crate) fn into_roles(self) -> Vec<RunRole> {
        self.roles
    }

    /// What is true or false of an execution as a whole.
    pub(crate) fn property(&mut self, node: &Node) -> Result<Condition, PropertyError> {
        let condition = self.condition(node)?;
        match &condition.nature.momentary {
            Some(momentary) => Err(self.only_momentary(momentary)),
            None => Ok(condition),
        }
    }

    /// What is one number of an execution as a whole.
    pub(crate) fn expression(&mut self, node: &Node) -> Result<Value, PropertyError> {
        let value = self.number(node)?;
        if let Some(momentary) = &value.nature.momentary {
            return Err(self.only_momentary(momentary));
        }
        if !value.is_measured {
            let message = "this is the same number in every execution";
            return Err(self.error(node.place, message, "use a metric, such as runtime"));
        }
        Ok(value)
    }

    fn error(
        &self,
        place: TextSpan,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> PropertyError {
        PropertyError::new(self.text, place, message, remedy)
    }

    /// What stands there, or dots if that is long.
    fn quoted(&self, place: TextSpan) -> &'a str {
        let text = place.of(self.text);
        if text.chars().count() > 60 || text.contains('\n') { "..." } else { text }
    }

    fn catalogue(&self, run: RunIndex) -> Option<&'a Catalogue> {
        let role = self.roles.get(run)?;
        self.systems.get(role.system).map(|(_, catalogue)| catalogue)
    }

    fn clock(&self, run: RunIndex) -> Clock {
        self.catalogue(run).map_or(Clock::Unknown, Catalogue::clock)
    }

    /// Something that is not true or a number of a whole execution.
    fn only_momentary(&self, momentary: &Momentary) -> PropertyError {
        let what = self.quoted(momentary.place);
        let condition = self.quoted(momentary.condition.unwrap_or(momentary.place));
        let (message, remedy) = match momentary.what {
            Moment::Signal => (
                format!("`{what}` varies during an execution"),
                match momentary.condition {
                    Some(_) => format!(
                        "write `always({condition})` or `eventually({condition})`, or use a \
                         summary such as `avg({what})` or `max({what})`"
                    ),
                    None => format!("use a summary, such as `avg({what})` or `max({what})`"),
                },
            ),
            Moment::State => (
                format!("`{what}` varies during an execution"),
                format!(
                    "write `always({what})` or `eventually({what})`, or compare its share of \
                     the time, as in `P({what}) < 20%`"
                ),
            ),
            Moment::Event => (
                format!("`{what}` is an event, true only at single instants"),
                format!("write `eventually({what})`, or count it, as in `count({what}) > 0`"),
            ),
            Moment::Edge => (
                format!("`{what}` is true only at single instants"),
                format!("write `eventually({what})`, or count it, as in `count({what}) > 0`"),
            ),
            Moment::Time => (
                format!("`{what}` varies during an execution"),
                "use it inside `always(...)` or `eventually(...)`. The length of the execution is \
                 `duration`"
                    .to_string(),
            ),
            Moment::LooksBack => (
                format!("`{what}` looks back, but nothing comes before the start"),
                "use it inside `always(...)` or `eventually(...)`, or in `P(... at event)`"
                    .to_string(),
            ),
        };
        self.error(momentary.place, message, remedy)
    }

    /// Refuses what can only be judged at the start where it would be judged at other times.
    fn refuse_curved(&self, curved: Option<TextSpan>) -> Result<(), PropertyError> {
        let Some(place) = curved else { return Ok(()) };
        let message = format!(
            "`{}` is not piecewise linear, because it sums a linear signal over a moving window",
            self.quoted(place)
        );
        Err(self.error(place, message, "use `min` or `max` over the window, or a step signal"))
    }

    /// Checks a part that looks at other times, where there are no attributes.
    fn elsewhere<T>(&mut self, action: impl FnOnce(&mut Self) -> T) -> T {
        let saved = self.scope.clone();
        if let Some(scope) = &mut self.scope {
            scope.is_hidden = true;
        }
        let result = action(self);
        self.scope = saved;
        result
    }
}
