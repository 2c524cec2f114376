//! How many calls make a batch.

use crate::function::{Broken, Function};
use crate::gauge::{Gauge, Reading};
use crate::instrument::Instrument;
use fathom_record::Span;

/// Before a batch is timed, this share of its calls is made untimed, so that what the function
/// before it left in the caches does not count. Long functions, with few calls in a batch, do
/// without: a whole call would be lost each time.
pub(crate) const LEAD_IN: f64 = 0.1;

/// The size of a function's batches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BatchSize {
    /// Calls in a batch that is timed.
    pub(crate) calls: u64,
    /// About how long that takes, in nanoseconds: an estimate, so not whole.
    pub(crate) ns: f64,
}

impl BatchSize {
    /// Tries ever larger batches until they are as long as the clock needs, at least `at_least`
    /// times that, and as long as what is measured needs.
    pub(crate) fn of(
        function: &mut Function<'_>,
        instrument: &Instrument,
        at_least: f64,
        of_sample: Span,
    ) -> Result<BatchSize, Broken> {
        let (_, shortest) = function.limits()?;
        let shortest = shortest.max(of_sample);
        let wanted = (at_least * instrument.batch_ns()).max(shortest.nanoseconds_f64());
        let mut calls = 1;
        loop {
            // The quicker of two: the first may fill caches.
            let time = function.calls_alone(calls)?.min(function.calls_alone(calls)?);
            let ns = time.nanoseconds_f64();
            // Known better with every batch: inputs may turn out to be large.
            let (most, _) = function.limits()?;
            if ns >= wanted || calls >= most {
                let fewer = calls.min(most);
                let ns = ns * fewer as f64 / calls as f64;
                return Ok(BatchSize { calls: fewer, ns: ns.max(1.0) });
            }
            // By estimate once there is something to estimate from, else by doubling; a little
            // more than needed, so that the next try is the last.
            let factor = if ns >= 0.1 * wanted { 1.05 * wanted / ns } else { 2.0 };
            calls = ((calls as f64 * factor).ceil() as u64).max(calls + 1).min(most);
        }
    }

    /// The same function with this number of calls in a batch.
    pub(crate) fn with_calls(self, calls: u64) -> BatchSize {
        BatchSize { calls, ns: self.ns * calls as f64 / self.calls.max(1) as f64 }
    }

    /// The untimed calls before a batch.
    pub(crate) fn lead_in(&self) -> u64 {
        (LEAD_IN * self.calls as f64) as u64
    }

    /// Makes a batch, and reads what it took.
    pub(crate) fn read(
        &self,
        function: &mut Function<'_>,
        gauge: Gauge,
    ) -> Result<Reading, Broken> {
        let lead_in = self.lead_in();
        if lead_in > 0 {
            function.batch(lead_in)?;
        }
        function.read(self.calls, gauge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn spin(ns: u64) {
        let began = fathom_sys::clock::monotonic();
        while fathom_sys::clock::monotonic() - began < Span::from_nanoseconds(ns) {}
    }

    #[test]
    fn batches_are_as_long_as_the_clock_needs() {
        let instrument = Instrument::calibrated();
        let mut short = Function::new("f".into(), |bencher| bencher.iter(|| spin(200)));
        let size = BatchSize::of(&mut short, &instrument, 1.0, Span::ZERO).unwrap();
        assert!(size.ns >= instrument.batch_ns(), "{size:?}");
        assert!(size.calls > 1);
        let mut long = Function::new("f".into(), |bencher| bencher.iter(|| spin(2_000_000)));
        assert_eq!(BatchSize::of(&mut long, &instrument, 1.0, Span::ZERO).unwrap().calls, 1);
    }

    #[test]
    fn the_lead_in_is_not_timed() {
        let calls = Cell::new(0);
        let mut function =
            Function::new("f".into(), |bencher| bencher.iter(|| calls.set(calls.get() + 1)));
        BatchSize { calls: 50, ns: 1.0 }.read(&mut function, Gauge::Time).unwrap();
        assert_eq!(calls.get(), 55);
        BatchSize { calls: 9, ns: 1.0 }.read(&mut function, Gauge::Time).unwrap();
        assert_eq!(calls.get(), 64);
    }
}
