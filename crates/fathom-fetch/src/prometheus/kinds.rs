//! What a metric's values mean, by the store's metadata.

use super::answers::MetadataEntry;
use fathom_record::trace::Kind;
use std::collections::BTreeMap;

/// What is known of names.
#[derive(Default)]
pub(super) struct Kinds(BTreeMap<String, Vec<MetadataEntry>>);

/// What a metric is, as far as metadata says it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Known {
    pub(super) kind: Option<Kind>,
    pub(super) help: String,
}

impl Kinds {
    pub(super) fn new(metadata: BTreeMap<String, Vec<MetadataEntry>>) -> Kinds {
        Kinds(metadata)
    }

    /// What is known of a series' name.
    pub(super) fn of(&self, name: &str) -> Known {
        // `x_total` is a series of the counter x or x_total; `x_bucket` one of the histogram x.
        const PARTS: [&str; 5] = ["_total", "_bucket", "_count", "_sum", "_created"];
        if let Some(entries) = self.0.get(name) {
            return known(entries, "");
        }
        let part = PARTS.into_iter().find(|part| name.ends_with(part));
        let base = part.and_then(|part| Some((part, self.0.get(name.strip_suffix(part)?)?)));
        base.map_or_else(Known::default, |(part, entries)| known(entries, part))
    }
}

/// Targets may disagree about a name; then nothing is known.
fn known(entries: &[MetadataEntry], part: &str) -> Known {
    let help = entries.iter().map(|entry| entry.help.trim()).find(|help| !help.is_empty());
    let mut kinds = entries.iter().map(|entry| kind(&entry.kind, part));
    let first = kinds.next().flatten();
    let kind = first.filter(|first| kinds.all(|other| other == Some(*first)));
    Known { kind, help: help.unwrap_or_default().to_string() }
}

fn kind(family: &str, part: &str) -> Option<Kind> {
    match (family, part) {
        (_, "_created") => Some(Kind::Gauge),
        ("counter", _) => Some(Kind::Counter),
        ("gauge" | "gaugehistogram" | "info" | "stateset", _) => Some(Kind::Gauge),
        // Its quantiles have the bare name.
        ("summary", "") => Some(Kind::Gauge),
        ("histogram" | "summary", "_bucket" | "_count" | "_sum") => Some(Kind::Counter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &str, help: &str) -> MetadataEntry {
        MetadataEntry { kind: kind.to_string(), help: help.to_string() }
    }

    #[test]
    fn metadata_tells_counters_from_levels() {
        let kinds = Kinds::new(
            [
                ("node_cpu_seconds_total", vec![entry("counter", "Seconds.")]),
                ("requests", vec![entry("counter", "")]),
                ("queue_count", vec![entry("gauge", ""), entry("gauge", "Waiting.")]),
                ("latency_seconds", vec![entry("histogram", "")]),
                ("gc_seconds", vec![entry("summary", "")]),
                ("mixed", vec![entry("gauge", ""), entry("counter", "")]),
                ("odd", vec![entry("unknown", "")]),
            ]
            .into_iter()
            .map(|(name, entries)| (name.to_string(), entries))
            .collect(),
        );
        for (name, kind) in [
            ("node_cpu_seconds_total", Some(Kind::Counter)),
            ("requests_total", Some(Kind::Counter)),
            ("requests_created", Some(Kind::Gauge)),
            ("queue_count", Some(Kind::Gauge)),
            ("latency_seconds_bucket", Some(Kind::Counter)),
            ("latency_seconds_sum", Some(Kind::Counter)),
            ("latency_seconds", None),
            ("gc_seconds", Some(Kind::Gauge)),
            ("gc_seconds_count", Some(Kind::Counter)),
            ("mixed", None),
            ("odd", None),
            ("missing_total", None),
        ] {
            assert_eq!(kinds.of(name).kind, kind, "{name}");
        }
        assert_eq!(kinds.of("queue_count").help, "Waiting.");
    }
}
