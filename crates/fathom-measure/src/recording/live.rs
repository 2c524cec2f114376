//! What a recording shows of itself while it is made.

use super::writer::Trouble;
use fathom_record::trace::TraceMetric;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the threads of one run report to the thread that waits for its end.
#[derive(Debug, Default)]
pub(crate) struct Live {
    samples: AtomicU64,
    cpu_ns: AtomicU64,
    new_metrics: Mutex<Vec<TraceMetric>>,
    /// Why nothing more can be written.
    pub(crate) trouble: Trouble,
}

impl Live {
    /// Rows were made, and processor time was used.
    pub(crate) fn add(&self, samples: u64, cpu_ns: u64) {
        self.samples.fetch_add(samples, Ordering::Relaxed);
        self.cpu_ns.fetch_add(cpu_ns, Ordering::Relaxed);
    }

    /// Rows so far.
    pub(crate) fn samples(&self) -> u64 {
        self.samples.load(Ordering::Relaxed)
    }

    /// Processor time so far, in nanoseconds.
    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns.load(Ordering::Relaxed)
    }

    /// There are metrics that were not there before.
    pub(crate) fn show(&self, metrics: &[TraceMetric]) {
        let mut new = self.new_metrics.lock().unwrap_or_else(PoisonError::into_inner);
        new.extend_from_slice(metrics);
    }

    /// The metrics that were shown since this was last asked.
    pub(crate) fn take_metrics(&self) -> Vec<TraceMetric> {
        std::mem::take(&mut *self.new_metrics.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
