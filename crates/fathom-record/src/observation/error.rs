//! Why something is no observation.

use super::OBSERVATION_SCHEMA;
use std::fmt;

/// Why something does not fit into an observation. Its text has both parts, what is wrong and what to
/// do; readers of files put the place before them, and their own advice where there is none.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ObservationError {
    /// Two things of one name.
    TwoMeanings {
        /// The name.
        name: String,
        /// What it was.
        first: &'static str,
        /// What it should be as well.
        second: &'static str,
    },
    /// Times of a signal do not increase.
    TimesNotIncreasing {
        /// The earlier entry.
        previous: f64,
        /// The one after it.
        next: f64,
    },
    /// Times of events go backwards.
    EventsNotSorted {
        /// The earlier entry.
        previous: f64,
        /// The one after it.
        next: f64,
    },
    /// A time that is none.
    NotATime {
        /// What was found.
        time: f64,
    },
    /// An infinite value.
    NotFinite {
        /// What was found.
        value: f64,
    },
    /// As many values as times are needed.
    Lengths {
        /// How many times.
        times: usize,
        /// How many values.
        values: usize,
    },
    /// Something happens after the end.
    AfterEnd {
        /// What goes on.
        name: String,
        /// Until when.
        time: f64,
        /// The end.
        end: f64,
    },
    /// A clock that is none.
    Clock {
        /// What was found.
        hertz: f64,
    },
    /// A period in which a state would be 1.
    EmptyPeriod {
        /// Its start.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// It was written by another version of the format.
    Schema {
        /// What the document says it is.
        found: String,
    },
    /// Something that has a name.
    Of {
        /// The name.
        name: String,
        /// What is wrong with it.
        error: Box<ObservationError>,
    },
}

impl ObservationError {
    /// The same of something that has a name.
    pub(super) fn of(self, name: &str) -> ObservationError {
        ObservationError::Of { name: name.to_string(), error: Box::new(self) }
    }

    /// What is wrong, without what to do.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            ObservationError::TwoMeanings { name, first, second } => {
                format!("\"{name}\" is {first} and {second}")
            }
            ObservationError::TimesNotIncreasing { previous, next } => format!(
                "time {next} follows time {previous}, but the times of a signal must increase"
            ),
            ObservationError::EventsNotSorted { previous, next } => {
                format!("time {next} follows time {previous}, but events must be in time order")
            }
            ObservationError::NotATime { time } => format!("{time} is not a time"),
            ObservationError::NotFinite { value } => format!("{value} is not a finite number"),
            ObservationError::Lengths { times, values } => {
                format!("there are {times} times but {values} values")
            }
            ObservationError::AfterEnd { name, time, end } => {
                format!("the execution ends at {end}, but \"{name}\" continues to {time}")
            }
            ObservationError::Clock { hertz } => format!("{hertz} Hz is not a clock frequency"),
            ObservationError::EmptyPeriod { from, to } => {
                format!("the period from {from} to {to} has no length")
            }
            ObservationError::Schema { found } => {
                format!("the schema is \"{found}\", but only \"{OBSERVATION_SCHEMA}\" can be read")
            }
            ObservationError::Of { name, error } => format!("\"{name}\": {}", error.what()),
        }
    }

    /// What to do, as a sentence, where that does not depend on where it was read.
    #[must_use]
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            ObservationError::TwoMeanings { .. } => {
                Some("Rename one of them, so that each name has one meaning.")
            }
            ObservationError::NotATime { .. } => {
                Some("Times must be finite and count from 0, the start of the execution.")
            }
            ObservationError::NotFinite { .. } => Some("Leave out a missing value."),
            ObservationError::Lengths { .. } => Some("Their numbers must be equal."),
            ObservationError::AfterEnd { .. } => Some("Correct one of them."),
            ObservationError::Clock { .. } => Some("Use a frequency above 0."),
            ObservationError::EmptyPeriod { .. } => Some("Leave it out."),
            ObservationError::Of { error, .. } => error.remedy(),
            ObservationError::TimesNotIncreasing { .. }
            | ObservationError::EventsNotSorted { .. }
            | ObservationError::Schema { .. } => None,
        }
    }
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match self.remedy() {
            Some(remedy) => write!(f, ". {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ObservationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_stands_apart_from_what_to_do() {
        let error = ObservationError::NotFinite { value: f64::INFINITY }.of("a. B");
        assert_eq!(error.what(), "\"a. B\": inf is not a finite number");
        assert_eq!(error.remedy(), Some("Leave out a missing value."));
        assert_eq!(
            error.to_string(),
            "\"a. B\": inf is not a finite number. Leave out a missing value."
        );
        let error = ObservationError::Schema { found: "x".to_string() };
        assert_eq!((error.to_string(), error.remedy()), (error.what(), None));
    }
}
