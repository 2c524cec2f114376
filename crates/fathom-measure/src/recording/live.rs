//! What a recording shows of itself while it is made.

use super::writer::Trouble;
use fathom_record::Span;
use fathom_record::trace::TraceMetric;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the threads of one run report to the thread that waits for its end.
#[derive(Debug, Default)]
pub(crate) struct Live {
    samples: AtomicU64,
    /// In nanoseconds, since there is no atomic [`Span`].
    cpu: AtomicU64,
    new_metrics: Mutex<Vec<TraceMetric>>,
    /// Why nothing more can be written.
    pub(crate) trouble: Trouble,
}

impl Live {
    /// Rows were made, and processor time was used.
    pub(crate) fn add(&self, samples: u64, cpu: Span) {
        self.samples.fetch_add(samples, Ordering::Relaxed);
        self.cpu.fetch_add(cpu.nanoseconds(), Ordering::Relaxed);
    }

    /// Rows so far.
    pub(crate) fn samples(&self) -> u64 {
        self.samples.load(Ordering::Relaxed)
    }

    /// Processor time so far.
    pub(crate) fn cpu(&self) -> Span {
        Span::from_nanoseconds(self.cpu.load(Ordering::Relaxed))
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
