//! How files and numbers of an execution are understood.

use crate::command_line::CommandLine;
use crate::value::{Named, OptionValue, as_texts_or_none};
use fathom_formats::ObservationFormat;
use serde::{Deserialize, Serialize};

/// How to interpret an execution's files and numbers where the data do not say.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ReadingOptions {
    /// The format of files; detected from their content if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub input_format: Option<ObservationFormat>,
    /// The columns, statistics or subjects that are read; all if none is named.
    pub columns: Vec<String>,
    /// Units of metrics that have none in the data.
    pub units: Vec<MetricUnit>,
    /// Signals to interpolate linearly.
    pub linear: Vec<String>,
    /// Events that some executions may lack, with their attributes: `R(latency[ns])`.
    pub events: Vec<String>,
    /// The frequency that converts cycles to seconds.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub clock: Option<Frequency>,
}

/// The unit of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricUnit {
    /// The metric.
    pub metric: String,
    /// Its unit, as it was written.
    pub unit: String,
}

impl ReadingOptions {
    pub(super) fn write(&self, line: &mut CommandLine) {
        line.optional("--input-format", self.input_format.as_ref());
        line.repeated("--column", &self.columns);
        let units = self.units.iter().map(|MetricUnit { metric, unit }| format!("{metric}={unit}"));
        line.repeated("--unit", &units.collect::<Vec<String>>());
        line.repeated("--linear", &self.linear);
        line.repeated("--event", &self.events);
        line.optional("--clock", self.clock.as_ref());
    }
}

/// What happens when an execution fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// The check ends and says why.
    #[default]
    Stop,
    /// It does not count: the answer is about executions that succeed.
    Skip,
    /// It violates the property.
    CountAsFalse,
}

impl OnFailure {
    /// What happens if nothing is asked for: a check of one command ends, and a study counts the failure
    /// against the promise.
    #[must_use]
    pub fn usual(is_study: bool) -> OnFailure {
        if is_study { OnFailure::CountAsFalse } else { OnFailure::Stop }
    }
}

impl Named for OnFailure {
    const ALL: &'static [OnFailure] = &[OnFailure::Stop, OnFailure::Skip, OnFailure::CountAsFalse];

    fn name(self) -> &'static str {
        match self {
            OnFailure::Stop => "stop",
            OnFailure::Skip => "skip",
            OnFailure::CountAsFalse => "count-as-false",
        }
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            OnFailure::Stop => "Stop, and say why",
            OnFailure::Skip => "Leave it out: the answer is then about executions that succeed",
            OnFailure::CountAsFalse => "Count it as violating the property",
        })
    }
}

/// How many cycles a second has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frequency(f64);

impl Frequency {
    /// A frequency in hertz; `None` if it is not above 0.
    #[must_use]
    pub fn new(hertz: f64) -> Option<Frequency> {
        (hertz > 0.0 && hertz.is_finite()).then_some(Frequency(hertz))
    }

    /// In hertz.
    #[must_use]
    pub fn hertz(self) -> f64 {
        self.0
    }
}

impl OptionValue for Frequency {
    fn text(&self) -> String {
        // In the largest unit that reads back as the same number.
        let units = [(1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")];
        let written = units
            .into_iter()
            .filter(|(hertz, _)| self.0 >= *hertz)
            .map(|(hertz, unit)| format!("{}{unit}", self.0 / hertz))
            .find(|text| Frequency::read(text) == Ok(*self));
        written.unwrap_or_else(|| format!("{}Hz", self.0))
    }

    fn read(text: &str) -> Result<Frequency, String> {
        fathom_property::parse_frequency(text).map(Frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frequencies_have_the_unit_that_fits() {
        for (hertz, text) in [(2e9, "2GHz"), (2.4e9, "2.4GHz"), (8e8, "800MHz"), (50.0, "50Hz")] {
            assert_eq!(Frequency(hertz).text(), text);
        }
    }

    proptest! {
        #[test]
        fn frequencies_come_back(hertz in 1e-3..1e12_f64) {
            let frequency = Frequency(hertz);
            prop_assert_eq!(Frequency::read(&frequency.text()), Ok(frequency));
        }
    }
}
