//! Asynchronous functions with a fresh input for every call.

use super::parts::Parts;
use crate::criterion::batch_size::BatchSize;
use crate::gauge::{Gauge, Reading};
use crate::routine::{Executor, InputMemory, Routine};
use std::hint::black_box;

/// Futures that take their input. Inputs are made inside the executor, which set-ups may need.
pub(in crate::criterion) struct AwaitedConsumed<E, S, F, I, T> {
    executor: E,
    size: BatchSize,
    setup: S,
    call: F,
    inputs: Vec<I>,
    results: Vec<T>,
    memory: InputMemory,
}

impl<E, I, T, A: Future<Output = T>, S: FnMut() -> I, F: FnMut(I) -> A>
    AwaitedConsumed<E, S, F, I, T>
{
    pub(in crate::criterion) fn new(executor: E, size: BatchSize, setup: S, call: F) -> Self {
        let memory = InputMemory::of::<I, T>();
        let (inputs, results) = (Vec::new(), Vec::new());
        AwaitedConsumed { executor, size, setup, call, inputs, results, memory }
    }
}

impl<E, I, T, A, S, F> Routine for AwaitedConsumed<E, S, F, I, T>
where
    E: Executor,
    A: Future<Output = T>,
    S: FnMut() -> I,
    F: FnMut(I) -> A,
{
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let AwaitedConsumed { executor, size, setup, call, inputs, results, memory } = self;
        executor.block_on(async move {
            let mut parts = Parts::new();
            for next in size.parts(calls) {
                memory.make(inputs, next, setup);
                let made = inputs.len();
                results.reserve(made);
                let started = gauge.start();
                for input in inputs.drain(..) {
                    results.push(black_box(call(black_box(input)).await));
                }
                let reading = started.stop();
                memory.look(made);
                results.clear();
                parts.add(reading.as_if_made(made as u64, next));
            }
            parts.sum()
        })
    }

    fn most_calls(&self) -> u64 {
        self.memory.most()
    }
}

/// Futures that change their input.
pub(in crate::criterion) struct AwaitedPrepared<E, S, F, I, T> {
    executor: E,
    size: BatchSize,
    setup: S,
    call: F,
    inputs: Vec<I>,
    results: Vec<T>,
    memory: InputMemory,
}

impl<E, I, T, A: Future<Output = T>, S: FnMut() -> I, F: FnMut(&mut I) -> A>
    AwaitedPrepared<E, S, F, I, T>
{
    pub(in crate::criterion) fn new(executor: E, size: BatchSize, setup: S, call: F) -> Self {
        let memory = InputMemory::of::<I, T>();
        let (inputs, results) = (Vec::new(), Vec::new());
        AwaitedPrepared { executor, size, setup, call, inputs, results, memory }
    }
}

impl<E, I, T, A, S, F> Routine for AwaitedPrepared<E, S, F, I, T>
where
    E: Executor,
    A: Future<Output = T>,
    S: FnMut() -> I,
    F: FnMut(&mut I) -> A,
{
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let AwaitedPrepared { executor, size, setup, call, inputs, results, memory } = self;
        executor.block_on(async move {
            let mut parts = Parts::new();
            for next in size.parts(calls) {
                memory.make(inputs, next, setup);
                let made = inputs.len();
                results.reserve(made);
                let started = gauge.start();
                for input in inputs.iter_mut() {
                    results.push(black_box(call(black_box(input)).await));
                }
                let reading = started.stop();
                memory.look(made);
                results.clear();
                inputs.clear();
                parts.add(reading.as_if_made(made as u64, next));
            }
            parts.sum()
        })
    }

    fn most_calls(&self) -> u64 {
        self.memory.most()
    }
}
