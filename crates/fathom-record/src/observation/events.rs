//! Events: when something happened, and what is known of each time.

use super::{ObservationError, check_time};
use crate::Unit;
use std::collections::BTreeMap;

/// The occurrences of one kind of event, in the order of their times; several may share a time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Events {
    times: Vec<f64>,
    attributes: BTreeMap<String, Attribute>,
}

/// A number known of every occurrence: its latency, its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// What the numbers count.
    pub unit: Unit,
    /// One for each occurrence; NaN where it is missing.
    pub values: Vec<f64>,
}

impl Events {
    /// Occurrences at these times.
    ///
    /// # Errors
    /// A time is before the one before it, or is none; an attribute has another number of values,
    /// or an infinite one.
    pub fn new(
        times: Vec<f64>,
        attributes: BTreeMap<String, Attribute>,
    ) -> Result<Events, ObservationError> {
        times.iter().try_for_each(|&time| check_time(time))?;
        for pair in times.windows(2) {
            if let &[previous, next] = pair
                && next < previous
            {
                return Err(ObservationError::EventsNotSorted { previous, next });
            }
        }
        for attribute in attributes.values() {
            let values = attribute.values.len();
            if values != times.len() {
                return Err(ObservationError::Lengths { times: times.len(), values });
            }
            if let Some(&value) = attribute.values.iter().find(|value| value.is_infinite()) {
                return Err(ObservationError::NotFinite { value });
            }
        }
        Ok(Events { times, attributes })
    }

    /// When it happened.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// What is known of each time, by name.
    #[must_use]
    pub fn attributes(&self) -> &BTreeMap<String, Attribute> {
        &self.attributes
    }

    /// The same events, the values of an attribute in another unit.
    #[must_use]
    pub fn with_attribute_unit(mut self, name: &str, unit: Unit) -> Events {
        if let Some(attribute) = self.attributes.get_mut(name) {
            attribute.unit = unit;
        }
        self
    }
}
