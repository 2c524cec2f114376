//! What a function that prepares its own bench is given.

use crate::routine::{Awaited, Calls, Chained, Consumed, Executor, Prepared, Routine, Threaded};
use std::rc::Rc;

/// Takes the closure to time, from a function that first makes what it needs.
///
/// ```
/// use fathom_bench::{Bencher, Suite};
///
/// fn lookup(bencher: &mut Bencher<'_>) {
///     let table: Vec<u64> = (0..1000).map(|i| i * i).collect();
///     bencher.iter(move || table.binary_search(&250_000));
/// }
///
/// let mut suite = Suite::new();
/// suite.bench_with("lookup", lookup);
/// ```
#[derive(Default)]
pub struct Bencher<'b> {
    routine: Option<Box<dyn Routine + 'b>>,
}

impl<'b> Bencher<'b> {
    /// Keeps a value until the program ends, for closures that borrow from it.
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    ///
    /// fn longest(bencher: &mut Bencher<'_>) {
    ///     let text = bencher.keep("one two three".to_string());
    ///     let words: Vec<&str> = text.split(' ').collect();
    ///     bencher.iter(move || words.iter().map(|word| word.len()).max());
    /// }
    ///
    /// Suite::new().bench_with("longest", longest);
    /// ```
    pub fn keep<T: 'b>(&self, value: T) -> &'b T {
        Box::leak(Box::new(value))
    }

    /// Times calls of a closure. Its result is dropped in the timing.
    pub fn iter<T>(&mut self, call: impl FnMut() -> T + 'b) {
        self.take(Calls(call));
    }

    /// Times calls with an input of their own, which they may change. Inputs are made before and
    /// dropped, like results, after the timing.
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    ///
    /// fn sort(bencher: &mut Bencher<'_>) {
    ///     bencher.iter_with_setup(|| vec![3, 1, 2], |numbers| numbers.sort());
    /// }
    ///
    /// Suite::new().bench_with("sort", sort);
    /// ```
    pub fn iter_with_setup<I: 'b, T: 'b>(
        &mut self,
        setup: impl FnMut() -> I + 'b,
        call: impl FnMut(&mut I) -> T + 'b,
    ) {
        self.take(Prepared::new(setup, call));
    }

    /// Times calls that take an input of their own. Inputs are made before and results dropped
    /// after the timing.
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    ///
    /// fn boxed(bencher: &mut Bencher<'_>) {
    ///     bencher.iter_consuming(|| vec![3, 1, 2], |numbers| numbers.into_boxed_slice());
    /// }
    ///
    /// Suite::new().bench_with("boxed", boxed);
    /// ```
    pub fn iter_consuming<I: 'b, T: 'b>(
        &mut self,
        setup: impl FnMut() -> I + 'b,
        call: impl FnMut(I) -> T + 'b,
    ) {
        self.take(Consumed::new(setup, call));
    }

    /// Times calls that wait for each other: each takes what the one before returned, and the first
    /// of a batch takes `first`. See [`Suite::bench_chained`](crate::Suite::bench_chained).
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    ///
    /// fn chase(bencher: &mut Bencher<'_>) {
    ///     let next: Vec<usize> = (0..1000).map(|i| (i + 389) % 1000).collect();
    ///     bencher.iter_chained(0, move |i| next[i]);
    /// }
    ///
    /// Suite::new().bench_with("chase", chase);
    /// ```
    pub fn iter_chained<X: Clone + 'b>(&mut self, first: X, call: impl FnMut(X) -> X + 'b) {
        self.take(Chained::new(first, call));
    }

    /// Times calls made by several threads at once.
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// fn count(bencher: &mut Bencher<'_>) {
    ///     let counter = AtomicU64::new(0);
    ///     bencher.iter_threads(2, move || counter.fetch_add(1, Ordering::Relaxed));
    /// }
    ///
    /// Suite::new().bench_with("count", count);
    /// ```
    pub fn iter_threads<T>(&mut self, threads: usize, call: impl Fn() -> T + Sync + 'b) {
        self.take(Threaded { threads: threads.max(1), call: Rc::new(call) });
    }

    /// Times futures, driven by an executor.
    ///
    /// ```
    /// use fathom_bench::{Bencher, Suite};
    ///
    /// struct Tokio(/* tokio::runtime::Runtime */);
    ///
    /// impl fathom_bench::Executor for Tokio {
    ///     fn block_on<F: Future>(&self, future: F) -> F::Output {
    ///         // self.0.block_on(future)
    /// #       let mut future = std::pin::pin!(future);
    /// #       let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #       loop {
    /// #           if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
    /// #               return output;
    /// #           }
    /// #       }
    ///     }
    /// }
    ///
    /// fn answer(bencher: &mut Bencher<'_>) {
    ///     bencher.iter_async(Tokio(), || async { 6 * 7 });
    /// }
    ///
    /// Suite::new().bench_with("answer", answer);
    /// ```
    pub fn iter_async<E: Executor + 'b, F: Future>(
        &mut self,
        executor: E,
        call: impl FnMut() -> F + 'b,
    ) {
        self.take(Awaited { executor: Rc::new(executor), call });
    }

    pub(crate) fn take(&mut self, routine: impl Routine + 'b) {
        self.routine = Some(Box::new(routine));
    }

    pub(crate) fn taken(self) -> Option<Box<dyn Routine + 'b>> {
        self.routine
    }
}
