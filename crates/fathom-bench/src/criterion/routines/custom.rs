//! A closure that measures itself.

use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;
use fathom_record::Span;
use fathom_sys::clock::monotonic;

/// What a closure measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::criterion) enum CustomValue {
    Time(Span),
    /// In the unit of the measurement.
    Other(f64),
}

/// Is told how many calls to make, and says what they took.
pub(in crate::criterion) struct Custom<F>(pub(in crate::criterion) F);

impl<F: FnMut(u64) -> CustomValue> Routine for Custom<F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        if gauge.meter().is_some() {
            // Everything that the closure does: nobody else knows which part of it counts.
            let started = gauge.start();
            (self.0)(calls);
            return started.stop();
        }
        // What it allocates to measure cannot be told from what it measures.
        let began = monotonic();
        match (self.0)(calls) {
            CustomValue::Time(time) => Reading::of_time(time),
            CustomValue::Other(value) => {
                Reading { value: Some(value), ..Reading::of_time(monotonic() - began) }
            }
        }
    }
}
