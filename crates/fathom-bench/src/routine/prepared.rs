//! A function with a fresh input for every call, which it may change.

use super::{MOST_INPUTS, Routine};
use crate::gauge::{Gauge, Reading};
use std::hint::black_box;

/// Inputs are made before a batch; inputs and results are dropped after it.
pub(crate) struct Prepared<S, F, I, T> {
    setup: S,
    call: F,
    // Kept so that a batch does not have to ask for memory.
    inputs: Vec<I>,
    results: Vec<T>,
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> Prepared<S, F, I, T> {
    pub(crate) fn new(setup: S, call: F) -> Self {
        Prepared { setup, call, inputs: Vec::new(), results: Vec::new() }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> Routine for Prepared<S, F, I, T> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.inputs.extend((0..calls).map(|_| (self.setup)()));
        self.results.reserve(self.inputs.len());
        let call = &mut self.call;
        let started = gauge.start();
        for input in &mut self.inputs {
            let result = black_box(call(black_box(input)));
            // Known when this is compiled.
            if std::mem::needs_drop::<T>() {
                self.results.push(result);
            }
        }
        let reading = started.stop();
        self.results.clear();
        self.inputs.clear();
        reading
    }

    fn most_calls(&self) -> u64 {
        MOST_INPUTS
    }
}
