//! A function with a fresh input for every call, which it may change.

use super::Routine;
use super::input_memory::InputMemory;
use crate::gauge::{Gauge, Reading};
use std::hint::black_box;

/// Inputs are made before a batch; inputs and results are dropped after it.
pub(crate) struct Prepared<S, F, I, T> {
    setup: S,
    call: F,
    // Kept so that a batch does not have to ask for memory.
    inputs: Vec<I>,
    results: Vec<T>,
    memory: InputMemory,
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> Prepared<S, F, I, T> {
    pub(crate) fn new(setup: S, call: F) -> Self {
        Prepared {
            setup,
            call,
            inputs: Vec::new(),
            results: Vec::new(),
            memory: InputMemory::of::<I, T>(),
        }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(&mut I) -> T> Routine for Prepared<S, F, I, T> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.memory.make(&mut self.inputs, calls, &mut self.setup);
        let made = self.inputs.len();
        self.results.reserve(made);
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
        self.memory.look(made);
        self.results.clear();
        self.inputs.clear();
        reading.as_if_made(made as u64, calls)
    }

    fn most_calls(&self) -> u64 {
        self.memory.most()
    }
}
