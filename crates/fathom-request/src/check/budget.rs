//! How many executions there may be.

use crate::EffortPreset;
use crate::command_line::CommandLine;
use crate::value::{as_text, as_texts_or_none};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many executions there may be, including those that do not count. For a property of several
/// executions at once, these are tuples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExecutionBudget {
    /// Exactly this many, whatever their outcomes.
    Exactly(u64),
    /// Until there is an answer, within limits.
    AtMost {
        /// How many times what the question needs there may be, if `runs` is not set.
        #[serde(default, with = "as_text")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        effort: EffortPreset,
        /// At most this many; if it is not set, what the question needs.
        #[serde(default)]
        runs: Option<u64>,
        /// At most so long.
        #[serde(default, with = "as_texts_or_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
        time: Option<Duration>,
    },
}

impl Default for ExecutionBudget {
    fn default() -> ExecutionBudget {
        ExecutionBudget::AtMost { effort: EffortPreset::default(), runs: None, time: None }
    }
}

impl ExecutionBudget {
    /// How many executions there may be, where nothing else says so.
    #[must_use]
    pub fn effort(&self) -> EffortPreset {
        match self {
            ExecutionBudget::Exactly(_) => EffortPreset::default(),
            ExecutionBudget::AtMost { effort, .. } => *effort,
        }
    }

    /// The number of executions, or the most that there may be, if either is set.
    #[must_use]
    pub fn runs(&self) -> Option<u64> {
        match self {
            ExecutionBudget::Exactly(runs) => Some(*runs),
            ExecutionBudget::AtMost { runs, .. } => *runs,
        }
    }

    /// How long it may take, if that is limited.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        match self {
            ExecutionBudget::Exactly(_) => None,
            ExecutionBudget::AtMost { time, .. } => *time,
        }
    }

    /// Whether the number of executions is fixed before the first look.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, ExecutionBudget::Exactly(_))
    }

    pub(super) fn write(&self, line: &mut CommandLine) {
        match self {
            ExecutionBudget::Exactly(runs) => line.optional("--runs", Some(runs)),
            ExecutionBudget::AtMost { effort, runs, time } => {
                line.value("--effort", effort, &EffortPreset::default());
                line.optional("--max-runs", runs.as_ref());
                line.optional("--max-time", time.as_ref());
            }
        }
    }
}
