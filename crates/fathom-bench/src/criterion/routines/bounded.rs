//! Batches that do not grow beyond a moment.

use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;
use fathom_record::Span;
use fathom_sys::clock::monotonic;

/// A batch that takes as long as this, with its set-up, has calls enough.
const LONG: Span = Span::from_milliseconds(20);

/// A routine whose batches take longer than their readings say: because of their set-up, or because
/// they time only a part of what they do. Without a bound, batches would grow until the part that
/// is timed is as long as the clock needs, however long the rest takes.
pub(in crate::criterion) struct Bounded<R> {
    inner: R,
    most: u64,
    /// The calls of the last batch, if it was long. One alone may have waited for other programs.
    long: Option<u64>,
}

impl<R> Bounded<R> {
    pub(in crate::criterion) fn new(inner: R) -> Bounded<R> {
        Bounded { inner, most: u64::MAX, long: None }
    }
}

impl<R: Routine> Routine for Bounded<R> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let made = calls.min(self.most);
        let began = monotonic();
        let reading = self.inner.batch(made, gauge);
        let is_long = monotonic() - began >= LONG;
        if let Some(before) = self.long.filter(|_| is_long) {
            self.most = made.min(before).max(1);
        }
        self.long = is_long.then_some(made);
        reading.as_if_made(made, calls)
    }

    fn most_calls(&self) -> u64 {
        self.inner.most_calls().min(self.most)
    }

    fn shortest_batch(&self) -> Span {
        self.inner.shortest_batch()
    }
}
