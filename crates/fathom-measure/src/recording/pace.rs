//! A sampler's time: the machine's, or one that tests make up.

use fathom_record::{Span, Timestamp};
use fathom_sys::{clock, cpu_time};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};

/// Time as one sampler's thread sees it.
pub(crate) trait Pace {
    /// The monotonic clock.
    fn now(&self) -> Timestamp;

    /// Processor time that the calling thread has used.
    fn cpu(&self) -> Span;

    /// Waits for a moment; whether it came, and not the wish to stop.
    fn wait_until(&mut self, deadline: Timestamp) -> bool;
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
    fn now(&self) -> Timestamp {
        clock::monotonic()
    }

    fn cpu(&self) -> Span {
        cpu_time::thread()
    }

    /// Parked rather than asleep, so that the end of the command need not wait for the next sample
    /// of a sampler that looks once a second. Underneath is a timer of the kernel with an absolute
    /// time either way.
    fn wait_until(&mut self, deadline: Timestamp) -> bool {
        loop {
            if self.stop.is_asked() {
                return false;
            }
            let left = deadline - clock::monotonic();
            if left == Span::ZERO {
                return true;
            }
            thread::park_timeout(left.into());
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
        let deadline = pace.now() + Span::from_milliseconds(2);
        assert!(pace.wait_until(deadline));
        assert!(pace.now() >= deadline);
        let waiting = thread::spawn({
            let stop = Arc::clone(&stop);
            move || MachinePace::new(stop).wait_until(Timestamp::MAX)
        });
        stop.ask();
        Stop::wake(waiting.thread());
        assert!(!waiting.join().unwrap());
    }
}
