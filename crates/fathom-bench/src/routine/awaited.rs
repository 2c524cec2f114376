//! An asynchronous function.

use super::Routine;
use crate::gauge::{Gauge, Reading};
use std::hint::black_box;
use std::rc::Rc;

/// Drives futures to their end: a runtime of your choice.
///
/// ```
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
/// let mut suite = fathom_bench::Suite::new();
/// suite.bench_async("answer", Tokio(), || async { 42 });
/// ```
pub trait Executor {
    /// Runs a future until it is ready.
    fn block_on<F: Future>(&self, future: F) -> F::Output;
}

/// One future after the other, all of a batch inside one `block_on`, whose own cost is not timed.
pub(crate) struct Awaited<E, F> {
    pub(crate) executor: Rc<E>,
    pub(crate) call: F,
}

impl<E: Executor, T, A: Future<Output = T>, F: FnMut() -> A> Routine for Awaited<E, F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let call = &mut self.call;
        self.executor.block_on(async move {
            let started = gauge.start();
            for _ in 0..calls {
                black_box(call().await);
            }
            started.stop()
        })
    }
}
