//! What runs used, in the JSON contract.

use crate::report::Resource;
use fathom_derive::Serialize;
use fathom_record::Unit;

/// What the runs used of a resource.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ResourceEntry {
    /// The unit.
    unit: Unit,
    /// The median run.
    median: f64,
    /// The smallest run.
    smallest: f64,
    /// The largest run.
    largest: f64,
}

impl ResourceEntry {
    pub(super) fn of(resource: &Resource) -> (String, ResourceEntry) {
        let Resource { metric, median, smallest, largest } = resource;
        let (median, smallest, largest) = (*median, *smallest, *largest);
        (metric.to_string(), ResourceEntry { unit: metric.unit(), median, smallest, largest })
    }
}
