//! Executions that did not end as they should, in JSON.

use crate::AbnormalExecution;
use serde::Serialize;

/// An execution that failed or was cut short.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AbnormalExecution"))]
pub(super) struct AbnormalEntry<'a> {
    /// Its number, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
    /// Its seed, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    /// The cell of a study, or the group, that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// The file it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// `failed`: it gave nothing to judge. `cut`: it was stopped before it was done, and judged by what
    /// it had shown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::AbnormalKind::ALL.map(crate::AbnormalKind::name))))]
    kind: &'static str,
    /// How it ended: `exited with status 3`.
    how: &'a str,
    /// The machine it ran on, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    /// The command that repeats it, if Fathom ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

impl<'a> AbnormalEntry<'a> {
    pub(super) fn of(one: &'a AbnormalExecution) -> AbnormalEntry<'a> {
        AbnormalEntry {
            run: one.run,
            seed: one.seed,
            group: one.group.as_deref(),
            source: one.source.as_ref().map(ToString::to_string),
            kind: one.kind.name(),
            how: &one.how,
            host: one.host.as_deref(),
            command: one.command.as_deref(),
        }
    }
}
