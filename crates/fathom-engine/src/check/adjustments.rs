//! What the user says about the data that the data do not say: units, shapes, the clock, events
//! that need not occur.

use crate::EngineError;
use fathom_record::{Attribute, Events, Observation, Scalar, Shape, Unit, nearest};
use fathom_request::{Frequency, MetricUnit, ReadingOptions};
use std::collections::BTreeMap;

/// What the user says about the data.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjustments {
    units: Vec<(String, Unit)>,
    linear: Vec<String>,
    clock_hz: Option<f64>,
    events: Vec<(String, Vec<(String, Unit)>)>,
}

impl Adjustments {
    pub(super) fn of(reading: &ReadingOptions) -> Result<Adjustments, EngineError> {
        let unit = |MetricUnit { metric, unit }: &MetricUnit| (metric.clone(), Unit::parse(unit));
        let events: Result<Vec<_>, EngineError> =
            reading.events.iter().map(|text| declared(text)).collect();
        Ok(Adjustments {
            units: reading.units.iter().map(unit).collect(),
            linear: reading.linear.clone(),
            clock_hz: reading.clock.map(Frequency::hertz),
            events: events?,
        })
    }

    /// The observation as the user says it is.
    pub(super) fn apply(&self, seen: &mut Observation) -> Result<(), EngineError> {
        if let Some(hertz) = self.clock_hz {
            seen.set_clock_hz(hertz)?;
        }
        for (name, unit) in &self.units {
            set_unit(seen, name, unit)?;
        }
        for name in &self.linear {
            let Some(signal) = seen.signals().get(name) else {
                let signals = seen.signals().keys().map(String::as_str);
                return Err(unknown("--linear", name, "signal", signals));
            };
            let signal = signal.clone().with_shape(Shape::Linear);
            seen.set_signal(name, signal)?;
        }
        for (name, attributes) in &self.events {
            if !seen.events().contains_key(name) {
                let none = |(name, unit): &(String, Unit)| {
                    (name.clone(), Attribute { unit: unit.clone(), values: Vec::new() })
                };
                let attributes: BTreeMap<_, _> = attributes.iter().map(none).collect();
                let none = Events::new(Vec::new(), attributes)?;
                seen.set_events(name, none)?;
            }
        }
        Ok(())
    }
}

/// `NAME=UNIT`, or `EVENT.ATTRIBUTE=UNIT`, or `time=UNIT` for all times. It says what the data do
/// not: a unit that they state is neither replaced, which would change every value, nor converted
/// here, because properties convert by themselves.
fn set_unit(seen: &mut Observation, name: &str, unit: &Unit) -> Result<(), EngineError> {
    if let Some(scalar) = seen.scalars().get(name) {
        check_unstated(name, &scalar.unit, unit)?;
        let scalar = Scalar { unit: unit.clone(), ..scalar.clone() };
        return Ok(seen.set_scalar(name, scalar)?);
    }
    if let Some(signal) = seen.signals().get(name) {
        check_unstated(name, signal.unit(), unit)?;
        let signal = signal.clone().with_unit(unit.clone());
        return Ok(seen.set_signal(name, signal)?);
    }
    if let Some((event, attribute)) = name.rsplit_once('.')
        && let Some(events) = seen.events().get(event)
        && let Some(known) = events.attributes().get(attribute)
    {
        check_unstated(name, &known.unit, unit)?;
        let events = events.clone().with_attribute_unit(attribute, unit.clone());
        return Ok(seen.set_events(event, events)?);
    }
    if name == "time" {
        check_unstated(name, seen.time_unit(), unit)?;
        seen.set_time_unit(unit.clone());
        return Ok(());
    }
    let attributes = seen.events().iter().flat_map(|(event, events)| {
        events.attributes().keys().map(move |attribute| format!("{event}.{attribute}"))
    });
    let names: Vec<String> =
        seen.scalars().keys().chain(seen.signals().keys()).cloned().chain(attributes).collect();
    Err(unknown("--unit", name, "metric", names.iter().map(String::as_str)))
}

fn check_unstated(name: &str, stated: &Unit, unit: &Unit) -> Result<(), EngineError> {
    if matches!(stated, Unit::Unknown) || stated == unit {
        return Ok(());
    }
    Err(EngineError::usage(format!(
        "--unit {name}={unit}: the data say that {name} is in {stated}, and --unit does not convert; \
         leave it out and write the property in any unit of that kind: `{name} < 10{unit}` compares \
         {stated} with {unit} correctly. If the data state the wrong unit, correct it there"
    )))
}

fn unknown<'a>(
    option: &str,
    name: &str,
    what: &str,
    names: impl Iterator<Item = &'a str>,
) -> EngineError {
    const SHOWN: usize = 8;
    let names: Vec<&str> = names.collect();
    let near = nearest(name, &names);
    let near = near.first().map_or(String::new(), |near| format!("; did you mean {near}?"));
    let listed = match names.len() {
        0 => "there is none".to_string(),
        n if n > SHOWN => {
            format!("there are {} and {} more", names[..SHOWN].join(", "), n - SHOWN)
        }
        _ => format!("there are {}", names.join(", ")),
    };
    EngineError::usage(format!("{option} {name}: the data have no such {what}{near}; {listed}"))
}

/// Reads `NAME`, or `NAME(ATTRIBUTE[UNIT],...)`.
fn declared(text: &str) -> Result<(String, Vec<(String, Unit)>), EngineError> {
    let wrong = || {
        EngineError::usage(format!(
            "--event {text}: write the event's name, and its attributes in brackets if it has \
             some: 'R(latency[ns])'"
        ))
    };
    let Some((name, rest)) = text.split_once('(') else {
        return match text.trim() {
            "" => Err(wrong()),
            name => Ok((name.to_string(), Vec::new())),
        };
    };
    let inside = rest.strip_suffix(')').ok_or_else(wrong)?;
    let attribute = |text: &str| match text.trim().split_once('[') {
        None => Ok((text.trim().to_string(), Unit::Unknown)),
        Some((name, unit)) => {
            let unit = unit.strip_suffix(']').ok_or_else(wrong)?;
            Ok((name.trim().to_string(), Unit::parse(unit)))
        }
    };
    let attributes: Result<Vec<_>, EngineError> = inside.split(',').map(attribute).collect();
    let attributes = attributes?;
    if name.trim().is_empty() || attributes.iter().any(|(name, _)| name.is_empty()) {
        return Err(wrong());
    }
    Ok((name.trim().to_string(), attributes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_declared_with_their_attributes() {
        assert_eq!(declared("error").unwrap(), ("error".to_string(), vec![]));
        let (name, attributes) = declared("R(latency[ns], size)").unwrap();
        assert_eq!(name, "R");
        assert_eq!(attributes[0], ("latency".to_string(), Unit::parse("ns")));
        assert_eq!(attributes[1], ("size".to_string(), Unit::Unknown));
        for bad in ["", "(x)", "R(", "R()", "R(x[ns)"] {
            assert!(declared(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_said_changes_the_observation() {
        let mut seen: Observation = serde_json::from_str(
            r#"{"schema": "fathom-execution/1", "scalars": {"power": 12},
                "signals": {"temp": {"times": [0, 1], "values": [1, 2]}},
                "events": {"R": {"times": [1], "attributes": {"latency": [3]}}}}"#,
        )
        .unwrap();
        let mut said = Adjustments {
            units: vec![
                ("power".into(), Unit::parse("W")),
                ("R.latency".into(), Unit::parse("ns")),
            ],
            linear: vec!["temp".into()],
            clock_hz: Some(2e9),
            events: vec![("error".into(), vec![]), ("R".into(), vec![])],
        };
        said.apply(&mut seen).unwrap();
        assert_eq!(seen.scalars()["power"].unit.symbol(), "W");
        assert_eq!(seen.signals()["temp"].shape(), Shape::Linear);
        assert_eq!(seen.clock_hz(), Some(2e9));
        assert!(seen.events()["error"].times().is_empty());
        // An event that occurs is left as it is.
        assert_eq!(seen.events()["R"].times(), [1.0]);
        assert_eq!(seen.events()["R"].attributes()["latency"].unit, Unit::parse("ns"));
        // What the data state is not replaced.
        for (name, unit, stated) in
            [("power", "mW", "W"), ("R.latency", "us", "ns"), ("temp", "ms", "degC")]
        {
            let mut seen = seen.clone();
            if name == "temp" {
                let signal = seen.signals()["temp"].clone().with_unit(Unit::parse("degC"));
                seen.set_signal("temp", signal).unwrap();
            }
            let said = Adjustments {
                units: vec![(name.into(), Unit::parse(unit))],
                ..Adjustments::default()
            };
            let error = said.apply(&mut seen).unwrap_err().to_string();
            assert!(error.contains(&format!("the data say that {name} is in {stated}")), "{error}");
        }
        said.units = vec![("time".into(), Unit::parse("cycles"))];
        said.apply(&mut seen).unwrap();
        assert_eq!(seen.time_unit().symbol(), "cycles");
        said.units = vec![("powr".into(), Unit::parse("W"))];
        assert_eq!(
            said.apply(&mut seen).unwrap_err().to_string(),
            "--unit powr: the data have no such metric; did you mean power?; there are power, \
             temp, R.latency"
        );
    }
}
