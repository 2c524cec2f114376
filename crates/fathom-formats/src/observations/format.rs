//! The kinds of file that executions are read from.

use std::fmt;
use std::str::FromStr;

use crate::Format;

/// A kind of file that holds executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservationFormat {
    /// Fathom's own JSON of executions, `"schema": "fathom-execution/1"`, or the journal of a
    /// check.
    Execution,
    /// Objects of any program: numbers, or samples and events over time.
    Json,
    /// A kind that series are read from too: tables, plain numbers, gem5, files of other tools.
    Of(Format),
}

impl ObservationFormat {
    /// All of them.
    pub fn all() -> impl Iterator<Item = ObservationFormat> {
        let own = [ObservationFormat::Execution, ObservationFormat::Json];
        // JSON of any program is read separately here.
        let series = Format::ALL.into_iter().filter(|&format| format != Format::Json);
        own.into_iter().chain(series.map(ObservationFormat::Of))
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ObservationFormat::Execution => "execution",
            ObservationFormat::Json => "json",
            ObservationFormat::Of(format) => format.name(),
        }
    }
}

impl fmt::Display for ObservationFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a format for executions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is not a format for executions. Use one of: {}.",
    ObservationFormat::all().map(ObservationFormat::name).collect::<Vec<_>>().join(", ")
)]
pub struct UnknownObservationFormat {
    /// The name.
    pub name: String,
}

impl FromStr for ObservationFormat {
    type Err = UnknownObservationFormat;

    fn from_str(text: &str) -> Result<ObservationFormat, UnknownObservationFormat> {
        let name = text.trim();
        ObservationFormat::all()
            .find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownObservationFormat { name: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for format in ObservationFormat::all() {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "vcd".parse::<ObservationFormat>().unwrap_err().to_string();
        assert!(error.contains("Use one of: execution, json, numbers, csv"), "{error}");
    }
}
