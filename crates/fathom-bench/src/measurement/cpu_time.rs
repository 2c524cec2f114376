//! The time that processors worked for this program.

use super::Measurement;
use fathom_record::Span;
use fathom_sys::cpu_time::{process, thread};

/// The CPU time of the whole process, with all its threads.
///
/// ```
/// use fathom_bench::{ProcessCpuTime, Suite};
/// let mut suite = Suite::new().with_measurement(ProcessCpuTime);
/// suite.bench("sum", || (0..1000_u64).sum::<u64>());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessCpuTime;

/// The CPU time of the thread that makes the calls. A function that hands its work to other threads
/// seems to be cheap.
///
/// ```
/// use fathom_bench::{Suite, ThreadCpuTime};
/// let mut suite = Suite::new().with_measurement(ThreadCpuTime);
/// suite.bench("sum", || (0..1000_u64).sum::<u64>());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThreadCpuTime;

impl Measurement for ProcessCpuTime {
    type Started = Span;

    fn start(&self) -> Span {
        process()
    }

    fn end(&self, started: Span) -> f64 {
        (process() - started).nanoseconds_f64()
    }

    fn name(&self) -> &str {
        "process CPU time"
    }

    fn unit(&self) -> &str {
        "ns"
    }
}

impl Measurement for ThreadCpuTime {
    type Started = Span;

    fn start(&self) -> Span {
        thread()
    }

    fn end(&self, started: Span) -> f64 {
        (thread() - started).nanoseconds_f64()
    }

    fn name(&self) -> &str {
        "thread CPU time"
    }

    fn unit(&self) -> &str {
        "ns"
    }

    fn sees_threads(&self) -> bool {
        false
    }
}
