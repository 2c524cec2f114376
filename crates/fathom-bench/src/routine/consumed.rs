//! A function that takes a fresh input for every call.

use super::{MOST_INPUTS, Routine};
use crate::gauge::{Gauge, Reading};
use std::hint::black_box;

/// Inputs are made before a batch; results are dropped after it.
pub(crate) struct Consumed<S, F, I, T> {
    setup: S,
    call: F,
    inputs: Vec<I>,
    results: Vec<T>,
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> Consumed<S, F, I, T> {
    pub(crate) fn new(setup: S, call: F) -> Self {
        Consumed { setup, call, inputs: Vec::new(), results: Vec::new() }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> Routine for Consumed<S, F, I, T> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.inputs.extend((0..calls).map(|_| (self.setup)()));
        self.results.reserve(self.inputs.len());
        let call = &mut self.call;
        let started = gauge.start();
        for input in self.inputs.drain(..) {
            let result = black_box(call(black_box(input)));
            if std::mem::needs_drop::<T>() {
                self.results.push(result);
            }
        }
        let reading = started.stop();
        self.results.clear();
        reading
    }

    fn most_calls(&self) -> u64 {
        MOST_INPUTS
    }
}
