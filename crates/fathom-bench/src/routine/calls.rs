//! A function called over and over.

use super::Routine;
use crate::gauge::{Gauge, Reading};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// A closure; its results are dropped between the calls.
pub(crate) struct Calls<F>(pub(crate) F);

impl<T, F: FnMut() -> T> Routine for Calls<F> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let started = gauge.start();
        for _ in 0..calls {
            black_box((self.0)());
        }
        started.stop()
    }
}

/// A closure that several arguments share.
pub(crate) struct CallsWith<'b, F, A> {
    pub(crate) call: Rc<RefCell<F>>,
    pub(crate) argument: &'b A,
}

impl<'b, T, A, F: FnMut(&'b A) -> T> Routine for CallsWith<'b, F, A> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        // Borrowed once: a check in every call would be timed with it.
        let call = &mut *self.call.borrow_mut();
        let argument = self.argument;
        let started = gauge.start();
        for _ in 0..calls {
            black_box(call(black_box(argument)));
        }
        started.stop()
    }
}
