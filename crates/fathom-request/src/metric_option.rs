//! `NAME=HOW`: a number that is read from what a command prints.

use fathom_measure::{MetricOptionError, PrintedMetric};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A valid `NAME=HOW`, kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct MetricOption(String);

impl MetricOption {
    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What reads the number.
    ///
    /// # Errors
    /// None in practice: it was read before.
    pub fn metric(&self) -> Result<PrintedMetric, MetricOptionError> {
        PrintedMetric::parse(&self.0)
    }
}

impl FromStr for MetricOption {
    type Err = MetricOptionError;

    fn from_str(text: &str) -> Result<MetricOption, MetricOptionError> {
        PrintedMetric::parse(text)?;
        Ok(MetricOption(text.to_string()))
    }
}

impl TryFrom<String> for MetricOption {
    type Error = MetricOptionError;

    fn try_from(text: String) -> Result<MetricOption, MetricOptionError> {
        text.parse()
    }
}

impl From<MetricOption> for String {
    fn from(option: MetricOption) -> String {
        option.0
    }
}
