//! What will be recorded, in which runs, and what that will cost.

use super::offer::Offer;
use super::plan_error::words;
use fathom_record::trace::{Layer, TraceMetric};
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
    /// Processor time per sample, in nanoseconds, as it was when tried.
    pub ns_per_sample: u64,
}

impl PlannedProbe {
    pub(super) fn of(offer: &Offer) -> PlannedProbe {
        let found = offer.found.as_ref().ok();
        PlannedProbe {
            name: offer.name.clone(),
            about: offer.about.clone(),
            layer: offer.layer,
            metrics: found.map_or_else(Vec::new, |found| found.metrics.clone()),
            ns_per_sample: found.map_or(0, |found| found.ns_per_sample),
        }
    }
}

impl PlannedSampler {
    /// How long all its probes take, in nanoseconds per sample.
    #[must_use]
    pub fn ns_per_sample(&self) -> u64 {
        self.probes.iter().map(|probe| probe.ns_per_sample).sum()
    }

    /// What one of its probes will take, as a share of one processor.
    #[must_use]
    pub fn share_of(&self, probe: &PlannedProbe) -> f64 {
        self.interval.map_or(0.0, |interval| {
            Duration::from_nanos(probe.ns_per_sample).as_secs_f64() / interval.as_secs_f64()
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

    /// If it takes too much: which probe to drop, and which interval would do.
    pub(super) fn too_dear(&self) -> Option<String> {
        let share = self.share();
        if share <= MOST_SHARE {
            return None;
        }
        let shares = self.probes().map(|(sampler, probe)| (sampler.share_of(probe), probe));
        let (most, probe) = shares.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let interval = self.samplers.iter().find_map(|sampler| sampler.interval)?;
        Some(format!(
            "recording {} as {} will use about {} of a CPU, which may disturb the program. \
             Without {} it would use {}; with --every {}, at most {}.",
            self.group,
            self.id,
            percent(share),
            probe.name,
            percent(share - most),
            words(least_round(interval.mul_f64(share / MOST_SHARE))).replace(' ', ""),
            percent(MOST_SHARE),
        ))
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

/// The next of 1, 2 and 5 times a power of ten that is not less, from 100 us on.
pub(super) fn least_round(duration: Duration) -> Duration {
    let mut power = super::plan_error::LEAST_INTERVAL;
    loop {
        for factor in [1, 2, 5] {
            if let Some(round) = power.checked_mul(factor)
                && round >= duration
            {
                return round;
            }
        }
        match power.checked_mul(10) {
            Some(next) => power = next,
            None => return duration,
        }
    }
}

/// "0.3%", "12%".
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        ..0.095 => format!("{percent:.2}%"),
        0.095..9.95 => {
            let text = format!("{percent:.1}");
            format!("{}%", text.strip_suffix(".0").unwrap_or(&text))
        }
        _ => format!("{percent:.0}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_in_words() {
        let shares = [0.0, 0.0003, 0.003, 0.05, 0.0499, 0.123, 2.0].map(percent);
        assert_eq!(shares, ["0.00%", "0.03%", "0.3%", "5%", "5%", "12%", "200%"]);
    }

    #[test]
    fn round_intervals_are_not_less() {
        let round = |us| least_round(Duration::from_micros(us)).as_micros();
        assert_eq!(
            [1, 100, 101, 300, 5_000, 5_001, 90_000].map(round),
            [100, 100, 200, 500, 5_000, 10_000, 100_000]
        );
        assert_eq!(least_round(Duration::MAX), Duration::MAX);
    }
}
