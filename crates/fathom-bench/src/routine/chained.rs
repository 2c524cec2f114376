//! A function whose calls wait for each other.

use super::Routine;
use crate::gauge::{Gauge, Reading};
use fathom_analyze::CallTiming;
use std::hint::black_box;

/// A closure that is given what its last call returned. Every batch begins with the same value, so
/// that all of them do the same work.
pub(crate) struct Chained<X, F> {
    first: X,
    call: F,
}

impl<X: Clone, F: FnMut(X) -> X> Chained<X, F> {
    pub(crate) fn new(first: X, call: F) -> Chained<X, F> {
        Chained { first, call }
    }

    /// Makes the calls; the last result with the reading.
    fn chain(&mut self, calls: u64, gauge: Gauge) -> (Reading, X) {
        let mut value = black_box(self.first.clone());
        let started = gauge.start();
        for _ in 0..calls {
            value = link(&mut self.call, value);
        }
        let reading = started.stop();
        (reading, black_box(value))
    }
}

/// One call. A `black_box` around it would pass the value through memory and add that to every link
/// of the chain. A function that is not inlined takes the value in registers, and hides from the
/// loop what becomes of it: so no calls can be merged or left out.
#[inline(never)]
fn link<X, F: FnMut(X) -> X>(call: &mut F, value: X) -> X {
    call(value)
}

impl<X: Clone, F: FnMut(X) -> X> Routine for Chained<X, F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        // The last value is dropped after the timing.
        self.chain(calls, gauge).0
    }

    fn timing(&self) -> CallTiming {
        CallTiming::Latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn each_call_takes_the_result_of_the_one_before() {
        let seen = RefCell::new(Vec::new());
        let mut chained = Chained::new(3_u64, |value| {
            seen.borrow_mut().push(value);
            2 * value + 1
        });
        assert_eq!(chained.batch(4, Gauge::Time).allocations, None);
        assert_eq!(seen.take(), [3, 7, 15, 31]);
        // Each batch begins again.
        chained.batch(2, Gauge::Time);
        assert_eq!(*seen.borrow(), [3, 7]);
    }

    /// No side effect and no formula for the result: it is right only if every call was made.
    #[test]
    fn the_last_result_is_that_of_all_calls() {
        let step = |x: u64| (x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)) ^ (x >> 29);
        let mut expected = 1;
        for _ in 0..1000 {
            expected = step(expected);
        }
        assert_eq!(Chained::new(1, step).chain(1000, Gauge::Time).1, expected);
    }

    #[test]
    fn values_may_own_memory() {
        let mut chained = Chained::new(vec![1_u8], |mut bytes: Vec<u8>| {
            bytes.push(0);
            bytes
        });
        assert_eq!(chained.chain(9, Gauge::Time).1.len(), 10);
        assert_eq!(chained.chain(9, Gauge::Time).1.len(), 10);
    }
}
