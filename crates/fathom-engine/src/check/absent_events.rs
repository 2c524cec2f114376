//! Events that some executions of a system have and others do not name: there they did not occur.

use crate::EngineError;
use fathom_property::{Catalogue, NameMeaning};
use fathom_record::{Attribute, Events, Observation, Unit};
use std::collections::BTreeMap;

/// The events that a system has, with the units of their attributes.
#[derive(Debug, Default)]
pub(super) struct KnownEvents(BTreeMap<String, BTreeMap<String, Unit>>);

impl KnownEvents {
    pub(super) fn of(catalogue: &Catalogue) -> KnownEvents {
        let event = |(name, named): (&String, &NameMeaning)| match named {
            NameMeaning::Event { attributes } => Some((name.clone(), attributes.clone())),
            _ => None,
        };
        KnownEvents(catalogue.names().iter().filter_map(event).collect())
    }

    /// Adds those that the execution does not name.
    pub(super) fn add_absent(&self, seen: &mut Observation) -> Result<(), EngineError> {
        for (name, attributes) in &self.0 {
            if !seen.events().contains_key(name) {
                let attributes = attributes.iter().map(|(name, unit)| {
                    (name.clone(), Attribute { unit: unit.clone(), values: Vec::new() })
                });
                let none = Events::new(Vec::new(), attributes.collect())?;
                seen.set_events(name, none)?;
            }
        }
        Ok(())
    }
}
