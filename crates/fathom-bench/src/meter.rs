//! A measurement without its types, as batches use it.

use crate::measurement::Measurement;
use std::cell::RefCell;
use std::fmt;
use std::time::Duration;

/// Measures a batch. Batches are not nested, so it remembers the one that was started.
pub(crate) trait Meter {
    /// Right before the first call.
    fn start(&self);
    /// Right after the last: the value. 0 if nothing was started.
    fn end(&self) -> f64;
    fn name(&self) -> &str;
    fn unit(&self) -> &str;
    /// Whether it sees what other threads do than the one that starts it.
    fn sees_threads(&self) -> bool;
    /// Shorter batches would be lost in its resolution.
    fn shortest_batch(&self) -> Duration;
}

impl fmt::Debug for dyn Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meter({})", self.name())
    }
}

/// A measurement and what it knew when the batch started.
struct Erased<M: Measurement> {
    measurement: M,
    started: RefCell<Option<M::Started>>,
}

impl<M: Measurement> Meter for Erased<M> {
    fn start(&self) {
        *self.started.borrow_mut() = Some(self.measurement.start());
    }

    fn end(&self) -> f64 {
        let started = self.started.borrow_mut().take();
        started.map_or(0.0, |started| self.measurement.end(started))
    }

    fn name(&self) -> &str {
        self.measurement.name()
    }

    fn unit(&self) -> &str {
        self.measurement.unit()
    }

    fn sees_threads(&self) -> bool {
        self.measurement.sees_threads()
    }

    fn shortest_batch(&self) -> Duration {
        self.measurement.shortest_batch()
    }
}

/// A meter that lives as long as the program: a program has one suite, and routines hold nothing
/// but a reference.
pub(crate) fn kept<M: Measurement + 'static>(measurement: M) -> &'static dyn Meter {
    Box::leak(Box::new(Erased { measurement, started: RefCell::new(None) }))
}
