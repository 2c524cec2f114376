//! What this machine offers to be recorded.

use fathom_record::Span;
use fathom_record::trace::{Layer, PlannedProbe, TraceMetric};
use fathom_sys::probes::{Source, SourceFamily, Target, Unavailable, trial};
use std::time::Duration;

/// A source, and what trying it gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The source's name: "process.stat".
    pub name: String,
    /// What it tells, in one line.
    pub about: String,
    /// Which sources it is recorded with.
    pub family: SourceFamily,
    /// Where its metrics come from.
    pub layer: Layer,
    /// What it gives here, or why it gives nothing.
    pub found: Result<OfferedMetrics, Unavailable>,
}

/// What a source gives here.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedMetrics {
    /// The metrics that are there already; none if they show only once the program runs.
    pub metrics: Vec<TraceMetric>,
    /// Processor time per sample.
    pub cpu_per_sample: Span,
    /// How far apart samples must be at least.
    pub least_interval: Duration,
}

impl Offer {
    /// Tries a source on this process.
    #[must_use]
    pub fn of(source: &dyn Source) -> Offer {
        Offer {
            name: source.name().to_string(),
            about: source.about().to_string(),
            family: source.family(),
            layer: source.layer(),
            found: find(source),
        }
    }

    /// The probe of a plan that it becomes.
    pub(super) fn planned(&self) -> PlannedProbe {
        let found = self.found.as_ref().ok();
        PlannedProbe {
            name: self.name.clone(),
            about: self.about.clone(),
            layer: self.layer,
            metrics: found.map_or_else(Vec::new, |found| found.metrics.clone()),
            cpu_per_sample: found.map_or(Span::ZERO, |found| found.cpu_per_sample),
        }
    }
}

fn find(source: &dyn Source) -> Result<OfferedMetrics, Unavailable> {
    let least_interval = source.open(Target::Running(std::process::id()))?.least_interval();
    let tried = trial(source)?;
    Ok(OfferedMetrics {
        metrics: tried.metrics,
        cpu_per_sample: tried.cpu_per_sample,
        least_interval,
    })
}

/// What all sources offer, in their order.
#[must_use]
pub fn offers(sources: &[Box<dyn Source>]) -> Vec<Offer> {
    sources.iter().map(|source| Offer::of(source.as_ref())).collect()
}
