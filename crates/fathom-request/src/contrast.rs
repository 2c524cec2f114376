//! What differs between two groups of runs?

use crate::command_line::CommandLine;
use crate::value::{OptionValue as _, as_text, paths};
use crate::{AgainstOption, AlignmentOptions, TraceFiles};
use fathom_explain::contrast::PhaseChoice;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Finds the metrics that differ between two groups of whole runs, and the phases in which they do. The
/// groups are two sets of traces, or the runs of one for which a condition holds and those for which it
/// does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ContrastRequest {
    /// The traces: those of the first group, unless `runs_where` divides them.
    pub traces: TraceFiles,
    /// The traces of the second group.
    #[serde(with = "paths")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub against: Vec<PathBuf>,
    /// The runs for which this holds are the second group: a property of a run, or `broken`, `kept`,
    /// `failed` or `undecided` for executions of a check.
    pub runs_where: Option<String>,
    /// The run whose phases are carried into the others; the one of middle length if it is not set.
    pub run: Option<String>,
    /// How runs are divided into phases.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub phases: PhaseChoice,
    /// How runs are aligned.
    pub alignment: AlignmentOptions,
    /// Only metrics whose name contains one of these; all if there is none.
    pub filter: Vec<String>,
}

impl Default for ContrastRequest {
    fn default() -> ContrastRequest {
        ContrastRequest {
            traces: TraceFiles::default(),
            against: Vec::new(),
            runs_where: None,
            run: None,
            phases: PhaseChoice::Auto,
            alignment: AlignmentOptions::default(),
            filter: Vec::new(),
        }
    }
}

impl ContrastRequest {
    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("explain");
        self.traces.write(&mut line);
        // A folder whose name could be a stretch of time is said to be one.
        let typed = |path: &PathBuf| {
            let text = path.to_string_lossy().into_owned();
            match AgainstOption::read(&text) {
                Ok(AgainstOption::Traces(_)) => text,
                _ => format!("./{text}"),
            }
        };
        let against: Vec<String> = self.against.iter().map(typed).collect();
        line.repeated("--against", &against);
        line.optional("--runs-where", self.runs_where.as_ref());
        line.optional("--run", self.run.as_ref());
        line.value("--phases", &self.phases, &PhaseChoice::Auto);
        self.alignment.write(&mut line);
        line.repeated("--filter", &self.filter);
        line.finish()
    }
}
