//! What sampling cost.

use fathom_record::trace::{ProbeCost, SamplerEntry};
use fathom_record::{TimeUnit, Unit};
use fathom_render::layout::visible;
use fathom_render::quantity::quick;

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
pub(crate) fn per_sample(ns: f64) -> String {
    format!("{} per sample", quick(ns, &Unit::Time(TimeUnit::Nanoseconds)))
}

/// "0.3% of a core".
pub(crate) fn core_share(share: f64) -> String {
    let percent = share * 100.0;
    let digits = if percent >= 10.0 {
        0
    } else if percent >= 0.1 {
        1
    } else {
        2
    };
    format!("{percent:.digits$}% of a core")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_keep_a_digit_that_says_something() {
        let shown = [0.003, 0.0004, 0.12, 0.051].map(core_share);
        let known = ["0.3% of a core", "0.04% of a core", "12% of a core", "5.1% of a core"];
        assert_eq!(shown, known);
    }
}
