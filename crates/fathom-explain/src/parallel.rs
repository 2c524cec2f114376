//! Independent work on all cores, results in its order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Computes `work(i)` for every i below `count`.
///
/// Which core does what depends on the machine; the results do not. Nor do they need threads: the
/// caller's own does what is left where the system gives no more.
pub fn map<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(count));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count.max(1));
    let share = || {
        loop {
            let cell = next.fetch_add(1, Ordering::Relaxed);
            if cell >= count {
                break;
            }
            let result = work(cell);
            if let Ok(mut results) = results.lock() {
                results.push((cell, result));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, share).is_err() {
                break;
            }
        }
        share();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(cell, _)| *cell);
    results.into_iter().map(|(_, result)| result).collect()
}
