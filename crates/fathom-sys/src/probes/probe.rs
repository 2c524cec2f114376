//! What is read at every sample.

use super::ProcessTree;
use fathom_record::Timestamp;
use fathom_record::trace::{TraceMetric, Value};
use std::fmt;
use std::time::Duration;

/// An open source of metrics.
///
/// A probe never waits and never asks for the time: the sampler keeps the schedule.
pub trait Probe: Send + fmt::Debug {
    /// Its source's name, such as "process.stat".
    fn name(&self) -> &str;

    /// Its metrics. They may become more (see [`Probe::refresh`]), never fewer, and keep their order.
    fn metrics(&self) -> &[TraceMetric];

    /// Looks whether there are metrics that were not there before; whether there are. Called
    /// before every sample, so it must be cheap when nothing changed.
    fn refresh(&mut self, _moment: &Moment<'_>) -> bool {
        false
    }

    /// Reads the values. `values` has one for each metric and comes in as missing; what is not there
    /// now is left as it is. A file that vanished is a [`Fault`] and not the end: the next sample
    /// tries again. A fault that comes with values is a remark on them: that threads are read in
    /// rotation, for example.
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault>;

    /// How far apart samples must be at least: some files cost the program milliseconds.
    fn least_interval(&self) -> Duration {
        Duration::ZERO
    }
}

/// When a sample is taken, and of what.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The monotonic clock.
    pub now: Timestamp,
    /// The program and its descendants, as of now or shortly before.
    pub tree: &'a ProcessTree,
}

/// Why a probe has no values now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Fault {
    /// The file, or what else should be read.
    pub what: String,
    /// In words.
    pub why: String,
}
