//! What is read from a batch: its time, or what it asks of the allocator.

use fathom_record::{Span, Timestamp};
use fathom_sys::allocation::{Allocations, Counting};
use fathom_sys::clock::monotonic;

/// What to read. Never both: counting costs time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gauge {
    Time,
    Allocations,
}

/// A batch under way.
pub(crate) struct Started {
    counting: Option<Counting>,
    at: Timestamp,
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    pub(crate) time: Span,
    pub(crate) allocations: Option<Allocations>,
}

impl Reading {
    /// What `calls` calls would have taken, where only some of them were made.
    pub(crate) fn as_if_made(self, made: u64, calls: u64) -> Reading {
        if made == calls || made == 0 {
            return self;
        }
        let scaled = |number: u64| (number as f64 * calls as f64 / made as f64) as u64;
        let allocations = self.allocations.map(|asked| Allocations {
            allocations: scaled(asked.allocations),
            reallocations: scaled(asked.reallocations),
            frees: scaled(asked.frees),
            bytes: scaled(asked.bytes),
            ..asked
        });
        let time = Span::from_nanoseconds(scaled(self.time.nanoseconds()));
        Reading { time, allocations }
    }
}

impl Gauge {
    /// Right before the first call.
    pub(crate) fn start(self) -> Started {
        let counting = (self == Gauge::Allocations).then(Counting::begin);
        Started { counting, at: monotonic() }
    }
}

impl Started {
    /// Right after the last call.
    pub(crate) fn stop(self) -> Reading {
        let time = monotonic() - self.at;
        Reading { time, allocations: self.counting.map(|counting| counting.so_far()) }
    }
}
