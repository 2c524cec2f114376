//! The sum of readings, where a batch is read in parts.

use crate::gauge::Reading;
use fathom_record::Span;
use fathom_sys::allocation::Allocations;
use fathom_sys::clock::cost_ns;
use std::sync::LazyLock;

/// What reading the clock costs, measured once.
static COST: LazyLock<f64> = LazyLock::new(cost_ns);

/// What the parts of a batch took together.
pub(super) struct Parts {
    nanoseconds: f64,
    count: u64,
    allocations: Option<Allocations>,
    value: Option<f64>,
}

impl Parts {
    pub(super) fn new() -> Parts {
        Parts { nanoseconds: 0.0, count: 0, allocations: None, value: None }
    }

    pub(super) fn add(&mut self, part: Reading) {
        self.nanoseconds += part.time.nanoseconds_f64();
        self.count += 1;
        if let Some(value) = part.value {
            *self.value.get_or_insert(0.0) += value;
        }
        if let Some(asked) = part.allocations {
            let so_far = self.allocations.get_or_insert_default();
            so_far.allocations += asked.allocations;
            so_far.reallocations += asked.reallocations;
            so_far.frees += asked.frees;
            so_far.bytes += asked.bytes;
            so_far.most_held = so_far.most_held.max(asked.most_held);
        }
    }

    /// The sum, with the cost of one reading in it, as in a batch that is read once.
    pub(super) fn sum(self) -> Reading {
        let more_readings = self.count.saturating_sub(1) as f64;
        let nanoseconds = (self.nanoseconds - more_readings * *COST).max(0.0);
        let time = Span::from_nanoseconds(nanoseconds as u64);
        Reading { time, allocations: self.allocations, value: self.value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_added_up_less_what_reading_them_cost() {
        let part = |nanoseconds| {
            let allocations = Some(Allocations {
                allocations: 2,
                reallocations: 1,
                frees: 3,
                bytes: 8,
                most_held: nanoseconds,
            });
            Reading { time: Span::from_nanoseconds(nanoseconds), allocations, value: None }
        };
        let mut parts = Parts::new();
        parts.add(part(50_000));
        parts.add(part(60_000));
        let sum = parts.sum();
        let expected = 110_000.0 - *COST;
        assert!((sum.time.nanoseconds_f64() - expected).abs() <= 1.0, "{sum:?}");
        let asked = sum.allocations.unwrap();
        assert_eq!((asked.allocations, asked.bytes), (4, 16));
        assert_eq!((asked.reallocations, asked.frees, asked.most_held), (2, 6, 60_000));
    }
}
