//! A batch whose inputs are made a few at a time.

use super::parts::Parts;
use crate::criterion::batch_size::BatchSize;
use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;

/// Makes a batch of a routine in parts, because a bench says how many inputs it can have at once.
pub(in crate::criterion) struct InParts<R> {
    pub(in crate::criterion) inner: R,
    pub(in crate::criterion) size: BatchSize,
}

impl<R: Routine> Routine for InParts<R> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let mut parts = Parts::new();
        for next in self.size.parts(calls) {
            parts.add(self.inner.batch(next, gauge));
        }
        parts.sum()
    }

    fn most_calls(&self) -> u64 {
        // Limited by what is alive at once, which the parts see to.
        match self.size {
            BatchSize::NumIterations(_) => u64::MAX,
            _ => self.inner.most_calls(),
        }
    }
}
