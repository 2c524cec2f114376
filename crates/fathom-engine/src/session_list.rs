//! The JSON of `fathom list`.

use crate::EngineError;
use fathom_record::{ListedSession, SavedResult, own_json};
use serde::Serialize;

/// The JSON of `fathom list`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SessionList"))]
pub struct SessionListDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The saved sessions.
    sessions: Vec<SessionEntry<'a>>,
    /// The results that `cargo bench` saved in `target/fathom` of the project.
    benches: Vec<BenchEntry<'a>>,
}

/// A saved session.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionEntry<'a> {
    /// The number of the session.
    id: i64,
    /// The name of the session; `null` if it has none.
    name: Option<&'a str>,
    /// When it began, in seconds since 1970.
    started: u64,
    /// The command that began it.
    command_line: String,
    /// The names of its subjects.
    subjects: &'a [String],
    /// The number of saved runs.
    runs: u64,
    /// The number of runs lost to a damaged store.
    lost_runs: u64,
    /// Whether it is finished.
    finished: bool,
    /// Whether a process is measuring it now.
    live: bool,
}

/// Results of a bench.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BenchEntry<'a> {
    /// How to name it in `fathom show`: `SUITE@NAME`.
    id: String,
    /// The name of the bench executable.
    suite: &'a str,
    /// The name given with `--save`.
    name: &'a str,
    /// When it was written, in seconds since 1970.
    written: u64,
    /// The file.
    file: String,
}

impl<'a> SessionListDocument<'a> {
    /// Of sessions, and of results of benches.
    #[must_use]
    pub fn of(
        sessions: &'a [ListedSession],
        benches: &'a [SavedResult],
    ) -> SessionListDocument<'a> {
        SessionListDocument {
            schema: own_json::SCHEMA,
            sessions: sessions.iter().map(SessionEntry::of).collect(),
            benches: benches.iter().map(BenchEntry::of).collect(),
        }
    }

    /// As text, with a line break at its end.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, EngineError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl SessionEntry<'_> {
    fn of(listed: &ListedSession) -> SessionEntry<'_> {
        SessionEntry {
            id: listed.id.0,
            name: listed.session.name.as_deref(),
            started: listed.session.started,
            command_line: crate::engine::command_line(&listed.session.arguments),
            subjects: &listed.session.subjects,
            runs: listed.runs,
            lost_runs: listed.lost,
            finished: listed.finished.is_some(),
            live: listed.live.is_some(),
        }
    }
}

impl BenchEntry<'_> {
    fn of(kept: &SavedResult) -> BenchEntry<'_> {
        BenchEntry {
            id: kept.address(),
            suite: &kept.suite,
            name: &kept.name,
            written: kept.written,
            file: kept.file.display().to_string(),
        }
    }
}
