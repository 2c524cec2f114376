//! Which metrics have to do with an anomaly.

mod question;
mod source;
mod suggest;
mod watched;

pub use source::TraceSet;
pub use suggest::{
    ProposedWindows, SuggestedStretch, SuggestionEntry, Suggestions, SuggestionsDocument,
};
pub use watched::watched;

use crate::{Answer, Engine, EngineError};
use fathom_explain::align::AlignError;
use fathom_explain::document::ExplanationDocument;
use fathom_explain::{ExplainError, Explanation};
use fathom_record::Environment;
use fathom_request::{ExplainRequest, Request};

/// An explanation, and what to know of the traces that it is of.
#[derive(Debug)]
pub struct ExplainedTraces {
    /// The ranking.
    pub explanation: Explanation,
    /// When the times of the target's run begin, in nanoseconds since 1970, if people know them so.
    pub origin_ns: Option<i64>,
    request: Request,
    command_line: String,
}

impl ExplainedTraces {
    /// As JSON, with the numbers of the small pictures if they are wanted.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self, with_outlines: bool) -> Result<String, EngineError> {
        let environment = Environment::of_this_build();
        let (explanation, line) = (&self.explanation, &self.command_line);
        let document = ExplanationDocument::of(explanation, line, &environment, with_outlines);
        Ok(document.with_request(self.request.to_value()).to_json()?)
    }
}

impl Engine<'_> {
    /// Ranks metrics by what they have to do with an anomaly.
    ///
    /// # Errors
    /// The traces cannot be read, the question does not fit them, or the user ended it.
    pub fn explain(
        &mut self,
        request: &ExplainRequest,
    ) -> Result<Answer<ExplainedTraces>, EngineError> {
        let traces = TraceSet::open(&request.traces)?;
        let question = traces.question(request)?;
        let cache = traces.cache();
        let found = {
            let watch = watched(self.watch)?;
            fathom_explain::explain_with(&traces, &question, &cache, &watch)
        };
        self.watch.clear();
        let mut explanation = found.map_err(|error| traces.failed(error))?;
        explanation.notes.extend(traces.notes().iter().cloned());
        let run = explanation.runs.get(explanation.reference);
        let origin_ns = run.and_then(|run| traces.origin_ns(&run.aligned.run));
        let request = Request::from(request.clone());
        let command_line = self.asked_by(&request);
        Ok(Answer::of(ExplainedTraces { explanation, origin_ns, request, command_line }))
    }
}

impl TraceSet {
    /// Why there is no explanation, with what the times in it count from.
    fn failed(&self, error: ExplainError) -> EngineError {
        match error {
            ExplainError::Stopped(_) | ExplainError::Align(AlignError::Stopped(_)) => {
                EngineError::interrupted()
            }
            error => EngineError::from(error).with_advice(self.origin_line()),
        }
    }
}
