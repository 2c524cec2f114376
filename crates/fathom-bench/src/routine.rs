//! What can be timed: calls in batches.

mod awaited;
mod calls;
mod chained;
mod consumed;
mod input_memory;
mod prepared;
mod threaded;

pub use awaited::Executor;

pub(crate) use awaited::Awaited;
pub(crate) use calls::{Calls, CallsWith};
pub(crate) use chained::Chained;
pub(crate) use consumed::Consumed;
pub(crate) use input_memory::InputMemory;
pub(crate) use prepared::Prepared;
pub(crate) use threaded::{Threaded, ThreadedWith};

use crate::gauge::{Gauge, Reading};
use fathom_analyze::CallTiming;
use fathom_record::Span;

/// Something that can be called many times while the clock runs.
pub(crate) trait Routine {
    /// Makes the calls and reads what they took together. If their inputs would take too much memory,
    /// it makes fewer calls and scales the reading; see [`Routine::most_calls`].
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading;

    /// What the calls of a batch take, by which the size of batches is chosen: nothing that passes
    /// before the calls begin may count, or batches would be too small to outweigh it.
    fn calls_alone(&mut self, calls: u64) -> Span {
        self.batch(calls, Gauge::Time).time
    }

    /// The address of the machine code of [`Routine::batch`], from which all that is timed is
    /// reached.
    fn code(&self) -> usize {
        let batch: fn(&mut Self, u64, Gauge) -> Reading = Self::batch;
        batch as usize
    }

    /// What the time of a call is.
    fn timing(&self) -> CallTiming {
        CallTiming::Throughput
    }

    /// No batch has more calls than this. It may fall while batches grow.
    fn most_calls(&self) -> u64 {
        u64::MAX
    }

    /// A batch shorter than this would measure something else.
    fn shortest_batch(&self) -> Span {
        Span::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn every_call_is_made() {
        let count = Cell::new(0);
        Calls(|| count.set(count.get() + 1)).batch(17, Gauge::Time);
        assert_eq!(count.get(), 17);
        let f = Rc::new(RefCell::new(|step: &u32| count.set(count.get() + step)));
        CallsWith { call: f, argument: &10 }.batch(3, Gauge::Time);
        assert_eq!(count.get(), 47);
    }

    /// Tells when it is dropped.
    struct Dropped<'a>(&'a Cell<u32>);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn inputs_and_results_are_dropped_after_the_last_call() {
        let dropped = Cell::new(0);
        let made = Cell::new(0);
        let seen = RefCell::new(Vec::new());
        let mut prepared = Prepared::new(
            || {
                made.set(made.get() + 1);
                Dropped(&dropped)
            },
            |_input: &mut Dropped<'_>| {
                seen.borrow_mut().push((made.get(), dropped.get()));
                Dropped(&dropped)
            },
        );
        prepared.batch(3, Gauge::Time);
        assert_eq!(*seen.borrow(), [(3, 0); 3], "all inputs first, nothing dropped between calls");
        assert_eq!(dropped.get(), 6, "three inputs and three results");
        prepared.batch(2, Gauge::Time);
        assert_eq!((made.get(), dropped.get()), (5, 10));
    }

    #[test]
    fn results_that_hold_their_input_are_dropped_after_the_last_call() {
        let dropped = Cell::new(0);
        let seen = RefCell::new(Vec::new());
        let mut consumed = Consumed::new(
            || Dropped(&dropped),
            |input: Dropped<'_>| {
                seen.borrow_mut().push(dropped.get());
                input
            },
        );
        consumed.batch(4, Gauge::Time);
        assert_eq!(*seen.borrow(), [0; 4]);
        assert_eq!(dropped.get(), 4);
    }

    #[test]
    fn a_batch_that_is_cut_short_reads_as_if_it_were_whole() {
        let calls = Cell::new(0);
        let made = Cell::new(0);
        let mut prepared = Prepared::new(
            || {
                made.set(made.get() + 1);
                [0_u8; 64 << 10]
            },
            |_input: &mut [u8; 64 << 10]| calls.set(calls.get() + 1),
        );
        assert_eq!(prepared.most_calls(), 2048);
        prepared.batch(5000, Gauge::Time);
        assert!((1..=2048).contains(&made.get()), "{}", made.get());
        assert_eq!(made.get(), calls.get());
    }

    #[test]
    fn every_thread_makes_every_call() {
        let count = AtomicU64::new(0);
        let threads = std::sync::Mutex::new(std::collections::BTreeSet::new());
        let mut threaded = Threaded {
            threads: 3,
            call: &|| {
                threads.lock().unwrap().insert(format!("{:?}", std::thread::current().id()));
                count.fetch_add(1, Ordering::Relaxed)
            },
        };
        threaded.batch(5, Gauge::Time);
        assert_eq!(count.load(Ordering::Relaxed), 15);
        assert_eq!(threads.lock().unwrap().len(), 3);
    }

    #[test]
    #[should_panic(expected = "out of cheese")]
    fn a_panic_in_a_thread_is_the_routines() {
        Threaded { threads: 2, call: &|| panic!("out of cheese") }.batch(1, Gauge::Time);
    }

    struct Ready;
    impl Executor for Ready {
        fn block_on<F: Future>(&self, future: F) -> F::Output {
            let mut future = std::pin::pin!(future);
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            loop {
                if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
                    return output;
                }
            }
        }
    }

    #[test]
    fn futures_are_driven_by_the_executor() {
        let count = Cell::new(0);
        let mut awaited =
            Awaited { executor: Rc::new(Ready), call: || async { count.set(count.get() + 1) } };
        awaited.batch(6, Gauge::Time);
        assert_eq!(count.get(), 6);
    }
}
