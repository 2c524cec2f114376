//! What occurs.

use super::super::catalogue::{NameMeaning, suggestion};
use super::super::error::PropertyError;
use super::super::print;
use super::super::tree::{Kind, Node};
use super::super::value::Nature;
use super::{Checker, Scope};
use crate::formula::{Happening, Occurrence, QualifiedName};
use fathom_record::Unit;
use std::collections::BTreeMap;

/// Occurrences that make sense.
pub(super) struct Event {
    pub(super) occurrence: Occurrence,
    pub(super) nature: Nature,
    pub(super) attributes: BTreeMap<String, Unit>,
    /// As it was written.
    pub(super) name: String,
}

impl Checker<'_> {
    pub(super) fn occurrence(&mut self, node: &Node) -> Result<Event, PropertyError> {
        match &node.kind {
            Kind::Name { name, run } => {
                let (run, named) = self.lookup(name, run.as_ref(), node.place)?;
                let shown = print::name(name);
                let NameMeaning::Event { attributes } = named else {
                    let (what, remedy) = match named {
                        NameMeaning::Signal { .. } => (
                            "a signal",
                            format!(
                                "to detect its changes, write `rise({shown})`, or for a \
                                 comparison `rise({shown} > 0)`"
                            ),
                        ),
                        _ => (
                            "a single number per execution",
                            self.catalogue(run).map_or_else(String::new, |catalogue| {
                                suggestion(name, &catalogue.events())
                            }),
                        ),
                    };
                    let message = format!("`{shown}` is {what}, not an event");
                    return Err(self.error(node.place, message, remedy));
                };
                let what = Happening::Event(QualifiedName { run, name: name.clone() });
                Ok(Event {
                    occurrence: Occurrence { what, condition: None },
                    nature: Nature { varies: true, ..Nature::of(run) },
                    attributes: attributes.clone(),
                    name: name.clone(),
                })
            }
            Kind::Edge(edge, inner) => {
                let inner = self.changing(inner, node.place)?;
                let what = Happening::Edge(*edge, Box::new(inner.formula));
                Ok(Event {
                    occurrence: Occurrence { what, condition: None },
                    nature: inner.nature.over_time(),
                    attributes: BTreeMap::new(),
                    name: self.quoted(node.place).to_string(),
                })
            }
            Kind::Where { event, condition } => self.conditioned(event, condition),
            _ => {
                let text = self.quoted(node.place);
                // A mistake inside it says more than that it is not an event.
                let (message, remedy) = if node.is_number() {
                    self.number(node)?;
                    let message = format!("`{text}` is a number, not an event");
                    (message, format!("to detect a change, write `rise({text} > 0)`"))
                } else {
                    self.condition(node)?;
                    let message = format!("`{text}` is a condition, not an event");
                    (message, format!("to detect when it becomes true, write `rise({text})`"))
                };
                Err(self.error(node.place, message, remedy))
            }
        }
    }

    fn conditioned(&mut self, event: &Node, condition: &Node) -> Result<Event, PropertyError> {
        if matches!(event.kind, Kind::Where { .. }) {
            let message = "an event can have only one condition";
            return Err(self.error(condition.place, message, "put `and` between the two"));
        }
        let event = self.occurrence(event)?;
        let inner = Scope {
            attributes: event.attributes.clone(),
            event: event.name.clone(),
            is_hidden: false,
        };
        let outer = self.scope.replace(inner);
        let checked = self.condition(condition);
        self.scope = outer;
        let checked = checked?;
        self.refuse_curved(checked.nature.curved)?;
        let nature = event.nature.and(checked.nature.over_time());
        self.time_of(&nature.runs, condition.place)?;
        let condition = Some(Box::new(checked.formula));
        let occurrence = Occurrence { what: event.occurrence.what, condition };
        Ok(Event { occurrence, nature, ..event })
    }
}
