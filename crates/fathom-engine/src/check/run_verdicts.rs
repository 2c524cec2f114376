//! Which executions of a check kept the promise, for those who look into them later.

use super::panel::Panel;
use crate::EngineError;
use fathom_property::{JudgedAs, Truth};
use fathom_record::{own_json, whole_file};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the file next to the executions.
const FILE: &str = "verdicts.json";

/// What became of each execution, by its number from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunVerdicts {
    schema: String,
    runs: BTreeMap<u64, RunVerdict>,
}

/// What became of an execution. The worst answer of several questions counts, and they are in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunVerdict {
    /// It satisfies all properties.
    Kept,
    /// Whether it does is unknown.
    Undecided,
    /// It failed.
    Failed,
    /// It satisfies some property not.
    Broken,
}

impl std::fmt::Display for RunVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RunVerdict::Kept => "kept",
            RunVerdict::Undecided => "undecided",
            RunVerdict::Failed => "failed",
            RunVerdict::Broken => "broken",
        })
    }
}

impl RunVerdicts {
    /// Of what was judged. Estimates break no promise.
    pub(super) fn of_panel(panel: &Panel) -> RunVerdicts {
        let mut runs = BTreeMap::new();
        for judged in panel.judges().iter().flat_map(|judge| judge.judged()) {
            let verdict = match &judged.result {
                JudgedAs::Property { truth: Truth::True | Truth::Vacuous, .. } => RunVerdict::Kept,
                JudgedAs::Property { truth: Truth::False, .. } => RunVerdict::Broken,
                JudgedAs::Property { truth: Truth::Unknown, .. } => RunVerdict::Undecided,
                JudgedAs::Failed(_) => RunVerdict::Failed,
                JudgedAs::Value(_) => continue,
            };
            for &run in &judged.runs {
                let known = runs.entry(run).or_insert(verdict);
                *known = verdict.max(*known);
            }
        }
        RunVerdicts { schema: own_json::SCHEMA.to_string(), runs }
    }

    /// Writes them into a folder of executions.
    pub(super) fn write(&self, folder: &Path) -> Result<(), EngineError> {
        let file = folder.join(FILE);
        let text = serde_json::to_string(self)? + "\n";
        let written = whole_file::write(&file, text.as_bytes());
        written.map_err(|error| EngineError::writing(&file, error))
    }

    /// Those of the check that a file or folder is from: next to it, or next to the folder it is in.
    pub(crate) fn near(path: &Path) -> Option<RunVerdicts> {
        let path = std::path::absolute(path).ok()?;
        path.ancestors().skip(1).take(2).find_map(|folder| {
            let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
            let found: RunVerdicts = serde_json::from_str(&text).ok()?;
            (found.schema == own_json::SCHEMA).then_some(found)
        })
    }

    /// What became of an execution.
    pub(crate) fn of(&self, run: u64) -> Option<RunVerdict> {
        self.runs.get(&run).copied()
    }
}
