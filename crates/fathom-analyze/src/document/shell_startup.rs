//! The start-up time of the shell, in the JSON contract.

use super::{lower, upper};
use crate::StartupEstimate;
use crate::report::Subject;
use fathom_derive::Serialize;
use fathom_record::Startup;
use fathom_record::own_json::End;

/// The start-up time of the empty shell that ran the commands ([method](methods/shell-startup.md)).
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ShellStartupEntry<'a> {
    /// The median run of the empty shell. It is subtracted from `values` and from all estimates:
    /// add it to get the runs as measured.
    subtracted: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
    /// The number of shell runs.
    n_used: usize,
    /// These runs. Present with `--include-values` and in `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [f64]>,
}

impl<'a> ShellStartupEntry<'a> {
    pub(super) fn of(subject: &'a Subject, include_values: bool) -> Option<ShellStartupEntry<'a>> {
        let StartupEstimate { median, interval, n_used, .. } = subject.startup?;
        Some(ShellStartupEntry {
            subtracted: median,
            lower: lower(interval),
            upper: upper(interval),
            n_used,
            values: include_values.then(|| subject.series.startup()).flatten().map(Startup::values),
        })
    }
}
