//! Where in a metric something odd is.

use super::source::{TraceProvenance, TraceSet};
use crate::{Answer, Engine, EngineError};
use fathom_explain::align::{AlignOptions, question_with};
use fathom_explain::suggest::{Suggestion, suggest};
use fathom_explain::{
    ExplainCache, Question, RunEntry, Segments, Selection, Stretch, TargetRange, TraceSource,
};
use fathom_record::{Environment, Timestamp, own_json};
use fathom_render::explanation::Proposed;
use fathom_request::value::OptionValue as _;
use fathom_request::{ExplainRequest, Request, SuggestRequest, TypedMoment, TypedSpan};
use serde::Serialize;
use std::ops::Range;

/// Windows that are worth a question, the clearest first.
#[derive(Debug)]
pub struct Suggestions {
    /// The run that was looked at.
    pub run: String,
    /// The target in that run.
    pub question: Question,
    /// What was found.
    pub proposed: Vec<ProposedWindows>,
    /// The command that asks about the target, to which a window is added.
    pub ask: String,
    provenance: TraceProvenance,
    request: SuggestRequest,
    command_line: String,
}

/// Something odd, and the windows to ask about it with.
#[derive(Debug)]
pub struct ProposedWindows {
    /// What was found.
    pub suggestion: Suggestion,
    /// The windows, as they are typed.
    pub windows: Vec<TypedSpan>,
    /// The same as rows of the target.
    pub rows: Vec<Range<usize>>,
}

impl Engine<'_> {
    /// Proposes at most `most` windows.
    ///
    /// # Errors
    /// The traces cannot be read, or have no such metric or run.
    pub fn suggest(
        &mut self,
        request: &SuggestRequest,
        most: usize,
    ) -> Result<Answer<Suggestions>, EngineError> {
        let traces = TraceSet::open(&request.traces)?;
        let selection = Selection {
            target: traces.named_metric(&request.target)?,
            run: request.run.as_deref().map(|run| traces.named_run(run)).transpose()?,
            windows: vec![TargetRange::Whole],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        // Where the target is odd is seen in one run; nothing is aligned for that.
        let cache = ExplainCache::new(0);
        let question = question_with(&traces, &selection, &AlignOptions::default(), &cache)?;
        let has_target = |run: &&RunEntry| match &selection.run {
            Some(id) => run.id == *id,
            None => run.metrics.iter().any(|metric| metric.name == selection.target),
        };
        let Some(run) = traces.runs().iter().find(has_target).map(|run| run.id.clone()) else {
            return Err(EngineError::usage("there is no run to look at"));
        };
        let propose = |suggestion: Suggestion| {
            let rows = suggestion.windows_to_ask(question.target.len());
            let typed = rows.iter().filter_map(|rows| traces.typed_window(&run, &question, rows));
            ProposedWindows { windows: typed.collect(), rows, suggestion }
        };
        let found = suggest(&question.grid, &question.target, most);
        let proposed = found.into_iter().map(propose).collect();
        let ask = Request::from(ExplainRequest {
            traces: request.traces.clone(),
            target: selection.target.clone(),
            run: (traces.runs().len() > 1).then(|| run.clone()),
            ..ExplainRequest::default()
        });
        let command_line = self.asked_by(&request.clone().into());
        Ok(Answer::of(Suggestions {
            run,
            question,
            proposed,
            ask: ask.command_line(),
            provenance: traces.provenance(),
            request: request.clone(),
            command_line,
        }))
    }
}

impl TraceSet {
    /// Rows of the target as they are typed: "12.4..14.1" in the trace's time unit.
    fn typed_window(
        &self,
        run: &str,
        question: &Question,
        rows: &Range<usize>,
    ) -> Option<TypedSpan> {
        let stretch = Stretch::of(question, rows)?;
        let origin = self.origin(run).unwrap_or_default();
        let moment =
            |time: Timestamp| TypedMoment::exactly(time.absolute_from(origin), self.time_unit());
        let (start, end) = (moment(stretch.start), moment(stretch.end));
        Some(TypedSpan::Time { start: Some(start), end: Some(end) })
    }
}

impl Suggestions {
    /// For a page or a table.
    #[must_use]
    pub fn to_render(&self) -> Vec<Proposed<'_>> {
        let proposed = |one: &'_ ProposedWindows| -> (Vec<String>, Vec<Range<usize>>) {
            (one.windows.iter().map(|window| window.text()).collect(), one.rows.clone())
        };
        self.proposed
            .iter()
            .map(|one| {
                let (windows, asked) = proposed(one);
                Proposed { suggestion: &one.suggestion, windows, asked }
            })
            .collect()
    }

    /// As JSON.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, EngineError> {
        Ok(serde_json::to_string_pretty(&self.document())? + "\n")
    }

    fn document(&self) -> SuggestionsDocument<'_> {
        SuggestionsDocument {
            schema: own_json::SCHEMA,
            command_line: &self.command_line,
            request: Request::from(self.request.clone()).to_value(),
            seed: 0,
            environment: self.provenance.environment(),
            target: &self.request.target,
            target_run: &self.run,
            suggestions: self.proposed.iter().map(|one| self.entry(one)).collect(),
        }
    }

    fn entry<'a>(&self, one: &'a ProposedWindows) -> SuggestionEntry<'a> {
        let stretches = |all: &[Range<usize>]| all.iter().map(|rows| self.stretch(rows)).collect();
        SuggestionEntry {
            kind: one.suggestion.kind.as_str(),
            strength: one.suggestion.strength,
            about: &one.suggestion.about,
            windows: stretches(&one.rows),
            seen_in: stretches(&one.suggestion.windows),
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
    /// The metric that was searched.
    target: &'a str,
    /// The run that was searched.
    target_run: &'a str,
    /// What was found, the strongest first.
    suggestions: Vec<SuggestionEntry<'a>>,
}

/// An anomaly in the target.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestionEntry<'a> {
    /// What it is.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_explain::suggest::SuggestionKind::ALL.map(|kind| kind.as_str()))))]
    kind: &'static str,
    /// How clear it is against the noise.
    strength: f64,
    /// A sentence about it, without its subject.
    about: &'a str,
    /// The windows to ask about.
    windows: Vec<SuggestedStretch>,
    /// Where it is: the same as `windows`, unless it is too short to have a shape.
    seen_in: Vec<SuggestedStretch>,
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
