//! Functions that several threads call at once, and asynchronous ones.
//!
//!     cargo run --release -p fathom-bench --example threads_and_futures -- --bench

use fathom_bench::{Executor, Suite, black_box};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

/// The simplest executor there is. With a runtime it is as short:
/// `self.0.block_on(future)` for a `struct Tokio(tokio::runtime::Runtime)`.
struct Polling;

impl Executor for Polling {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
        }
    }
}

fn main() -> std::process::ExitCode {
    let atomic = AtomicU64::new(0);
    let mutex = Mutex::new(0_u64);
    let mut suite = Suite::new();
    suite.group("count", |suite| {
        suite.bench_threads("atomic", [1, 2], || atomic.fetch_add(1, Ordering::Relaxed));
        suite.bench_threads("mutex", [1, 2], || {
            if let Ok(mut count) = mutex.lock() {
                *count += 1;
            }
        });
    });
    suite.bench_async("sum of futures", Polling, || async {
        let first = async { black_box(20) }.await;
        let second = async { black_box(22) }.await;
        first + second
    });
    suite.run()
}
