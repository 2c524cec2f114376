//! What drives futures.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// Drives futures to their end: a runtime of your choice.
///
/// ```
/// use fathom_bench::criterion::Criterion;
/// use fathom_bench::criterion::async_executor::FuturesExecutor;
///
/// fn answer(c: &mut Criterion) {
///     c.bench_function("answer", |b| b.to_async(FuturesExecutor).iter(|| async { 6 * 7 }));
/// }
/// # let _ = answer;
/// ```
///
/// Fathom depends on no runtime, so one of tokio needs a type of yours around it:
///
/// ```
/// use fathom_bench::criterion::async_executor::AsyncExecutor;
///
/// struct Tokio(/* tokio::runtime::Runtime */);
///
/// impl AsyncExecutor for Tokio {
///     fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
///         // self.0.block_on(future)
/// #       fathom_bench::criterion::async_executor::FuturesExecutor.block_on(future)
///     }
/// }
/// ```
pub trait AsyncExecutor {
    /// Runs a future until it is ready.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// Runs futures on the calling thread, which sleeps until they are woken.
#[derive(Debug, Clone, Copy, Default)]
pub struct FuturesExecutor;

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl AsyncExecutor for FuturesExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match future.as_mut().poll(&mut context) {
                Poll::Ready(output) => return output,
                // A wake-up before this point is not lost: the thread then does not sleep at all.
                Poll::Pending => std::thread::park(),
            }
        }
    }
}

/// An executor of criterion's as one of ours.
pub(super) struct Driven<'e, A>(pub(super) &'e A);

impl<A: AsyncExecutor> crate::Executor for Driven<'_, A> {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_that_another_thread_wakes_is_driven_to_its_end() {
        let mut is_asked = false;
        let future = std::future::poll_fn(move |context| {
            if is_asked {
                return Poll::Ready(5);
            }
            is_asked = true;
            let waker = context.waker().clone();
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(5));
                waker.wake();
            });
            Poll::Pending
        });
        assert_eq!(FuturesExecutor.block_on(future), 5);
    }
}
