//! Observations in Fathom's own JSON: how executions are saved, and a format that simulators can
//! write.

use super::{Attribute, Certainty, Events, Observation, ObservationError, Scalar, Shape, Signal};
use crate::Unit;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// What the `schema` field of an observation says.
pub const OBSERVATION_SCHEMA: &str = "fathom-execution/1";

/// An observation as it stands in a file, before it is known to make sense. Its parts have the right
/// types; [`WrittenObservation::observation`] says what else may be wrong.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenObservation {
    schema: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(default, skip_serializing_if = "is_unknown")]
    time_unit: Unit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_hz: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    scalars: BTreeMap<String, WrittenScalar>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    signals: BTreeMap<String, WrittenSignal>,
    /// Signals of 0 and 1, by the stretches in which they are 1. Only read.
    #[serde(default, skip_serializing)]
    states: BTreeMap<String, Vec<(f64, f64)>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    events: BTreeMap<String, WrittenEvents>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a scalar is a number, null, or {\"value\": 12, \"unit\": \"W\"}")]
enum WrittenScalar {
    Bare(Option<f64>),
    Full(FullScalar),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullScalar {
    value: Option<f64>,
    #[serde(default, skip_serializing_if = "is_unknown")]
    unit: Unit,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSignal {
    #[serde(default, skip_serializing_if = "is_unknown")]
    unit: Unit,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    linear: bool,
    times: Vec<f64>,
    values: Vec<Option<f64>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "events are [times], or {\"times\": [1], \"attributes\": {\"latency\": [2]}}"
)]
enum WrittenEvents {
    Times(Vec<f64>),
    Full(FullEvents),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullEvents {
    times: Vec<f64>,
    #[serde(default)]
    attributes: BTreeMap<String, WrittenAttribute>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "an attribute is [values], or {\"unit\": \"ns\", \"values\": [2]}")]
enum WrittenAttribute {
    Bare(Vec<Option<f64>>),
    Full(FullAttribute),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullAttribute {
    unit: Unit,
    values: Vec<Option<f64>>,
}

fn is_unknown(unit: &Unit) -> bool {
    *unit == Unit::Unknown
}

fn present(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

fn all_present(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|&value| present(value)).collect()
}

fn missing_as_nan(values: Vec<Option<f64>>) -> Vec<f64> {
    values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scalar = |scalar: &Scalar| match scalar {
            Scalar { value, unit: Unit::Unknown, certainty: Certainty::Exactly } => {
                WrittenScalar::Bare(present(*value))
            }
            Scalar { value, unit, certainty } => WrittenScalar::Full(FullScalar {
                value: present(*value),
                unit: unit.clone(),
                at_least: *certainty == Certainty::AtLeast,
            }),
        };
        let signal = |signal: &Signal| WrittenSignal {
            unit: signal.unit().clone(),
            linear: signal.shape() == Shape::Linear,
            times: signal.times().to_vec(),
            values: all_present(signal.values()),
        };
        let attribute = |attribute: &Attribute| match &attribute.unit {
            Unit::Unknown => WrittenAttribute::Bare(all_present(&attribute.values)),
            unit => WrittenAttribute::Full(FullAttribute {
                unit: unit.clone(),
                values: all_present(&attribute.values),
            }),
        };
        let events = |events: &Events| match events.attributes().is_empty() {
            true => WrittenEvents::Times(events.times().to_vec()),
            false => WrittenEvents::Full(FullEvents {
                times: events.times().to_vec(),
                attributes: mapped(events.attributes(), attribute),
            }),
        };
        WrittenObservation {
            schema: OBSERVATION_SCHEMA.to_string(),
            end: self.end,
            cut: self.is_cut,
            time_unit: self.time_unit.clone(),
            clock_hz: self.clock_hz,
            scalars: mapped(&self.scalars, scalar),
            signals: mapped(&self.signals, signal),
            states: BTreeMap::new(),
            events: mapped(&self.events, events),
        }
        .serialize(serializer)
    }
}

fn mapped<A, B>(map: &BTreeMap<String, A>, f: impl Fn(&A) -> B) -> BTreeMap<String, B> {
    map.iter().map(|(name, value)| (name.clone(), f(value))).collect()
}

impl<'de> Deserialize<'de> for Observation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Observation, D::Error> {
        let written = WrittenObservation::deserialize(deserializer)?;
        written.observation().map_err(D::Error::custom)
    }
}

impl WrittenObservation {
    /// The observation.
    ///
    /// # Errors
    /// Another version of the format, or something that does not fit into an observation.
    pub fn observation(self) -> Result<Observation, ObservationError> {
        if self.schema != OBSERVATION_SCHEMA {
            return Err(ObservationError::Schema { found: self.schema });
        }
        let mut seen = Observation::new();
        seen.set_cut(self.cut);
        seen.set_time_unit(self.time_unit);
        if let Some(hertz) = self.clock_hz {
            seen.set_clock_hz(hertz)?;
        }
        for (name, scalar) in self.scalars {
            let scalar = match scalar {
                WrittenScalar::Bare(value) => Scalar::new(value.unwrap_or(f64::NAN), Unit::Unknown),
                WrittenScalar::Full(FullScalar { value, unit, at_least }) => Scalar {
                    value: value.unwrap_or(f64::NAN),
                    unit,
                    certainty: if at_least { Certainty::AtLeast } else { Certainty::Exactly },
                },
            };
            seen.set_scalar(&name, scalar).map_err(|error| error.of(&name))?;
        }
        for (name, signal) in self.signals {
            let of = |error: ObservationError| error.of(&name);
            let shape = if signal.linear { Shape::Linear } else { Shape::Step };
            let values = missing_as_nan(signal.values);
            let signal = Signal::new(signal.unit, shape, signal.times, values).map_err(of)?;
            seen.set_signal(&name, signal).map_err(of)?;
        }
        for (name, stretches) in self.states {
            let of = |error: ObservationError| error.of(&name);
            let signal = state(&stretches).map_err(of)?;
            seen.set_signal(&name, signal).map_err(of)?;
        }
        for (name, events) in self.events {
            let of = |error: ObservationError| error.of(&name);
            let events = match events {
                WrittenEvents::Times(times) => Events::new(times, BTreeMap::new()),
                WrittenEvents::Full(full) => {
                    let attributes = full.attributes.into_iter().map(|(name, attribute)| {
                        let (unit, values) = match attribute {
                            WrittenAttribute::Bare(values) => (Unit::Unknown, values),
                            WrittenAttribute::Full(full) => (full.unit, full.values),
                        };
                        (name, Attribute { unit, values: missing_as_nan(values) })
                    });
                    Events::new(full.times, attributes.collect())
                }
            };
            seen.set_events(&name, events.map_err(of)?).map_err(of)?;
        }
        let last = |times: &[f64]| times.last().copied();
        let latest = seen.signals.values().filter_map(|signal| last(signal.times()));
        let latest = latest.chain(seen.events.values().filter_map(|events| last(events.times())));
        let latest = latest.reduce(f64::max);
        if let Some(end) = self.end.or(latest) {
            seen.set_end(end)?;
        }
        Ok(seen)
    }
}

/// A signal that is 1 in these stretches, their ends left out, and 0 elsewhere.
fn state(stretches: &[(f64, f64)]) -> Result<Signal, ObservationError> {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    if stretches.first().is_none_or(|&(from, _)| from > 0.0) {
        times.push(0.0);
        values.push(0.0);
    }
    for &(from, to) in stretches {
        if from.is_nan() || to.is_nan() || to <= from {
            return Err(ObservationError::EmptyPeriod { from, to });
        }
        // Stretches that touch are one.
        if times.last() == Some(&from) && times.len() > 1 {
            times.pop();
            values.pop();
        } else {
            times.push(from);
            values.push(1.0);
        }
        times.push(to);
        values.push(0.0);
    }
    Signal::new(Unit::Unknown, Shape::Step, times, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"schema": "fathom-execution/1", "end": 100, "time_unit": "cycles",
        "clock_hz": 2e9,
        "scalars": {"ipc": 1.5, "power": {"value": 12, "unit": "W"}, "gone": null},
        "signals": {"temp": {"unit": "degC", "times": [0, 20], "values": [60, null]}},
        "states": {"busy": [[20, 30], [30, 40], [60, 65]], "never": [], "on": [[0, 5]]},
        "events": {"error": [10, 10, 90],
                   "R": {"times": [3], "attributes": {"latency": {"unit": "ns", "values": [60]}}}}}"#;

    #[test]
    fn what_simulators_write_is_read() {
        let seen: Observation = serde_json::from_str(TEXT).unwrap();
        assert_eq!(seen.end(), Some(100.0));
        assert_eq!(seen.time_unit().symbol(), "cycles");
        assert_eq!(seen.scalars()["power"], Scalar::new(12.0, Unit::Other("W".into())));
        assert!(seen.scalars()["gone"].value.is_nan());
        assert!(seen.signals()["temp"].values()[1].is_nan());
        assert_eq!(seen.signals()["busy"].times(), [0.0, 20.0, 40.0, 60.0, 65.0]);
        assert_eq!(seen.signals()["busy"].values(), [0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(seen.signals()["never"].values(), [0.0]);
        assert_eq!(seen.signals()["on"].values(), [1.0, 0.0]);
        assert_eq!(seen.events()["R"].attributes()["latency"].values, [60.0]);
    }

    #[test]
    fn an_observation_reads_back() {
        let text = TEXT.replace("\"gone\": null", "\"left\": 1").replace("null", "3");
        let seen: Observation = serde_json::from_str(&text).unwrap();
        let again: Observation =
            serde_json::from_str(&serde_json::to_string(&seen).unwrap()).unwrap();
        assert_eq!(again, seen);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| serde_json::from_str::<Observation>(text).unwrap_err().to_string();
        let of = |rest: &str| error(&format!("{{\"schema\": \"fathom-execution/1\", {rest}}}"));
        assert!(
            of(r#""signals": {"t": {"times": [1, 1], "values": [1, 2]}}"#).starts_with(
                "\"t\": time 1 follows time 1, but the times of a signal must increase"
            )
        );
        assert!(of(r#""states": {"s": [[3, 2]]}"#).starts_with("\"s\": the period from 3 to 2"));
        assert!(of(r#""scalars": {"x": "high"}"#).starts_with("a scalar is a number, null, or"));
        assert!(of(r#""events": {"x": 3}"#).starts_with("events are [times], or"));
        assert!(of(r#""sclars": {}"#).contains("unknown field `sclars`"));
        assert!(error(r#"{"schema": "fathom/1"}"#).contains("only \"fathom-execution/1\""));
    }
}
