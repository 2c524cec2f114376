//! Which alignments are made and remembered: questions that need no other are answered at once.

use super::Traces;
use fathom_explain::align::AlignOptions;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Those that are made.
#[derive(Debug, Default)]
pub(super) struct Alignments {
    made: Mutex<HashSet<Alignment>>,
}

/// The run that others are aligned with, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Alignment {
    pub(super) run: String,
    pub(super) common: String,
    pub(super) normalise: bool,
    pub(super) penalty_bits: u64,
}

impl Alignments {
    pub(super) fn is_made(&self, alignment: &Alignment) -> bool {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).contains(alignment)
    }

    pub(super) fn made(&self, alignment: Alignment) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(alignment);
    }
}

impl Traces {
    /// How runs are aligned, as far as that can be told without reading them.
    pub(super) fn alignment(&self, run: &str, target: &str, options: &AlignOptions) -> Alignment {
        let common = options.common.as_deref().or(self.source().common()).unwrap_or(target);
        Alignment {
            run: run.to_string(),
            common: common.to_string(),
            normalise: options.normalise,
            penalty_bits: options.penalty.to_bits(),
        }
    }
}
