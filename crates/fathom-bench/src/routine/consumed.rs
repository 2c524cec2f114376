//! A function that takes a fresh input for every call.

use super::Routine;
use super::input_memory::InputMemory;
use crate::gauge::{Gauge, Reading};
use std::hint::black_box;

/// Inputs are made before a batch; results are dropped after it.
pub(crate) struct Consumed<S, F, I, T> {
    setup: S,
    call: F,
    inputs: Vec<I>,
    results: Vec<T>,
    memory: InputMemory,
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> Consumed<S, F, I, T> {
    pub(crate) fn new(setup: S, call: F) -> Self {
        Consumed {
            setup,
            call,
            inputs: Vec::new(),
            results: Vec::new(),
            memory: InputMemory::of::<I, T>(),
        }
    }
}

impl<I, T, S: FnMut() -> I, F: FnMut(I) -> T> Routine for Consumed<S, F, I, T> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.memory.make(&mut self.inputs, calls, &mut self.setup);
        let made = self.inputs.len();
        self.results.reserve(made);
        let call = &mut self.call;
        let started = gauge.start();
        for input in self.inputs.drain(..) {
            let result = black_box(call(black_box(input)));
            if std::mem::needs_drop::<T>() {
                self.results.push(result);
            }
        }
        let reading = started.stop();
        self.memory.look(made);
        self.results.clear();
        reading.as_if_made(made as u64, calls)
    }

    fn most_calls(&self) -> u64 {
        self.memory.most()
    }
}
