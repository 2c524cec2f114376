//! The JSON of `fathom explain --suggest`.

use super::{ProposedWindows, Suggestions};
use fathom_record::{Environment, Timestamp, own_json};
use fathom_request::Request;
use serde::Serialize;
use std::ops::Range;

/// Names of departing metrics that are listed.
const LISTED: usize = 20;

impl Suggestions {
    pub(super) fn document(&self) -> SuggestionsDocument<'_> {
        SuggestionsDocument {
            schema: own_json::SCHEMA,
            command_line: &self.command_line,
            request: Request::from(self.request.clone()).to_value(),
            seed: 0,
            environment: self.provenance.environment(),
            target: self.request.target.as_deref(),
            target_run: &self.run,
            other_metrics: self.others,
            suggestions: self.proposed.iter().map(|one| self.entry(one)).collect(),
        }
    }

    fn entry<'a>(&self, one: &'a ProposedWindows) -> SuggestionEntry<'a> {
        let stretches = |all: &[Range<usize>]| all.iter().map(|rows| self.stretch(rows)).collect();
        SuggestionEntry {
            target: &one.target,
            kind: one.suggestion.kind.as_str(),
            strength: one.suggestion.strength,
            about: &one.suggestion.about,
            windows: stretches(&one.rows),
            seen_in: stretches(&one.suggestion.windows),
            departing_metrics: one.departing.len(),
            departing: one.departing.iter().take(LISTED).map(String::as_str).collect(),
        }
    }

    fn stretch(&self, rows: &Range<usize>) -> SuggestedStretch {
        let end = |row: usize| self.question.grid.row(row).map_or(Timestamp::ZERO, |(_, end)| end);
        let last = rows.end.saturating_sub(1);
        SuggestedStretch {
            start: end(rows.start).seconds(),
            end: end(last).seconds(),
            first_row: rows.start,
            last_row: last,
        }
    }
}

/// The JSON of `fathom explain --suggest`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Suggestions"))]
pub struct SuggestionsDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// The question as data: a [request](#requests).
    request: serde_json::Value,
    /// Always 0: there are no random choices.
    seed: u64,
    /// What made the document.
    environment: Environment,
    /// The metric that was searched; `null` if all metrics were searched together.
    target: Option<&'a str>,
    /// The run that was searched.
    target_run: &'a str,
    /// The number of other metrics of the run that were compared with it.
    other_metrics: usize,
    /// What was found, the clearest first.
    suggestions: Vec<SuggestionEntry<'a>>,
}

/// An anomaly.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestionEntry<'a> {
    /// The metric that shows it.
    target: &'a str,
    /// What it is.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_explain::suggest::SuggestionKind::ALL.map(|kind| kind.as_str()))))]
    kind: &'static str,
    /// How clear it is against the noise of that metric.
    strength: f64,
    /// A sentence about it, without its subject.
    about: &'a str,
    /// The windows to ask about.
    windows: Vec<SuggestedStretch>,
    /// Where it is: the same as `windows`, unless it is too short to have a shape.
    seen_in: Vec<SuggestedStretch>,
    /// How many other metrics depart from their level there; 0 if no more do than elsewhere.
    departing_metrics: usize,
    /// The clearest of them, at most 20.
    departing: Vec<&'a str>,
}

/// A part of the run. Both ends are included.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestedStretch {
    /// When the first row ends, in seconds after the origin of the run.
    start: f64,
    /// When the last row ends, in seconds after the origin of the run.
    end: f64,
    /// The first row of the target, counted from 0.
    first_row: usize,
    /// The last row of the target.
    last_row: usize,
}
