//! An observation: the data of one execution, as properties refer to it.

mod error;
mod events;
mod json;
mod merge;
mod numbers;
mod signal;

use crate::Unit;
use std::collections::BTreeMap;

pub use error::ObservationError;
pub use events::{Attribute, Events};
pub use json::{OBSERVATION_SCHEMA, WrittenObservation};
pub use merge::MergeError;
pub use signal::{Shape, Signal};

/// What was seen of one execution: numbers that hold for all of it, signals over its time, and
/// events in it. Times count from its start, in [`time_unit`](Observation::time_unit).
///
/// A name means one thing: a scalar, a signal or an event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    end: Option<f64>,
    is_cut: bool,
    time_unit: Unit,
    clock_hz: Option<f64>,
    scalars: BTreeMap<String, Scalar>,
    signals: BTreeMap<String, Signal>,
    events: BTreeMap<String, Events>,
}

/// A number that holds for a whole execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The number; NaN if it is missing.
    pub value: f64,
    /// What it counts.
    pub unit: Unit,
    /// Whether the number is that, or no more than its lower bound.
    pub certainty: Certainty,
}

/// How much is known of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Certainty {
    /// It is the number.
    #[default]
    Exactly,
    /// It would have become at least that: the run time of an execution that was cut off.
    AtLeast,
}

impl Observation {
    /// An observation in which nothing was seen.
    #[must_use]
    pub fn new() -> Observation {
        Observation::default()
    }

    /// When the execution ended; `None` where nothing is known of time.
    #[must_use]
    pub fn end(&self) -> Option<f64> {
        self.end
    }

    /// Whether it was stopped early, by a time limit or a kill.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Marks it as stopped early.
    pub fn set_cut(&mut self, is_cut: bool) {
        self.is_cut = is_cut;
    }

    /// What times are in: a unit of time, "cycles", "ticks", or unknown for numbered steps.
    #[must_use]
    pub fn time_unit(&self) -> &Unit {
        &self.time_unit
    }

    /// Says what times are in.
    pub fn set_time_unit(&mut self, unit: Unit) {
        self.time_unit = unit;
    }

    /// The frequency that ties cycles to seconds, in hertz.
    #[must_use]
    pub fn clock_hz(&self) -> Option<f64> {
        self.clock_hz
    }

    /// Says how many cycles a second has.
    ///
    /// # Errors
    /// The frequency is not above 0 and finite.
    pub fn set_clock_hz(&mut self, hertz: f64) -> Result<(), ObservationError> {
        if !(hertz.is_finite() && hertz > 0.0) {
            return Err(ObservationError::Clock { hertz });
        }
        self.clock_hz = Some(hertz);
        Ok(())
    }

    /// Says when the execution ended.
    ///
    /// # Errors
    /// It is not a time, or something happens after it.
    pub fn set_end(&mut self, end: f64) -> Result<(), ObservationError> {
        check_time(end)?;
        let signals = self.signals.iter().map(|(name, signal)| (name, signal.times().last()));
        let events = self.events.iter().map(|(name, events)| (name, events.times().last()));
        for (name, last) in signals.chain(events) {
            if let Some(&time) = last.filter(|&&time| time > end) {
                return Err(ObservationError::AfterEnd { name: name.clone(), time, end });
            }
        }
        self.end = Some(end);
        Ok(())
    }

    /// The numbers that hold for all of it.
    #[must_use]
    pub fn scalars(&self) -> &BTreeMap<String, Scalar> {
        &self.scalars
    }

    /// What varied over time.
    #[must_use]
    pub fn signals(&self) -> &BTreeMap<String, Signal> {
        &self.signals
    }

    /// What happened.
    #[must_use]
    pub fn events(&self) -> &BTreeMap<String, Events> {
        &self.events
    }

    /// Adds a number, in place of one of the same name.
    ///
    /// # Errors
    /// The name is taken by something else, or the number is infinite.
    pub fn set_scalar(
        &mut self,
        name: impl Into<String>,
        scalar: Scalar,
    ) -> Result<(), ObservationError> {
        let name = name.into();
        self.check_name(&name, "a scalar")?;
        if scalar.value.is_infinite() {
            return Err(ObservationError::NotFinite { value: scalar.value });
        }
        self.scalars.insert(name, scalar);
        Ok(())
    }

    /// Adds a signal, in place of one of the same name; the execution lasts at least as long as it.
    ///
    /// # Errors
    /// The name is taken by something else, or the execution ended before.
    pub fn set_signal(
        &mut self,
        name: impl Into<String>,
        signal: Signal,
    ) -> Result<(), ObservationError> {
        let name = name.into();
        self.check_name(&name, "a signal")?;
        self.check_end(&name, signal.times())?;
        self.signals.insert(name, signal);
        Ok(())
    }

    /// Adds the occurrences of an event; they replace those of the same name.
    ///
    /// # Errors
    /// The name is taken by something else, or the execution ended before.
    pub fn set_events(
        &mut self,
        name: impl Into<String>,
        events: Events,
    ) -> Result<(), ObservationError> {
        let name = name.into();
        self.check_name(&name, "an event")?;
        self.check_end(&name, events.times())?;
        self.events.insert(name, events);
        Ok(())
    }

    fn check_name(&self, name: &str, second: &'static str) -> Result<(), ObservationError> {
        let taken = [
            ("a scalar", self.scalars.contains_key(name)),
            ("a signal", self.signals.contains_key(name)),
            ("an event", self.events.contains_key(name)),
        ];
        match taken.into_iter().find(|&(first, is_taken)| is_taken && first != second) {
            Some((first, _)) => {
                Err(ObservationError::TwoMeanings { name: name.to_string(), first, second })
            }
            None => Ok(()),
        }
    }

    fn check_end(&self, name: &str, times: &[f64]) -> Result<(), ObservationError> {
        match (self.end, times.last()) {
            (Some(end), Some(&time)) if time > end => {
                Err(ObservationError::AfterEnd { name: name.to_string(), time, end })
            }
            _ => Ok(()),
        }
    }
}

impl Scalar {
    /// A number that is known.
    #[must_use]
    pub fn new(value: f64, unit: Unit) -> Scalar {
        Scalar { value, unit, certainty: Certainty::Exactly }
    }
}

fn check_time(time: f64) -> Result<(), ObservationError> {
    if time.is_finite() && time >= 0.0 { Ok(()) } else { Err(ObservationError::NotATime { time }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_meaning() {
        let mut seen = Observation::new();
        seen.set_scalar("x", Scalar::new(1.0, Unit::Unknown)).unwrap();
        seen.set_scalar("x", Scalar::new(2.0, Unit::Unknown)).unwrap();
        let events = Events::new(vec![1.0], BTreeMap::new()).unwrap();
        let error = seen.set_events("x", events).unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"x\" is a scalar and an event. Rename one of them, so that each name has one meaning."
        );
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut seen = Observation::new();
        let events = Events::new(vec![1.0, 5.0], BTreeMap::new()).unwrap();
        seen.set_events("e", events.clone()).unwrap();
        assert!(matches!(seen.set_end(4.0), Err(ObservationError::AfterEnd { .. })));
        seen.set_end(5.0).unwrap();
        assert!(seen.set_end(f64::NAN).is_err());
        let later = Events::new(vec![6.0], BTreeMap::new()).unwrap();
        assert!(seen.set_events("f", later).is_err());
    }
}
