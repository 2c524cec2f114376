//! Ways to make a batch that criterion has and Fathom's own benches do not.

mod awaited_inputs;
mod bounded;
mod custom;
mod in_parts;
mod one_by_one;
mod parts;

pub(super) use awaited_inputs::{AwaitedConsumed, AwaitedPrepared};
pub(super) use bounded::Bounded;
pub(super) use custom::{Custom, CustomValue};
pub(super) use in_parts::InParts;
pub(super) use one_by_one::{ConsumedOneByOne, PreparedOneByOne};

use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;
use fathom_analyze::CallTiming;
use fathom_record::Span;

/// A routine that is only lent: the closure behind it stays where the bench made it.
pub(super) struct Lent<'r>(pub(super) &'r mut (dyn Routine + 'r));

impl Routine for Lent<'_> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.0.batch(calls, gauge)
    }

    fn calls_alone(&mut self, calls: u64) -> Span {
        self.0.calls_alone(calls)
    }

    fn timing(&self) -> CallTiming {
        self.0.timing()
    }

    fn most_calls(&self) -> u64 {
        self.0.most_calls()
    }

    fn shortest_batch(&self) -> Span {
        self.0.shortest_batch()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::async_executor::{Driven, FuturesExecutor};
    use crate::criterion::batch_size::BatchSize;
    use crate::routine::Consumed;
    use std::cell::{Cell, RefCell};

    #[test]
    fn an_input_is_made_right_before_its_call() {
        let log = RefCell::new(String::new());
        let mut consumed =
            ConsumedOneByOne::new(|| log.borrow_mut().push('s'), |()| log.borrow_mut().push('c'));
        consumed.batch(3, Gauge::Time);
        assert_eq!(*log.borrow(), "scscsc");
        log.borrow_mut().clear();
        let mut prepared = PreparedOneByOne::new(
            || log.borrow_mut().push('s'),
            |_: &mut ()| log.borrow_mut().push('c'),
        );
        prepared.batch(2, Gauge::Time);
        assert_eq!(*log.borrow(), "scsc");
    }

    #[test]
    fn a_batch_in_parts_makes_few_inputs_at_once() {
        let log = RefCell::new(String::new());
        let inner = Consumed::new(|| log.borrow_mut().push('s'), |()| log.borrow_mut().push('c'));
        let mut parts = InParts { inner, size: BatchSize::NumIterations(2) };
        parts.batch(5, Gauge::Time);
        assert_eq!(*log.borrow(), "ssccssccsc");
    }

    #[test]
    fn futures_get_their_inputs_inside_the_executor() {
        let log = RefCell::new(String::new());
        let executor = || Driven(&FuturesExecutor);
        let setup = || log.borrow_mut().push('s');
        let call = || {
            log.borrow_mut().push('c');
            async { log.borrow_mut().push('a') }
        };
        let mut consumed =
            AwaitedConsumed::new(executor(), BatchSize::SmallInput, setup, |()| call());
        consumed.batch(2, Gauge::Time);
        assert_eq!(*log.borrow(), "sscaca");
        log.borrow_mut().clear();
        let mut prepared =
            AwaitedPrepared::new(executor(), BatchSize::PerIteration, setup, |_: &mut ()| call());
        prepared.batch(2, Gauge::Time);
        assert_eq!(*log.borrow(), "scasca");
    }

    #[test]
    fn a_batch_that_takes_long_for_little_does_not_grow() {
        let calls = Cell::new(0);
        let custom = Custom(|count| {
            calls.set(count);
            // The first batch must not seem long, however busy the machine is.
            if count > 1 {
                std::thread::sleep(std::time::Duration::from_millis(10 * count));
            }
            CustomValue::Time(Span::from_nanoseconds(count))
        });
        let mut bounded = Bounded::new(custom);
        bounded.batch(1, Gauge::Time);
        assert_eq!(bounded.most_calls(), u64::MAX);
        assert_eq!(bounded.batch(4, Gauge::Time).time, Span::from_nanoseconds(4));
        assert_eq!(bounded.most_calls(), u64::MAX, "it may have waited for something else");
        bounded.batch(4, Gauge::Time);
        assert_eq!(bounded.most_calls(), 4);
        // Fewer calls are made, and the reading is that of all.
        assert_eq!(bounded.batch(8, Gauge::Time).time, Span::from_nanoseconds(8));
        assert_eq!(calls.get(), 4);
    }

    #[test]
    fn what_is_lent_has_the_bounds_of_its_owner() {
        struct Most;
        impl Routine for Most {
            fn batch(&mut self, calls: u64, _: Gauge) -> Reading {
                Reading::of_time(Span::from_nanoseconds(calls))
            }
            fn most_calls(&self) -> u64 {
                7
            }
        }
        let mut routine = Most;
        let mut lent = Lent(&mut routine);
        assert_eq!(lent.most_calls(), 7);
        assert_eq!(lent.batch(3, Gauge::Time).time, Span::from_nanoseconds(3));
    }
}
