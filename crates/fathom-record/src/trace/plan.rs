//! What will be recorded, in which runs, and what that will cost.

use super::{Layer, TraceMetric};
use crate::Span;
use std::time::Duration;

/// More of a processor than this disturbs what is recorded.
pub const MOST_SHARE: f64 = 0.05;

/// What will be recorded, in which runs.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingPlan {
    /// The runs, in their order.
    pub runs: Vec<PlannedRun>,
    /// The metric that every run has; `None` if there is none to be had.
    pub common: Option<String>,
    /// The time between two samples.
    pub interval: Duration,
    /// Sources that cannot be read here, and why.
    pub unavailable: Vec<(String, String)>,
    /// What the user should know before.
    pub warnings: Vec<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// "run-1".
    pub id: String,
    /// What is recorded in it.
    pub group: String,
    /// The samplers.
    pub samplers: Vec<PlannedSampler>,
}

/// One sampler of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedSampler {
    /// "fast", "slow", "app".
    pub name: String,
    /// How often; `None` if rows come when the program says something.
    pub interval: Option<Duration>,
    /// What it reads.
    pub probes: Vec<PlannedProbe>,
}

/// One probe of a sampler.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedProbe {
    /// Its source's name.
    pub name: String,
    /// What it tells.
    pub about: String,
    /// Where its metrics come from.
    pub layer: Layer,
    /// The metrics that are known already; none if they show only once the program runs.
    pub metrics: Vec<TraceMetric>,
    /// Processor time per sample, as it was when tried.
    pub cpu_per_sample: Span,
}

impl PlannedSampler {
    /// How long all its probes take per sample.
    #[must_use]
    pub fn cpu_per_sample(&self) -> Span {
        self.probes.iter().map(|probe| probe.cpu_per_sample).sum()
    }

    /// What one of its probes will take, as a share of one processor.
    #[must_use]
    pub fn share_of(&self, probe: &PlannedProbe) -> f64 {
        self.interval.map_or(0.0, |interval| {
            Duration::from(probe.cpu_per_sample).as_secs_f64() / interval.as_secs_f64()
        })
    }
}

impl PlannedRun {
    /// Its probes, with their samplers.
    pub fn probes(&self) -> impl Iterator<Item = (&PlannedSampler, &PlannedProbe)> {
        let of = |sampler| move |probe| (sampler, probe);
        self.samplers.iter().flat_map(move |sampler| sampler.probes.iter().map(of(sampler)))
    }

    /// How many metrics are known before.
    #[must_use]
    pub fn metrics(&self) -> usize {
        self.probes().map(|(_, probe)| probe.metrics.len()).sum()
    }

    /// The layers it sees, lowest first.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let has = |layer: &Layer| self.probes().any(|(_, probe)| probe.layer == *layer);
        Layer::ALL.into_iter().filter(has).collect()
    }

    /// What sampling will take, as a share of one processor.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.probes().map(|(sampler, probe)| sampler.share_of(probe)).sum()
    }
}

impl RecordingPlan {
    /// How many metrics of each layer are known before, each counted once; lowest layer first.
    #[must_use]
    pub fn metrics_per_layer(&self) -> Vec<(Layer, usize)> {
        let mut metrics: Vec<&TraceMetric> = self
            .runs
            .iter()
            .flat_map(PlannedRun::probes)
            .flat_map(|(_, probe)| &probe.metrics)
            .collect();
        metrics.sort_by(|one, other| one.name.cmp(&other.name));
        metrics.dedup_by(|one, other| one.name == other.name);
        let count = |layer| metrics.iter().filter(|metric| metric.layer == layer).count();
        Layer::ALL.into_iter().map(|layer| (layer, count(layer))).filter(|one| one.1 > 0).collect()
    }
}
