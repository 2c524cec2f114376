//! The text formats in which servers expose metrics: that of Prometheus (0.0.4) and OpenMetrics 1.0.

mod family;
mod sample;

use super::heard::Example;
use family::{Families, Suffix};
use fathom_record::Unit;
use fathom_record::trace::{Kind, Value};

/// What one answer exposes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Exposed {
    pub(super) samples: Vec<Exhibit>,
    /// Lines that could not be read.
    pub(super) unreadable: u64,
    pub(super) first_unreadable: Option<Example>,
    /// Whether there was an end mark, `# EOF`.
    pub(super) has_end: bool,
}

/// One value of one series.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exhibit {
    /// `name{label="value"}`, labels in the order of their names.
    pub(super) series: String,
    pub(super) kind: Kind,
    pub(super) unit: Unit,
    /// NaN and the infinities are missing.
    pub(super) value: Value,
    /// The server's description of it.
    pub(super) about: String,
}

/// Reads one answer. Lines that cannot be read are counted, and the others still count.
pub(super) fn read(text: &str) -> Exposed {
    let mut exposed = Exposed::default();
    let mut families = Families::default();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_matches([' ', '\t', '\r']);
        let read = match line.strip_prefix('#') {
            _ if line.is_empty() => Ok(()),
            Some(comment) if comment.trim() == "EOF" => {
                exposed.has_end = true;
                break;
            }
            Some(comment) => families.take(comment),
            None => sample::read(line).map(|sample| {
                let (family, suffix) = families.of(&sample.name);
                let kind = family.map_or(Kind::Gauge, |family| family.kind(suffix));
                let named = family.map_or(sample.name.as_str(), |family| family.name());
                let unit = unit(family.and_then(|family| family.unit()), named, suffix);
                let about = family.map_or("", |family| family.help()).to_string();
                let value = Value::from(sample.value);
                exposed.samples.push(Exhibit { series: sample.series(), kind, unit, value, about });
            }),
        };
        if let Err(why) = read {
            exposed.unreadable += 1;
            let number = n as u64 + 1;
            exposed
                .first_unreadable
                .get_or_insert_with(|| Example::new(number, line, why.to_string()));
        }
    }
    exposed
}

/// The unit of a family's values: as it says, or as its name ends, which is the custom. How many
/// observations there were has none.
fn unit(said: Option<&Unit>, family: &str, suffix: Suffix) -> Unit {
    match suffix {
        Suffix::Count | Suffix::Bucket | Suffix::Info => Unit::Unknown,
        Suffix::Created => Unit::SECONDS,
        Suffix::None | Suffix::Total | Suffix::Sum => said.cloned().unwrap_or_else(|| {
            let name = family.strip_suffix("_total").unwrap_or(family);
            match name.rsplit_once('_').map_or(name, |(_, last)| last) {
                "seconds" => Unit::SECONDS,
                "bytes" => Unit::Bytes,
                _ => Unit::Unknown,
            }
        }),
    }
}

#[cfg(test)]
mod tests;
