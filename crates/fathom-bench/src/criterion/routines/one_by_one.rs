//! Calls that are timed alone, because their set-up must happen right before them.

use super::parts::Parts;
use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;
use std::hint::black_box;

/// Calls that take their input.
pub(in crate::criterion) struct ConsumedOneByOne<S, F> {
    setup: S,
    call: F,
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> ConsumedOneByOne<S, F> {
    pub(in crate::criterion) fn new(setup: S, call: F) -> Self {
        ConsumedOneByOne { setup, call }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> Routine for ConsumedOneByOne<S, F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let mut parts = Parts::new();
        for _ in 0..calls {
            let input = black_box((self.setup)());
            let started = gauge.start();
            let result = black_box((self.call)(input));
            parts.add(started.stop());
            drop(result);
        }
        parts.sum()
    }
}

/// Calls that change their input.
pub(in crate::criterion) struct PreparedOneByOne<S, F> {
    setup: S,
    call: F,
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> PreparedOneByOne<S, F> {
    pub(in crate::criterion) fn new(setup: S, call: F) -> Self {
        PreparedOneByOne { setup, call }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> Routine for PreparedOneByOne<S, F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let mut parts = Parts::new();
        for _ in 0..calls {
            let mut input = black_box((self.setup)());
            let started = gauge.start();
            let result = black_box((self.call)(&mut input));
            parts.add(started.stop());
            drop(result);
            drop(black_box(input));
        }
        parts.sum()
    }
}
