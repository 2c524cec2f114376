//! The grid of a study: parameters of the commands, of which every combination is asked the same.

use crate::command_line::CommandLine;
use crate::{ParameterList, ParameterScan};
use serde::{Deserialize, Serialize};

/// Parameters of the commands. Without one there is no grid.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct GridOptions {
    /// Ranges of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scans: Vec<ParameterScan>,
    /// The steps of the ranges: one for all of them, or one each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// Lists of values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<ParameterList>,
    /// The value of a parameter that the others are compared with, as it was written: `VAR=VALUE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
}

impl GridOptions {
    /// Whether there are no parameters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scans.is_empty() && self.lists.is_empty()
    }

    pub(super) fn write(&self, line: &mut CommandLine) {
        for scan in &self.scans {
            line.several("--parameter-scan", [&*scan.name, &scan.min, &scan.max]);
        }
        line.repeated("--parameter-step-size", &self.steps);
        for list in &self.lists {
            line.several("--parameter-list", [&*list.name, &list.values]);
        }
        line.optional("--baseline", self.baseline.as_ref());
    }
}
