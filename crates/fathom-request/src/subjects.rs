//! Which commands, with which parameters.

use crate::command_line::CommandLine;
use serde::{Deserialize, Serialize};

/// Commands, their names and parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SubjectOptions {
    /// The commands. For functions of a bench: expressions that choose them.
    pub commands: Vec<String>,
    /// What to call the commands, in their order.
    pub names: Vec<String>,
    /// Ranges of numbers.
    pub scans: Vec<ParameterScan>,
    /// The steps of the ranges: one for all of them, or one each.
    pub steps: Vec<String>,
    /// Lists of values.
    pub lists: Vec<ParameterList>,
    /// The command that the others are compared with; the first if it is not set.
    pub reference: Option<String>,
}

/// A parameter that takes every number of a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterScan {
    /// Its name.
    pub name: String,
    /// The first number, as it was written.
    pub min: String,
    /// The last number, as it was written.
    pub max: String,
}

/// A parameter that takes every value of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterList {
    /// Its name.
    pub name: String,
    /// The values, separated by commas.
    pub values: String,
}

impl SubjectOptions {
    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.repeated("--command-name", &self.names);
        for scan in &self.scans {
            line.several("--parameter-scan", [&*scan.name, &scan.min, &scan.max]);
        }
        line.repeated("--parameter-step-size", &self.steps);
        for list in &self.lists {
            line.several("--parameter-list", [&*list.name, &list.values]);
        }
        line.optional("--reference", self.reference.as_ref());
        line.operands(self.commands.iter().cloned());
    }
}
