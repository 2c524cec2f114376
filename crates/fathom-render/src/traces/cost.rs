//! What sampling cost.

use crate::core_share;
use crate::layout::visible;
use crate::quantity::quick;
use fathom_record::trace::{ProbeCost, SamplerEntry};
use fathom_record::{TimeUnit, Unit};

/// A line per probe, the most expensive first.
pub(super) fn lines(sampler: &SamplerEntry) -> Vec<String> {
    let mut probes: Vec<&ProbeCost> = sampler.probes.iter().collect();
    probes.sort_by(|a, b| b.cpu_share.total_cmp(&a.cpu_share).then(a.probe.cmp(&b.probe)));
    let line = |cost: &ProbeCost| format!("{}: {}", visible(&cost.probe), in_words(cost));
    probes.into_iter().map(line).collect()
}

/// "1.6 us per sample, 0.3% of a core".
pub(super) fn in_words(cost: &ProbeCost) -> String {
    format!("{}, {}", per_sample(cost.ns_per_sample), core_share(cost.cpu_share))
}

/// "1.6 us per sample".
pub(super) fn per_sample(ns: f64) -> String {
    format!("{} per sample", quick(ns, &Unit::Time(TimeUnit::Nanoseconds)))
}
