//! What the machine may offer.

use super::{Moment, Probe, ProcessTree, jvm, perf, process, system};
use crate::clock;
use crate::cpu_time;
use fathom_record::Span;
use fathom_record::trace::{Layer, TraceMetric, Value};
use std::fmt;

/// Something that a program can be observed by, before a program is chosen.
pub trait Source: Send + Sync + fmt::Debug {
    /// Its name on the command line and before its metrics: "process.stat".
    fn name(&self) -> &str;

    /// What it tells, in one line.
    fn about(&self) -> &str;

    /// Which probes it is recorded with.
    fn family(&self) -> SourceFamily;

    /// Where its metrics come from.
    fn layer(&self) -> Layer;

    /// Opens it for a program. What exists only once the program runs, such as a virtual machine's
    /// counters, is not missing yet: its probe has no metrics at first.
    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable>;
}

/// Which sources are recorded together, in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceFamily {
    /// Of the program, from the kernel; cheap enough to be in every run.
    Perf,
    /// Of the program and what runs it.
    Process,
    /// Of the whole machine.
    System,
    /// Counters of the processor that fit on it at once; the number tells such sets apart.
    Hardware(u8),
}

/// Whom to observe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A process that waits before its exec: counted from the exec on, with all its descendants.
    Awaiting(u32),
    /// A process that runs.
    Running(u32),
}

impl Target {
    /// Its process.
    #[must_use]
    pub fn pid(self) -> u32 {
        match self {
            Target::Awaiting(pid) | Target::Running(pid) => pid,
        }
    }
}

/// Why a source cannot be opened here: what is missing, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// All sources, in the order in which they are shown and sampled. Which of them this machine has
/// shows when they are opened.
#[must_use]
pub fn sources() -> Vec<Box<dyn Source>> {
    let mut sources = perf::sources();
    sources.extend(process::sources());
    sources.push(jvm::jvm());
    sources.extend(system::sources());
    sources
}

/// What a source gives here, tried on this very process.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The metrics that are there already.
    pub metrics: Vec<TraceMetric>,
    /// Processor time per sample: the median of some.
    pub cpu_per_sample: Span,
}

/// Opens a source on this process and reads it a few times.
pub fn trial(source: &dyn Source) -> Result<Trial, Unavailable> {
    const SAMPLES: usize = 21;
    let pid = std::process::id();
    let mut probe = source.open(Target::Running(pid))?;
    let mut tree = ProcessTree::new(pid);
    let mut costs = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        tree.refresh(clock::monotonic());
        let began = cpu_time::thread();
        let moment = Moment { now: clock::monotonic(), tree: &tree };
        probe.refresh(&moment);
        let mut values = vec![Value::Missing; probe.metrics().len()];
        // A fault may come with values: then it is a note.
        if let Err(fault) = probe.sample(&moment, &mut values)
            && values.iter().all(|value| *value == Value::Missing)
        {
            return Err(Unavailable(fault.to_string()));
        }
        costs.push(cpu_time::thread() - began);
    }
    costs.sort_unstable();
    let cpu_per_sample = costs.get(SAMPLES / 2).copied().unwrap_or_default();
    Ok(Trial { metrics: probe.metrics().to_vec(), cpu_per_sample })
}
