//! All numbers of a line that is a JSON object.

use super::PROBE;
use super::registry::Row;
use fathom_record::Unit;
use fathom_record::trace::{Kind, Layer, TraceMetric, Value};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The most elements of an array that become metrics: those of a longer one are data.
pub(super) const MOST_ELEMENTS: usize = 64;

/// Members of the line itself that say when it was written.
const TIMES: [&str; 4] = ["time", "timestamp", "ts", "@timestamp"];

/// What was passed over in a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PassedOver {
    /// A member that says when the line was written.
    pub(super) time: Option<&'static str>,
    /// Elements of long arrays.
    pub(super) elements: u64,
}

/// Adds the numbers of a line to a row; `None` if the line is not a JSON object.
pub(super) fn read(line: &str, name: &mut String, row: &mut Row) -> Option<PassedOver> {
    if !line.trim_ascii_start().starts_with('{') {
        return None;
    }
    let before = row.len();
    name.clear();
    name.push_str(PROBE);
    let mut walk = Walk { name, row, depth: 0, passed_over: PassedOver::default() };
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let result = walk.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    let passed_over = walk.passed_over;
    if result.is_err() {
        row.take_back(before);
        return None;
    }
    Some(passed_over)
}

struct Walk<'a> {
    /// The name of the value that comes next.
    name: &'a mut String,
    row: &'a mut Row,
    depth: usize,
    passed_over: PassedOver,
}

impl Walk<'_> {
    fn add(&mut self, value: f64) {
        let name = self.name.as_str();
        self.row.add(name, Value::from(value), &|| {
            let own = name.strip_prefix(PROBE).and_then(|name| name.strip_prefix('.'));
            let own = own.unwrap_or(name);
            TraceMetric::real(PROBE, own, Layer::Application, Kind::Gauge, Unit::Unknown)
        });
    }
}

impl<'de> DeserializeSeed<'de> for &mut Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

#[allow(clippy::cast_precision_loss, reason = "values of traces that programs tell are doubles")]
impl<'de> Visitor<'de> for &mut Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.add(f64::from(u8::from(value)));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.add(value as f64);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.add(value as f64);
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.add(value);
        Ok(())
    }

    fn visit_str<E>(self, _text: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let length = self.name.len();
        self.depth += 1;
        while members.next_key_seed(Key(self.name))?.is_some() {
            let key = self.name.get(length + 1..).unwrap_or_default();
            match TIMES.into_iter().find(|&time| self.depth == 1 && time == key) {
                Some(time) => {
                    members.next_value::<IgnoredAny>()?;
                    self.passed_over.time.get_or_insert(time);
                }
                None => members.next_value_seed(&mut *self)?,
            }
            self.name.truncate(length);
        }
        self.depth -= 1;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let length = self.name.len();
        self.depth += 1;
        for n in 0..MOST_ELEMENTS {
            self.name.push_str(&format!("[{n}]"));
            let element = elements.next_element_seed(&mut *self)?;
            self.name.truncate(length);
            if element.is_none() {
                break;
            }
        }
        while elements.next_element::<IgnoredAny>()?.is_some() {
            self.passed_over.elements += 1;
        }
        self.depth -= 1;
        Ok(())
    }
}

/// Appends a dot and a member's name.
struct Key<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<(), E> {
        self.0.push('.');
        self.0.push_str(name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn members(line: &str) -> Option<(Vec<(String, f64)>, PassedOver)> {
        let mut row = Row::new(&[], Arc::default());
        let passed_over = read(line, &mut String::new(), &mut row)?;
        let readings = row.take().into_iter();
        let values =
            readings.filter_map(|(metric, value)| Some((metric.name.clone(), value.real()?)));
        Some((values.collect(), passed_over))
    }

    #[test]
    fn every_number_has_the_path_to_it_for_a_name() {
        let line = r#" {"a": 1, "b": {"c": -2.5, "d": [3, {"e": 4}, "x"]}, "f": "5", "g": true,
            "h": null, "i": false, "": 6, "k.l": 18446744073709551615, "a": 7} "#;
        let (values, passed_over) = members(line).unwrap();
        let values: Vec<(&str, f64)> =
            values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let expected = [
            ("app.a", 7.0),
            ("app.b.c", -2.5),
            ("app.b.d[0]", 3.0),
            ("app.b.d[1].e", 4.0),
            ("app.g", 1.0),
            ("app.i", 0.0),
            ("app.", 6.0),
            ("app.k.l", 18_446_744_073_709_551_615.0),
        ];
        assert_eq!(values, expected);
        assert_eq!(passed_over, PassedOver::default());
    }

    #[test]
    fn times_of_the_line_are_no_metrics() {
        let (values, passed_over) =
            members(r#"{"ts": 1.5, "time": "now", "x": {"ts": 2}}"#).unwrap();
        assert_eq!(values, [("app.x.ts".to_string(), 2.0)]);
        assert_eq!(passed_over, PassedOver { time: Some("ts"), elements: 0 });
    }

    #[test]
    fn long_arrays_are_bounded() {
        let line = format!("{{\"a\": {:?}}}", vec![1; MOST_ELEMENTS + 5]);
        let (values, passed_over) = members(&line).unwrap();
        assert_eq!((values.len(), passed_over.elements), (MOST_ELEMENTS, 5));
    }

    #[test]
    fn other_lines_give_nothing_even_if_they_begin_well() {
        for line in [
            "",
            "text",
            "5",
            "[1]",
            "{",
            "{\"a\": 1",
            "{\"a\": 1} x",
            "{\"a\": NaN}",
            "{\"a\": 1e999}",
            "{a: 1}",
            &format!("{{\"a\": {}", "[".repeat(100_000)),
        ] {
            assert_eq!(members(line), None, "{line}");
        }
    }
}
