//! Units of measured values.

use crate::Timestamp;
use std::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// What a series' numbers count.
///
/// Values keep the unit they were written in: converting nanosecond ticks to seconds would round
/// them, and rounded ticks no longer tie where the clock made them tie.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// A duration.
    Time(TimeUnit),
    /// An amount of memory or data.
    Bytes,
    /// Anything else the source names: "misses", "requests/s".
    Other(String),
    /// The source did not say.
    #[default]
    Unknown,
}

/// Units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeUnit {
    /// 1e-9 s
    Nanoseconds,
    /// 1e-6 s
    Microseconds,
    /// 1e-3 s
    Milliseconds,
    /// 1 s
    Seconds,
    /// 60 s
    Minutes,
    /// 3600 s
    Hours,
}

impl TimeUnit {
    /// All of them, smallest first.
    pub const ALL: [TimeUnit; 6] = [
        TimeUnit::Nanoseconds,
        TimeUnit::Microseconds,
        TimeUnit::Milliseconds,
        TimeUnit::Seconds,
        TimeUnit::Minutes,
        TimeUnit::Hours,
    ];

    /// How many of this unit make a second (below a second), as an exact integer.
    fn per_second(self) -> f64 {
        match self {
            TimeUnit::Nanoseconds => 1e9,
            TimeUnit::Microseconds => 1e6,
            TimeUnit::Milliseconds => 1e3,
            _ => 1.0,
        }
    }

    /// How many seconds one of this unit is (from a second up), as an exact integer.
    fn seconds(self) -> f64 {
        match self {
            TimeUnit::Minutes => 60.0,
            TimeUnit::Hours => 3600.0,
            _ => 1.0,
        }
    }

    /// `value` in this unit, expressed in `to`. One multiplication and one division by exact
    /// integers, so 250 ms is 0.25 s to the last bit.
    #[must_use]
    pub fn convert(self, value: f64, to: TimeUnit) -> f64 {
        if self == to {
            return value;
        }
        let up = self.seconds() * to.per_second();
        let down = self.per_second() * to.seconds();
        if up >= down { value * (up / down) } else { value / (down / up) }
    }

    /// A moment exactly as it would be typed, without zeros at the end. A bare number is
    /// in this unit; minutes and hours do not divide by ten, so these are seconds and say so.
    ///
    /// ```
    /// use fathom_record::{TimeUnit, Timestamp};
    /// assert_eq!(TimeUnit::Seconds.exactly(Timestamp::from_seconds(12.4)), "12.4");
    /// assert_eq!(TimeUnit::Minutes.exactly(Timestamp::from_seconds(90.0)), "90s");
    /// ```
    #[must_use]
    pub fn exactly(self, moment: Timestamp) -> String {
        let nanoseconds = moment.nanoseconds();
        let (size, digits): (u64, usize) = match self {
            TimeUnit::Nanoseconds => (1, 0),
            TimeUnit::Microseconds => (1_000, 3),
            TimeUnit::Milliseconds => (1_000_000, 6),
            TimeUnit::Seconds | TimeUnit::Minutes | TimeUnit::Hours => (1_000_000_000, 9),
        };
        let sign = if nanoseconds < 0 { "-" } else { "" };
        let count = nanoseconds.unsigned_abs();
        let (whole, part) = (count / size, count % size);
        let part = format!("{part:0digits$}");
        let part = if digits == 0 { "" } else { part.trim_end_matches('0') };
        let point = if part.is_empty() { "" } else { "." };
        let unit = match self {
            TimeUnit::Minutes | TimeUnit::Hours => "s",
            _ => "",
        };
        format!("{sign}{whole}{point}{part}{unit}")
    }

    /// The symbol written after a number.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Nanoseconds => "ns",
            TimeUnit::Microseconds => "us",
            TimeUnit::Milliseconds => "ms",
            TimeUnit::Seconds => "s",
            TimeUnit::Minutes => "min",
            TimeUnit::Hours => "h",
        }
    }

    /// Reads a symbol or a name ("us", "µs", "microsecond", "microseconds").
    #[must_use]
    pub fn parse(text: &str) -> Option<TimeUnit> {
        Some(match text.trim().to_lowercase().as_str() {
            "ns" | "nsec" | "nanosecond" | "nanoseconds" => TimeUnit::Nanoseconds,
            // Both Unicode characters for micro: the sign U+00B5 and the Greek letter U+03BC.
            "us" | "\u{b5}s" | "\u{3bc}s" | "usec" | "microsecond" | "microseconds" => {
                TimeUnit::Microseconds
            }
            "ms" | "msec" | "millisecond" | "milliseconds" => TimeUnit::Milliseconds,
            "s" | "sec" | "secs" | "second" | "seconds" => TimeUnit::Seconds,
            "min" | "minute" | "minutes" => TimeUnit::Minutes,
            "h" | "hour" | "hours" => TimeUnit::Hours,
            _ => return None,
        })
    }
}

impl Unit {
    /// Seconds, the unit of every time that does not say otherwise.
    pub const SECONDS: Unit = Unit::Time(TimeUnit::Seconds);

    /// Reads a unit's symbol or name; what is not a known unit is kept as the source wrote it.
    ///
    /// ```
    /// use fathom_record::{TimeUnit, Unit};
    /// assert_eq!(Unit::parse("ms"), Unit::Time(TimeUnit::Milliseconds));
    /// assert_eq!(Unit::parse("misses"), Unit::Other("misses".into()));
    /// assert_eq!(Unit::parse(" "), Unit::Unknown);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Unit {
        let text = text.trim();
        if text.is_empty() {
            return Unit::Unknown;
        }
        if let Some(time) = TimeUnit::parse(text) {
            return Unit::Time(time);
        }
        match text.to_lowercase().as_str() {
            "b" | "byte" | "bytes" => Unit::Bytes,
            _ => Unit::Other(text.to_string()),
        }
    }

    /// The symbol written after a number; empty when the unit is unknown.
    #[must_use]
    pub fn symbol(&self) -> &str {
        match self {
            Unit::Time(time) => time.symbol(),
            Unit::Bytes => "B",
            Unit::Other(text) => text,
            Unit::Unknown => "",
        }
    }

    /// The unit of time, if it is one.
    #[must_use]
    pub fn time(&self) -> Option<TimeUnit> {
        match self {
            Unit::Time(time) => Some(*time),
            _ => None,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Unit::Unknown => serializer.serialize_none(),
            known => serializer.serialize_str(known.symbol()),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Unit {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unit".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "`ns`, `us`, `ms`, `s`, `min`, `h`, `B`, or the source's own word; `null` \
                if the source does not say.",
            "type": ["string", "null"]
        })
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unit, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.map_or(Unit::Unknown, |text| Unit::parse(&text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_exact_where_the_result_is_representable() {
        assert_eq!(TimeUnit::Milliseconds.convert(250.0, TimeUnit::Seconds), 0.25);
        assert_eq!(TimeUnit::Seconds.convert(0.25, TimeUnit::Nanoseconds), 250e6);
        assert_eq!(TimeUnit::Hours.convert(1.5, TimeUnit::Minutes), 90.0);
        assert_eq!(TimeUnit::Minutes.convert(0.5, TimeUnit::Milliseconds), 30_000.0);
        assert_eq!(TimeUnit::Nanoseconds.convert(1e9, TimeUnit::Seconds), 1.0);
    }

    #[test]
    fn times_are_typed_back_exactly() {
        let at = Timestamp::from_nanoseconds;
        assert_eq!(TimeUnit::Seconds.exactly(at(60_000_000_000)), "60");
        assert_eq!(TimeUnit::Seconds.exactly(at(0)), "0");
        assert_eq!(TimeUnit::Microseconds.exactly(at(-1_500)), "-1.5");
        assert_eq!(TimeUnit::Nanoseconds.exactly(at(7)), "7");
        assert_eq!(TimeUnit::Hours.exactly(at(1_500_000_000)), "1.5s");
        assert_eq!(
            TimeUnit::Seconds.exactly(at(1_681_855_803_000_000_001)),
            "1681855803.000000001"
        );
    }

    #[test]
    fn every_symbol_reads_back() {
        for unit in TimeUnit::ALL {
            assert_eq!(Unit::parse(unit.symbol()), Unit::Time(unit));
        }
        assert_eq!(Unit::parse(Unit::Bytes.symbol()), Unit::Bytes);
    }

    #[test]
    fn json_has_null_for_an_unknown_unit() {
        assert_eq!(serde_json::to_string(&Unit::Unknown).unwrap(), "null");
        assert_eq!(serde_json::from_str::<Unit>("null").unwrap(), Unit::Unknown);
        assert_eq!(serde_json::from_str::<Unit>("\"ns\"").unwrap(), Unit::parse("ns"));
    }
}
