//! What a function gives its closure to.

use super::async_bencher::AsyncBencher;
use super::async_executor::AsyncExecutor;
use super::batch_size::BatchSize;
use super::measurement::{Measurement, ValueScale, WallTime};
use super::routines::{Bounded, ConsumedOneByOne, Custom, CustomValue, InParts, PreparedOneByOne};
use crate::routine::{Calls, Consumed, Prepared, Routine};
use fathom_record::Span;
use std::hint::black_box;

/// Times the closure of a function.
///
/// What a function does before it calls a method of this is done once, where criterion does it
/// again for every sample. Only the first method that it calls is measured.
///
/// ```
/// use fathom_bench::criterion::{Bencher, Criterion};
///
/// fn lookup(b: &mut Bencher<'_>) {
///     let table: Vec<u64> = (0..1000).map(|i| i * i).collect();
///     b.iter(|| table.binary_search(&250_000));
/// }
///
/// fn benches(c: &mut Criterion) {
///     c.bench_function("lookup", lookup);
/// }
/// # let _ = benches;
/// ```
///
/// With an input for every call:
///
/// ```
/// use fathom_bench::criterion::{BatchSize, Bencher};
///
/// fn sorted(b: &mut Bencher<'_>) {
///     b.iter_batched(|| vec![3, 1, 2], |mut v| v.sort(), BatchSize::SmallInput);
/// }
///
/// fn sorted_in_place(b: &mut Bencher<'_>) {
///     b.iter_batched_ref(|| vec![3, 1, 2], |v| v.sort(), BatchSize::SmallInput);
/// }
///
/// fn sorted_one_by_one(b: &mut Bencher<'_>) {
///     b.iter_with_setup(|| vec![3, 1, 2], |mut v| v.sort());
/// }
///
/// fn filled(b: &mut Bencher<'_>) {
///     b.iter_with_large_drop(|| vec![0; 1_000_000]);
/// }
/// # let _ = (sorted, sorted_in_place, sorted_one_by_one, filled);
/// ```
pub struct Bencher<'a, M: Measurement = WallTime> {
    pub(super) measurement: &'a M,
    /// What a value of 1 is.
    pub(super) scale: ValueScale,
    /// Measures a routine now, while what it borrows is there.
    pub(super) measure: &'a mut dyn FnMut(&mut dyn Routine),
}

impl<'a, M: Measurement> Bencher<'a, M> {
    /// Times calls of a closure. Its result is dropped in the timing.
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        let measurement = self.measurement;
        if measurement.is_wall_time() {
            return (self.measure)(&mut Calls(routine));
        }
        self.custom(move |calls| {
            let started = measurement.start();
            for _ in 0..calls {
                black_box(routine());
            }
            measurement.end(started)
        });
    }

    /// Takes what a closure measured itself: it makes the given number of calls, and says how long they took.
    ///
    /// ```
    /// # use fathom_bench::criterion::Criterion;
    /// # fn benches(c: &mut Criterion) {
    /// c.bench_function("sum", |b| {
    ///     b.iter_custom(|calls| {
    ///         let began = std::time::Instant::now();
    ///         for n in 0..calls {
    ///             std::hint::black_box(n + 1);
    ///         }
    ///         began.elapsed()
    ///     });
    /// });
    /// # }
    /// # let _ = benches;
    /// ```
    pub fn iter_custom<R>(&mut self, routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        self.custom(routine);
    }

    /// Times calls that take an input, which is made right before each.
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times calls of a closure. Its results are dropped after the timing.
    pub fn iter_with_large_drop<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Times calls that take an input. Inputs are made before and results dropped after the timing.
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        let measurement = self.measurement;
        if !measurement.is_wall_time() {
            return self.one_by_one(|| {
                let input = black_box(setup());
                let started = measurement.start();
                let result = black_box(routine(input));
                (measurement.end(started), result)
            });
        }
        if size.is_one_by_one() {
            let routine = ConsumedOneByOne::new(setup, routine);
            return (self.measure)(&mut Bounded::new(routine));
        }
        let inner = Consumed::new(setup, routine);
        (self.measure)(&mut Bounded::new(InParts { inner, size }));
    }

    /// Times calls that change an input. Inputs are made before the timing; they and the results
    /// are dropped after it.
    pub fn iter_batched_ref<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        let measurement = self.measurement;
        if !measurement.is_wall_time() {
            return self.one_by_one(|| {
                let mut input = black_box(setup());
                let started = measurement.start();
                let result = black_box(routine(&mut input));
                (measurement.end(started), (result, input))
            });
        }
        if size.is_one_by_one() {
            let routine = PreparedOneByOne::new(setup, routine);
            return (self.measure)(&mut Bounded::new(routine));
        }
        let inner = Prepared::new(setup, routine);
        (self.measure)(&mut Bounded::new(InParts { inner, size }));
    }

    /// Times futures, which an executor drives.
    ///
    /// ```
    /// # use fathom_bench::criterion::{Criterion, async_executor::FuturesExecutor};
    /// # fn benches(c: &mut Criterion) {
    /// c.bench_function("answer", |b| b.to_async(FuturesExecutor).iter(|| async { 6 * 7 }));
    /// # }
    /// # let _ = benches;
    /// ```
    pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { bencher: self, executor: runner }
    }

    /// Measures by what the closure says that its calls took.
    pub(super) fn custom(&mut self, mut routine: impl FnMut(u64) -> M::Value) {
        let (measurement, scale) = (self.measurement, self.scale);
        let custom = Custom(move |calls| {
            let value = measurement.to_f64(&routine(calls));
            match scale {
                ValueScale::Nanoseconds(each) => {
                    CustomValue::Time(Span::from_nanoseconds((each * value).max(0.0) as u64))
                }
                ValueScale::Other { each, .. } => CustomValue::Other(each * value),
            }
        });
        (self.measure)(&mut Bounded::new(custom));
    }

    /// Measures call by call: what it took, and what to drop afterwards.
    fn one_by_one<K>(&mut self, mut call: impl FnMut() -> (M::Value, K)) {
        let measurement = self.measurement;
        self.custom(move |calls| {
            (0..calls).fold(measurement.zero(), |sum, _| {
                let (value, _kept) = call();
                measurement.add(&sum, &value)
            })
        });
    }
}
