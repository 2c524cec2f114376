//! What many executions have in common in what is said of them, each once in memory.

use fathom_property::Decider;
use fathom_record::Observation;
use std::ops::Range;
use std::sync::Arc;

/// The unit and the text of a part of the property.
type PropertyPart = Arc<(String, String)>;

/// Parts of a property that decided it, and the unit of time.
#[derive(Debug, Default)]
pub(super) struct PropertyParts {
    /// Parts of the property by their place.
    decided_by: Vec<(Range<usize>, PropertyPart)>,
    time_unit: Option<Arc<str>>,
}

impl PropertyParts {
    pub(super) fn decided_by(&mut self, decider: Decider, text: &str) -> PropertyPart {
        let Decider { unit, span, .. } = decider;
        let is_it =
            |(known, part): &&(Range<usize>, PropertyPart)| *known == span && part.0 == unit;
        if let Some((_, part)) = self.decided_by.iter().find(is_it) {
            return Arc::clone(part);
        }
        let part = text.get(span.clone()).unwrap_or_default().trim().to_string();
        let part = Arc::new((unit, part));
        self.decided_by.push((span, Arc::clone(&part)));
        part
    }

    pub(super) fn time_unit(&mut self, seen: &Observation) -> Arc<str> {
        let symbol = seen.time_unit().symbol();
        match &self.time_unit {
            Some(unit) if **unit == *symbol => Arc::clone(unit),
            _ => Arc::clone(self.time_unit.insert(symbol.into())),
        }
    }
}
