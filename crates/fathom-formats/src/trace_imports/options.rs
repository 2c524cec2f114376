//! What the user says besides the file.

use fathom_record::TimeUnit;
use fathom_record::trace::Kind;

use super::{ImportFormat, pattern};

/// How files are imported.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportOptions {
    /// The kind of file; detected from its content when absent.
    pub format: Option<ImportFormat>,
    /// The unit of a table's times when its header does not say it; seconds when absent. The other
    /// formats have their own unit and refuse this option.
    pub time_unit: Option<TimeUnit>,
    /// Names of metrics that are totals that only grow; `*` matches any text, `?` any letter. They
    /// override what the names suggest.
    pub counters: Vec<String>,
}

impl ImportOptions {
    /// Whether the user says that the metric of this name is a counter.
    #[must_use]
    pub fn is_counter(&self, name: &str) -> bool {
        self.counters.iter().any(|counter| pattern::matches(counter, name))
    }

    /// The kind of a metric if the source does not state it; `otherwise` if the user does not either.
    pub(super) fn kind(&self, name: &str, otherwise: Kind) -> Kind {
        if self.is_counter(name) { Kind::Counter } else { otherwise }
    }
}
