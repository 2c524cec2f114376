//! What the sources of the program's files have in common, and their probes.

use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::{Layer, TraceMetric, Value};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Opens a probe of a program's processes below a folder such as /proc.
pub(super) type Open = fn(&Path, Target) -> Result<Box<dyn Probe>, Unavailable>;

/// A file that every process or thread has, as a source.
#[derive(Debug)]
pub(super) struct ProcessSource {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Where the processes are: `/proc`.
    pub(super) proc: PathBuf,
    pub(super) open: Open,
}

impl Source for ProcessSource {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> &str {
        self.about
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Process
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        (self.open)(&self.proc, target)
    }
}

/// Reads the files of all processes or threads, and sums them up.
pub(super) trait ProcessReader: fmt::Debug + Send {
    /// As [`Probe::sample`].
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault>;

    /// As [`Probe::least_interval`].
    fn least_interval(&self) -> Duration {
        Duration::ZERO
    }
}

/// The probe of a [`ProcessSource`].
#[derive(Debug)]
pub(super) struct ProcessProbe<Reader> {
    pub(super) name: &'static str,
    pub(super) metrics: Vec<TraceMetric>,
    pub(super) reader: Reader,
}

impl<Reader: ProcessReader> Probe for ProcessProbe<Reader> {
    fn name(&self) -> &str {
        self.name
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        self.reader.sample(moment, values)
    }

    fn least_interval(&self) -> Duration {
        self.reader.least_interval()
    }
}
