//! What is read from a batch: its time, what it asks of the allocator, or what a meter says.

use crate::meter::Meter;
use fathom_record::{Span, Timestamp};
use fathom_sys::allocation::{Allocations, Counting};
use fathom_sys::clock::monotonic;

/// What to read. Never both: counting costs time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gauge {
    Time,
    Allocations,
    Meter(&'static dyn Meter),
}

/// A batch under way.
pub(crate) struct Started {
    counting: Option<Counting>,
    meter: Option<&'static dyn Meter>,
    at: Timestamp,
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    pub(crate) time: Span,
    pub(crate) allocations: Option<Allocations>,
    /// What was measured instead of time.
    pub(crate) value: Option<f64>,
}

impl Reading {
    /// A reading of the clock alone.
    pub(crate) fn of_time(time: Span) -> Reading {
        Reading { time, allocations: None, value: None }
    }

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
        let value = self.value.map(|value| value * calls as f64 / made as f64);
        Reading { time, allocations, value }
    }
}

impl Gauge {
    /// What measures instead of the clock, if something does.
    pub(crate) fn meter(self) -> Option<&'static dyn Meter> {
        match self {
            Gauge::Meter(meter) => Some(meter),
            Gauge::Time | Gauge::Allocations => None,
        }
    }

    /// Right before the first call. Never inlined, so that the machine code of what is timed can be
    /// told from this (`duel/code`).
    #[inline(never)]
    pub(crate) fn start(self) -> Started {
        let counting = matches!(self, Gauge::Allocations).then(Counting::begin);
        let meter = self.meter();
        let at = monotonic();
        // Last, so that it sees as little as possible of this.
        if let Some(meter) = meter {
            meter.start();
        }
        Started { counting, meter, at }
    }
}

impl Started {
    /// Right after the last call.
    #[inline(never)]
    pub(crate) fn stop(self) -> Reading {
        let value = self.meter.map(|meter| meter.end());
        let time = monotonic() - self.at;
        let allocations = self.counting.map(|counting| counting.so_far());
        Reading { time, allocations, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_made_is_added_in_proportion() {
        let allocations = Allocations {
            allocations: 4,
            reallocations: 2,
            frees: 6,
            bytes: 100,
            ..Allocations::default()
        };
        let read = Reading {
            time: Span::from_nanoseconds(10),
            allocations: Some(allocations),
            value: Some(3.0),
        };
        let all = read.as_if_made(2, 5);
        assert_eq!(all.time, Span::from_nanoseconds(25));
        assert_eq!(all.value, Some(7.5));
        let asked = all.allocations.unwrap();
        let counts = [asked.allocations, asked.reallocations, asked.frees, asked.bytes];
        assert_eq!(counts, [10, 5, 15, 250]);
        assert_eq!(read.as_if_made(5, 5), read);
        assert_eq!(read.as_if_made(0, 5), read, "of nothing, nothing follows");
        let time = Reading::of_time(Span::from_nanoseconds(10));
        assert_eq!(time, Reading { allocations: None, value: None, ..time });
    }
}
