//! A sampler's time: the machine's, or one that tests make up.

use fathom_sys::{clock, cpu_time};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

/// Time as one sampler's thread sees it.
pub(crate) trait Pace {
    /// The monotonic clock, in nanoseconds.
    fn now_ns(&self) -> u64;

    /// Processor time that the calling thread has used, in nanoseconds.
    fn cpu_ns(&self) -> u64;

    /// Waits for a moment; whether it came, and not the wish to stop.
    fn wait_until(&mut self, deadline_ns: u64) -> bool;
}

/// Whether sampling is to stop.
#[derive(Debug, Default)]
pub(crate) struct Stop(AtomicBool);

impl Stop {
    /// From now on.
    pub(crate) fn ask(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Wakes a thread that waits for its moment, once it was asked for.
    pub(crate) fn wake(thread: &Thread) {
        thread.unpark();
    }
}

/// The machine's time.
#[derive(Debug)]
pub(crate) struct MachinePace {
    stop: Arc<Stop>,
}

impl MachinePace {
    /// For the calling thread.
    pub(crate) fn new(stop: Arc<Stop>) -> MachinePace {
        clock::wake_precisely();
        MachinePace { stop }
    }
}

impl Pace for MachinePace {
    fn now_ns(&self) -> u64 {
        clock::monotonic_ns()
    }

    fn cpu_ns(&self) -> u64 {
        cpu_time::thread_ns()
    }

    /// Parked rather than asleep, so that the end of the command need not wait for the next sample
    /// of a sampler that looks once a second. Underneath is a timer of the kernel with an absolute
    /// time either way.
    fn wait_until(&mut self, deadline_ns: u64) -> bool {
        loop {
            if self.stop.is_asked() {
                return false;
            }
            let left = deadline_ns.saturating_sub(clock::monotonic_ns());
            if left == 0 {
                return true;
            }
            thread::park_timeout(Duration::from_nanos(left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_waited_for_and_the_wish_to_stop_ends_it() {
        let stop = Arc::new(Stop::default());
        let mut pace = MachinePace::new(Arc::clone(&stop));
        let deadline = pace.now_ns() + 2_000_000;
        assert!(pace.wait_until(deadline));
        assert!(pace.now_ns() >= deadline);
        let waiting = thread::spawn({
            let stop = Arc::clone(&stop);
            move || MachinePace::new(stop).wait_until(u64::MAX)
        });
        stop.ask();
        Stop::wake(waiting.thread());
        assert!(!waiting.join().unwrap());
    }
}
