//! What an asynchronous function gives its closure to.

use super::async_executor::{AsyncExecutor, Driven};
use super::batch_size::BatchSize;
use super::bencher::Bencher;
use super::measurement::{Measurement, WallTime};
use super::routines::{AwaitedConsumed, AwaitedPrepared, Bounded};
use crate::routine::Awaited;
use std::hint::black_box;
use std::rc::Rc;

/// Times futures, which an executor drives one after the other; see
/// [`Bencher::to_async`](super::Bencher::to_async). All of a batch are awaited inside one
/// `block_on`, whose own cost is not timed.
///
/// ```
/// use fathom_bench::criterion::{BatchSize, Bencher, async_executor::FuturesExecutor};
/// use std::time::Instant;
///
/// async fn double(n: u64) -> u64 {
///     2 * n
/// }
///
/// fn benches(b: &mut Bencher<'_>) {
///     let mut b = b.to_async(FuturesExecutor);
///     b.iter(|| double(1));
///     b.iter_with_setup(|| 1, double);
///     b.iter_with_large_setup(|| 1, double);
///     b.iter_with_large_drop(|| async { vec![0; 1_000_000] });
///     b.iter_batched(|| 1, double, BatchSize::SmallInput);
///     b.iter_batched_ref(|| 1, |n| double(*n), BatchSize::SmallInput);
///     b.iter_custom(|calls| async move {
///         let began = Instant::now();
///         for n in 0..calls {
///             double(n).await;
///         }
///         began.elapsed()
///     });
/// }
/// # let _ = benches;
/// ```
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    pub(super) bencher: &'b mut Bencher<'a, M>,
    pub(super) executor: A,
}

impl<A: AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Times futures.
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { bencher, executor } = self;
        let measurement = bencher.measurement;
        if measurement.is_wall_time() {
            let executor = Rc::new(Driven(&*executor));
            return (bencher.measure)(&mut Awaited { executor, call: routine });
        }
        bencher.custom(|calls| {
            executor.block_on(async {
                let started = measurement.start();
                for _ in 0..calls {
                    black_box(routine().await);
                }
                measurement.end(started)
            })
        });
    }

    /// Takes what a closure measured itself.
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let AsyncBencher { bencher, executor } = self;
        bencher.custom(|calls| executor.block_on(routine(calls)));
    }

    /// Times futures that take an input, which is made right before each.
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times futures whose results are dropped after the timing.
    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Times futures that take an input. All inputs of a batch are made before it.
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Times futures that take an input. Inputs are made before and results dropped after the
    /// timing.
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { bencher, executor } = self;
        let measurement = bencher.measurement;
        if measurement.is_wall_time() {
            let awaited = AwaitedConsumed::new(Driven(&*executor), size, setup, routine);
            return (bencher.measure)(&mut Bounded::new(awaited));
        }
        bencher.custom(|calls| {
            executor.block_on(async {
                let mut sum = measurement.zero();
                for _ in 0..calls {
                    let input = black_box(setup());
                    let started = measurement.start();
                    let _kept = black_box(routine(input).await);
                    sum = measurement.add(&sum, &measurement.end(started));
                }
                sum
            })
        });
    }

    /// Times futures that change an input. Inputs are made before the timing; they and the results
    /// are dropped after it.
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { bencher, executor } = self;
        let measurement = bencher.measurement;
        if measurement.is_wall_time() {
            let awaited = AwaitedPrepared::new(Driven(&*executor), size, setup, routine);
            return (bencher.measure)(&mut Bounded::new(awaited));
        }
        bencher.custom(|calls| {
            executor.block_on(async {
                let mut sum = measurement.zero();
                for _ in 0..calls {
                    let mut input = black_box(setup());
                    let started = measurement.start();
                    let _kept = black_box(routine(&mut input).await);
                    sum = measurement.add(&sum, &measurement.end(started));
                }
                sum
            })
        });
    }
}
