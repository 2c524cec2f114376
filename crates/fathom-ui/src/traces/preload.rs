//! Reading ahead: the run that is looked at is the one that is asked about.

use super::Traces;
use fathom_explain::align;
use std::sync::{Mutex, PoisonError};

/// The run that was read last, or is being read.
#[derive(Debug, Default)]
pub(super) struct Preloaded {
    run: Mutex<Option<String>>,
}

/// Larger runs would push out of memory what is needed.
const LARGEST: usize = 512 << 20;
/// A value that may be missing, and when its row starts and ends.
const BYTES_PER_ROW: usize = 32;

impl Traces {
    /// Reads all metrics of a run into memory, or of the first one if none is named, as long as
    /// `go_on` says so and no other run is looked at. What cannot be read is told when it is asked
    /// about.
    pub(crate) fn preload(&self, run: Option<&str>, go_on: &dyn Fn() -> bool) {
        let mut entries = self.source().runs().iter();
        let entry = entries.find(|entry| run.is_none_or(|run| entry.id == run));
        let Some(entry) = entry.filter(|entry| self.preloaded.begins(&entry.id)) else { return };
        for metric in &entry.metrics {
            if !go_on() || !self.preloaded.is_wanted(&entry.id) {
                return;
            }
            let read = align::read_with(self.source(), &entry.id, &metric.name, &self.cache);
            let rows = read.map_or(0, |samples| samples.len());
            if rows * entry.metrics.len() > LARGEST / BYTES_PER_ROW {
                return;
            }
        }
    }
}

impl Preloaded {
    /// Whether it is another run than before.
    fn begins(&self, run: &str) -> bool {
        let mut wanted = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = wanted.as_deref() != Some(run);
        *wanted = Some(run.to_string());
        is_new
    }

    fn is_wanted(&self, run: &str) -> bool {
        self.run.lock().unwrap_or_else(PoisonError::into_inner).as_deref() == Some(run)
    }
}
