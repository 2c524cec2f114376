//! What follows from a metric's name.

use fathom_record::trace::{Kind, Layer};
use fathom_record::{TimeUnit, Unit};

use super::perf_line;

/// Beginnings of names by which tools tell what the kernel says: node exporter, cAdvisor, the
/// process collector of Prometheus' clients, Netdata's charts of the system, Fathom's own probes.
const OF_THE_SYSTEM: [&str; 19] = [
    "node_",
    "process_",
    "container_",
    "process.",
    "system.",
    "cpu.",
    "mem.",
    "disk.",
    "disk_",
    "net.",
    "net_",
    "ip.",
    "ipv4.",
    "ipv6.",
    "cgroup_",
    "services.",
    "users.",
    "apps.",
    "numa.",
];

/// Those of virtual machines and their collectors.
const OF_A_VM: [&str; 5] = ["jvm_", "jvm.", "gc.", "safepoint.", "go_"];

/// Where a metric comes from.
pub(super) fn layer(name: &str) -> Layer {
    let begins = |with: &[&str]| with.iter().any(|start| name.starts_with(start));
    if let Some(event) = name.strip_prefix("perf.") {
        perf_line::layer(event)
    } else if begins(&OF_THE_SYSTEM) {
        Layer::Os
    } else if begins(&OF_A_VM) {
        Layer::Vm
    } else {
        Layer::Application
    }
}

/// The unit that Prometheus' rules put at the end of a name, before `_total`: `_seconds`, `_bytes`.
/// Buckets and counts of something in seconds are not seconds.
pub(super) fn unit(name: &str) -> Unit {
    let name = name.split('{').next().unwrap_or(name);
    let name = ["_total", "_sum"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let (rest, word) = name.rsplit_once('_').unwrap_or(("", ""));
    match word {
        _ if rest.is_empty() => Unit::Unknown,
        "bytes" => Unit::Bytes,
        "seconds" | "milliseconds" | "microseconds" | "nanoseconds" => {
            TimeUnit::parse(word).map_or(Unit::Unknown, Unit::Time)
        }
        _ => Unit::Unknown,
    }
}

/// What Prometheus' rules make of a name.
pub(super) fn kind(name: &str) -> Kind {
    let name = name.split('{').next().unwrap_or(name);
    let is_total = ["_total", "_count", "_sum", "_bucket"].iter().any(|end| name.ends_with(end));
    if is_total { Kind::Counter } else { Kind::Gauge }
}

/// Words as part of a name: lower case, joined by `-`.
pub(super) fn slug(words: &str) -> String {
    let mut slug = String::with_capacity(words.len());
    for letter in words.chars() {
        if letter.is_alphanumeric() || matches!(letter, '.' | '_' | '%' | '/') {
            slug.extend(letter.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches(['-', '.']).len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_layer_unit_and_kind() {
        for (name, expected, symbol, meaning) in [
            ("node_cpu_seconds_total{cpu=\"0\"}", Layer::Os, "s", Kind::Counter),
            ("node_memory_MemFree_bytes", Layer::Os, "B", Kind::Gauge),
            ("jvm_gc_pause_seconds_sum", Layer::Vm, "s", Kind::Counter),
            (
                "http_request_duration_seconds_bucket{le=\"1\"}",
                Layer::Application,
                "",
                Kind::Counter,
            ),
            ("http_request_duration_seconds_count", Layer::Application, "", Kind::Counter),
            ("_bytes", Layer::Application, "", Kind::Gauge),
            ("a_gauge{x=\"_total\"}", Layer::Application, "", Kind::Gauge),
            ("system.cpu.user", Layer::Os, "", Kind::Gauge),
            ("perf.cycles", Layer::Hardware, "", Kind::Gauge),
            ("perf.page-faults", Layer::Os, "", Kind::Gauge),
            ("gc.pause", Layer::Vm, "", Kind::Gauge),
        ] {
            assert_eq!(layer(name), expected, "{name}");
            assert_eq!(unit(name).symbol(), symbol, "{name}");
            assert_eq!(kind(name), meaning, "{name}");
        }
    }

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("G1 Evacuation Pause"), "g1-evacuation-pause");
        assert_eq!(slug("System.gc()"), "system.gc");
        assert_eq!(slug("Phase 1: Mark live objects"), "phase-1-mark-live-objects");
        assert_eq!(slug(" (x) "), "x");
        assert_eq!(slug("()"), "");
    }
}
