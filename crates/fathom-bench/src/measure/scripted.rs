//! A routine that takes no time and says what it took.

use crate::function::Function;
use crate::gauge::{Gauge, Reading};
use crate::instrument::Instrument;
use crate::routine::Routine;
use fathom_record::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// Every batch takes a little more or less than the calls times this.
pub(crate) struct Scripted {
    ns: f64,
    most_calls: u64,
    /// The calls of every batch so far.
    batches: Rc<RefCell<Vec<u64>>>,
}

impl Scripted {
    pub(crate) fn of(ns: f64) -> Scripted {
        Scripted { ns, most_calls: u64::MAX, batches: Rc::default() }
    }

    pub(crate) fn at_most(self, most_calls: u64) -> Scripted {
        Scripted { most_calls, ..self }
    }

    /// What it will have been asked for.
    pub(crate) fn batches(&self) -> Rc<RefCell<Vec<u64>>> {
        Rc::clone(&self.batches)
    }

    pub(crate) fn named(self, name: &str) -> Function<'static> {
        Function::new(name.to_string(), |bencher| bencher.take(self))
    }
}

impl Routine for Scripted {
    fn batch(&mut self, calls: u64, _gauge: Gauge) -> Reading {
        let mut batches = self.batches.borrow_mut();
        // The factors of any 101 batches in a row are the same, with 1 in their middle.
        let factor = 1.0 + 1e-5 * (batches.len() as f64 * 37.0 % 101.0 - 50.0);
        batches.push(calls);
        Reading::of_time(Span::from_nanoseconds((calls as f64 * self.ns * factor) as u64))
    }

    fn most_calls(&self) -> u64 {
        self.most_calls
    }
}

/// A clock of 20 ns and a loop of .3, of which .01 counts.
pub(crate) fn instrument() -> Instrument {
    Instrument::from_bits([10.0_f64, 20.0, 0.3, 0.01].map(f64::to_bits))
}
