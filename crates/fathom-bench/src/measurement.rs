//! What a suite measures instead of time.

mod cpu_time;

pub use cpu_time::{ProcessCpuTime, ThreadCpuTime};

use std::time::Duration;

/// Something that is measured instead of time: from the first call of a batch to its last.
///
/// [`Suite::with_measurement`](crate::Suite::with_measurement) selects it for a suite. Fathom divides
/// the value of a batch by the number of its calls. Where a ratio is taken, values must be above 0.
///
/// ```
/// use fathom_bench::{Measurement, Suite};
/// use std::cell::Cell;
///
/// thread_local!(static STEPS: Cell<u64> = const { Cell::new(0) });
///
/// /// How often a function moves something.
/// struct Steps;
///
/// impl Measurement for Steps {
///     type Started = u64;
///
///     fn start(&self) -> u64 {
///         STEPS.get()
///     }
///
///     fn end(&self, started: u64) -> f64 {
///         (STEPS.get() - started) as f64
///     }
///
///     fn name(&self) -> &str {
///         "steps"
///     }
///
///     fn unit(&self) -> &str {
///         "steps"
///     }
/// }
///
/// let mut suite = Suite::new().with_measurement(Steps);
/// suite.bench("move", || STEPS.set(STEPS.get() + 3));
/// ```
pub trait Measurement {
    /// What is known when a batch starts.
    type Started;

    /// Right before the first call.
    fn start(&self) -> Self::Started;

    /// Right after the last call: what the batch took, in [`unit`](Measurement::unit).
    fn end(&self, started: Self::Started) -> f64;

    /// What is measured, as sentences and JSON name it: "CPU time".
    fn name(&self) -> &str;

    /// The unit of values. "ns", "us", "ms" and "s" are times and "B" is memory, which Fathom scales
    /// for people; any other name stays as it is.
    fn unit(&self) -> &str;

    /// Whether it sees what other threads do than the one that calls
    /// [`start`](Measurement::start). If not, benches with threads are refused.
    fn sees_threads(&self) -> bool {
        true
    }

    /// The time that a batch takes at least. A counter that changes every millisecond needs 1 s for
    /// a resolution of 0.1%.
    fn shortest_batch(&self) -> Duration {
        Duration::ZERO
    }
}
