//! What is asked.

use crate::align::AlignOptions;
use crate::onset::OrderBy;
use crate::{Correlator, Selection};

/// A question to a trace.
#[derive(Debug, Clone)]
pub struct TraceQuestion {
    /// What was selected.
    pub selection: Selection,
    /// How runs are aligned.
    pub alignment: AlignOptions,
    /// What metrics are ranked by.
    pub correlator: Correlator,
    /// The runs in which a shared metric is scored.
    pub score_in: ScoreIn,
    /// In which order metrics are shown.
    pub order: OrderBy,
    /// Only metrics whose name contains one of these; empty: all.
    pub only: Vec<String>,
}

impl TraceQuestion {
    /// Whether a metric of this name takes part.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }
}

/// The runs in which a shared metric is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreIn {
    /// In every one; the middle score counts.
    Every,
    /// In the run that the selection was made in, or else in the one that is aligned best.
    Nearest,
}

impl ScoreIn {
    /// All of them.
    pub const ALL: [ScoreIn; 2] = [ScoreIn::Every, ScoreIn::Nearest];

    /// Its name in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ScoreIn::Every => "every",
            ScoreIn::Nearest => "nearest",
        }
    }
}
