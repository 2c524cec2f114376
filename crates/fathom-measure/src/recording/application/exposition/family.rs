//! Families of series: what `# TYPE`, `# UNIT` and `# HELP` say.

use super::sample::{SampleError, quoted};
use fathom_record::Unit;
use fathom_record::trace::Kind;
use std::collections::HashMap;

/// The families that were announced so far, by name.
#[derive(Debug, Default)]
pub(super) struct Families(HashMap<String, Family>);

#[derive(Debug)]
pub(super) struct Family {
    name: String,
    kind: FamilyKind,
    unit: Option<Unit>,
    help: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum FamilyKind {
    Counter,
    Gauge,
    Histogram,
    GaugeHistogram,
    Summary,
    /// Also what is a state, or a text in labels.
    #[default]
    Unknown,
}

/// What a series' name has after its family's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix {
    None,
    Total,
    Created,
    Bucket,
    Count,
    Sum,
    Info,
}

/// Suffixes that belong to series and not to families.
const SUFFIXES: [(&str, Suffix); 8] = [
    ("_total", Suffix::Total),
    ("_created", Suffix::Created),
    ("_bucket", Suffix::Bucket),
    ("_count", Suffix::Count),
    ("_gcount", Suffix::Count),
    ("_sum", Suffix::Sum),
    ("_gsum", Suffix::Sum),
    ("_info", Suffix::Info),
];

impl Families {
    /// Takes a comment, without its `#`. Most comments say nothing.
    pub(super) fn take(&mut self, comment: &str) -> Result<(), SampleError> {
        let comment = comment.trim();
        let (word, rest) = comment.split_once([' ', '\t']).unwrap_or((comment, ""));
        if !matches!(word, "TYPE" | "UNIT" | "HELP") {
            return Ok(());
        }
        let rest = rest.trim_start();
        let (name, value) = if rest.starts_with('"') {
            quoted(rest)?
        } else {
            let (name, value) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
            (name.to_string(), value)
        };
        if name.is_empty() {
            return Err(SampleError("a comment without a metric name"));
        }
        let value = value.trim();
        let family = self.0.entry(name.clone()).or_insert_with(|| Family {
            name,
            kind: FamilyKind::Unknown,
            unit: None,
            help: String::new(),
        });
        match word {
            "TYPE" => family.kind = FamilyKind::read(value)?,
            "UNIT" => family.unit = Some(Unit::parse(value)).filter(|unit| *unit != Unit::Unknown),
            _ => family.help = shown(value),
        }
        Ok(())
    }

    /// The family of a series, and what its name has more.
    pub(super) fn of(&self, series: &str) -> (Option<&Family>, Suffix) {
        if let Some(family) = self.0.get(series) {
            return (Some(family), Suffix::None);
        }
        for (text, suffix) in SUFFIXES {
            if let Some(family) = series.strip_suffix(text).and_then(|name| self.0.get(name)) {
                return (Some(family), suffix);
            }
        }
        (None, Suffix::None)
    }
}

impl FamilyKind {
    fn read(word: &str) -> Result<FamilyKind, SampleError> {
        Ok(match word {
            "counter" => FamilyKind::Counter,
            "gauge" => FamilyKind::Gauge,
            "histogram" => FamilyKind::Histogram,
            "gaugehistogram" => FamilyKind::GaugeHistogram,
            "summary" => FamilyKind::Summary,
            "unknown" | "untyped" | "info" | "stateset" => FamilyKind::Unknown,
            _ => return Err(SampleError("an unknown type")),
        })
    }
}

impl Family {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn unit(&self) -> Option<&Unit> {
        self.unit.as_ref()
    }

    pub(super) fn help(&self) -> &str {
        &self.help
    }

    /// What its series with that suffix is: everything that only grows is a counter.
    pub(super) fn kind(&self, suffix: Suffix) -> Kind {
        match (self.kind, suffix) {
            (_, Suffix::Created) => Kind::Gauge,
            (FamilyKind::Counter, Suffix::None | Suffix::Total)
            | (
                FamilyKind::Histogram | FamilyKind::Summary,
                Suffix::Bucket | Suffix::Count | Suffix::Sum,
            ) => Kind::Counter,
            // Quantiles of summaries, and histograms of what is there now.
            _ => Kind::Gauge,
        }
    }
}

/// A help text as it is kept: on one line, and not too long.
fn shown(help: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown = String::new();
    let mut letters = help.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => shown.push(' '),
                Some(other @ ('\\' | '"')) => shown.push(other),
                Some(other) => shown.extend(['\\', other]),
                None => shown.push('\\'),
            },
            letter if letter.is_control() => shown.push(' '),
            letter => shown.push(letter),
        }
    }
    if shown.chars().count() > LONGEST {
        shown = shown.chars().take(LONGEST).collect();
        shown.push_str("...");
    }
    shown
}
