//! One execution described by several files.

use super::{Events, Observation, ObservationError, Signal};
use crate::{TimeUnit, Unit};
use std::collections::BTreeMap;

/// Why two observations are not of one execution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Both have it.
    #[error("\"{name}\" is in both. Rename one of them.")]
    Twice {
        /// The name.
        name: String,
    },
    /// Their times count different things.
    #[error("times are in \"{first}\" and in \"{second}\", which cannot be converted")]
    TimeUnits {
        /// Of the first.
        first: Unit,
        /// Of the second.
        second: Unit,
    },
    /// Their clocks differ.
    #[error("the clocks are {first} Hz and {second} Hz")]
    Clocks {
        /// Of the first.
        first: f64,
        /// Of the second.
        second: f64,
    },
    /// In the unit of the first, times of the second run together.
    #[error("the times of \"{name}\" cannot be converted exactly: {error}")]
    Times {
        /// Whose times.
        name: String,
        /// What happened to them.
        error: ObservationError,
    },
}

impl Observation {
    /// Whether anything in it has a time.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.end.is_some() || !self.signals.is_empty() || !self.events.is_empty()
    }

    /// Adds what else was seen of the same execution. It ends with the later of the two, and is
    /// cut if one of them is. Times of the other are converted if both have a unit of time.
    ///
    /// # Errors
    /// Something is in both, or their times have nothing in common; then nothing is added.
    pub fn merge(&mut self, other: Observation) -> Result<(), MergeError> {
        let names = other.scalars.keys().chain(other.signals.keys()).chain(other.events.keys());
        if let Some(name) = names.into_iter().find(|name| self.has(name)) {
            return Err(MergeError::Twice { name: name.clone() });
        }
        if let (Some(first), Some(second)) = (self.clock_hz, other.clock_hz)
            && first != second
        {
            return Err(MergeError::Clocks { first, second });
        }
        let time_unit = match (self.is_timed(), other.is_timed()) {
            (true, _) => self.time_unit.clone(),
            (false, true) => other.time_unit.clone(),
            (false, false) if self.time_unit == Unit::Unknown => other.time_unit.clone(),
            (false, false) => self.time_unit.clone(),
        };
        let other = if self.is_timed() { other.in_time_unit(&time_unit)? } else { other };
        self.time_unit = time_unit;
        self.end = match (self.end, other.end) {
            (Some(end), Some(other)) => Some(end.max(other)),
            // The end of one is not an end for the other that goes on beyond it.
            (end, other_end) => {
                let last = self.latest().into_iter().chain(other.latest()).reduce(f64::max);
                end.or(other_end).map(|end| last.map_or(end, |last| end.max(last)))
            }
        };
        self.is_cut |= other.is_cut;
        self.clock_hz = self.clock_hz.or(other.clock_hz);
        self.scalars.extend(other.scalars);
        self.signals.extend(other.signals);
        self.events.extend(other.events);
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.scalars.contains_key(name)
            || self.signals.contains_key(name)
            || self.events.contains_key(name)
    }

    /// The last time with known data.
    fn latest(&self) -> Option<f64> {
        let signals = self.signals.values().filter_map(|signal| signal.times().last());
        let events = self.events.values().filter_map(|events| events.times().last());
        signals.chain(events).copied().reduce(f64::max)
    }

    fn in_time_unit(mut self, unit: &Unit) -> Result<Observation, MergeError> {
        if !self.is_timed() || self.time_unit == *unit {
            return Ok(self);
        }
        let (Unit::Time(from), Unit::Time(to)) = (&self.time_unit, unit) else {
            return Err(MergeError::TimeUnits { first: unit.clone(), second: self.time_unit });
        };
        let convert = |times: &[f64]| times.iter().map(|&time| from.convert(time, *to)).collect();
        let mut signals = BTreeMap::new();
        for (name, signal) in std::mem::take(&mut self.signals) {
            let (unit, values) = (signal.unit().clone(), signal.values().to_vec());
            let converted = Signal::new(unit, signal.shape(), convert(signal.times()), values);
            signals.insert(name.clone(), checked(name, converted)?);
        }
        let mut events = BTreeMap::new();
        for (name, seen) in std::mem::take(&mut self.events) {
            let converted = Events::new(convert(seen.times()), seen.attributes().clone());
            events.insert(name.clone(), checked(name, converted)?);
        }
        self.end = self.end.map(|end| ended(end, *from, *to)).transpose()?;
        (self.signals, self.events, self.time_unit) = (signals, events, unit.clone());
        Ok(self)
    }
}

fn checked<T>(name: String, result: Result<T, ObservationError>) -> Result<T, MergeError> {
    result.map_err(|error| MergeError::Times { name, error })
}

fn ended(end: f64, from: TimeUnit, to: TimeUnit) -> Result<f64, MergeError> {
    let end = from.convert(end, to);
    checked("end".to_string(), super::check_time(end).map(|()| end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scalar, Shape};

    fn signal(name: &str, unit: &str, times: &[f64], end: Option<f64>) -> Observation {
        let mut seen = Observation::new();
        seen.set_time_unit(Unit::parse(unit));
        let values = times.to_vec();
        let signal = Signal::new(Unit::Unknown, Shape::Step, times.to_vec(), values).unwrap();
        seen.set_signal(name, signal).unwrap();
        if let Some(end) = end {
            seen.set_end(end).unwrap();
        }
        seen
    }

    fn scalar(name: &str) -> Observation {
        let mut seen = Observation::new();
        seen.set_scalar(name, Scalar::new(1.0, Unit::Unknown)).unwrap();
        seen
    }

    #[test]
    fn times_are_brought_to_the_first_unit() {
        let mut seen = signal("a", "ms", &[0.0, 5.0], Some(6.0));
        seen.merge(signal("b", "us", &[0.0, 7000.0], Some(8000.0))).unwrap();
        assert_eq!(seen.end(), Some(8.0));
        assert_eq!(seen.signals()["b"].times(), [0.0, 7.0]);
        assert_eq!(seen.signals()["b"].values(), [0.0, 7000.0]);
        assert_eq!(seen.time_unit(), &Unit::parse("ms"));
    }

    #[test]
    fn scalars_do_not_care_about_time() {
        let mut seen = scalar("x");
        seen.merge(signal("a", "cycles", &[3.0], Some(4.0))).unwrap();
        assert_eq!(seen.time_unit().symbol(), "cycles");
        seen.merge(scalar("y")).unwrap();
        assert_eq!((seen.end(), seen.time_unit().symbol()), (Some(4.0), "cycles"));
    }

    #[test]
    fn an_end_that_only_one_knows_is_not_before_the_other() {
        let mut seen = signal("a", "ms", &[0.0, 9.0], None);
        let mut short = signal("b", "ms", &[1.0], Some(2.0));
        short.set_cut(true);
        seen.merge(short).unwrap();
        assert_eq!((seen.end(), seen.is_cut()), (Some(9.0), true));
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let mut seen = signal("a", "ms", &[0.0], Some(1.0));
        seen.set_clock_hz(1e9).unwrap();
        let before = seen.clone();
        assert_eq!(seen.merge(scalar("a")), Err(MergeError::Twice { name: "a".into() }));
        let mut clocked = scalar("c");
        clocked.set_clock_hz(2e9).unwrap();
        assert!(matches!(seen.merge(clocked), Err(MergeError::Clocks { .. })));
        for unit in ["cycles", ""] {
            let error = seen.merge(signal("b", unit, &[0.0], None)).unwrap_err();
            assert!(matches!(error, MergeError::TimeUnits { .. }), "{error}");
        }
        let close = signal("b", "ns", &[5e-324, 1e-323], None);
        assert!(matches!(seen.merge(close), Err(MergeError::Times { .. })));
        assert_eq!(seen, before);
    }
}
