//! Which metrics have to do with an anomaly.

mod contrast;
mod executions;
mod joined;
mod names;
mod question;
mod runs_where;
mod source;
mod suggest;
mod trace_provenance;
mod watched;

pub use contrast::ContrastedTraces;
pub use source::TraceSet;
pub use suggest::{
    ProposedWindows, SuggestedStretch, SuggestionEntry, Suggestions, SuggestionsDocument,
};
use trace_provenance::TraceProvenance;
pub use watched::watched;

use crate::{Answer, Engine, EngineError};
use fathom_explain::align::AlignError;
use fathom_explain::document::ExplanationDocument;
use fathom_explain::{ExplainError, Explanation};
use fathom_record::Timestamp;
use fathom_request::{ExplainRequest, Request};

/// An explanation, and what to know of the traces that it is of.
#[derive(Debug)]
pub struct ExplainedTraces {
    /// The ranking.
    pub explanation: Explanation,
    /// When the times of the target's run begin, counted from 1970, if people know them so.
    pub origin: Option<Timestamp>,
    /// Whether people know the times as times of day.
    pub has_times_of_day: bool,
    provenance: TraceProvenance,
    request: Request,
    command_line: String,
}

impl ExplainedTraces {
    /// As JSON, with the numbers of the small pictures if they are wanted.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self, with_outlines: bool) -> Result<String, EngineError> {
        let environment = self.provenance.environment();
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
        let mut request = request.clone();
        let traces = TraceSet::open_question(&mut request, self.watch)?;
        let question = traces.question(&request)?;
        let cache = traces.cache();
        let found = {
            let watch = watched(self.watch)?;
            fathom_explain::explain_with(&traces, &question, &cache, &watch)
        };
        self.watch.clear();
        let mut explanation = found.map_err(|error| traces.failed(error))?;
        explanation.notes.extend(traces.notes().iter().cloned());
        let run = explanation.runs.get(explanation.reference);
        let origin = run.and_then(|run| traces.origin(&run.aligned.run));
        let request = Request::from(request);
        let command_line = self.asked_by(&request);
        let provenance = traces.provenance();
        let has_times_of_day = traces.is_of_store();
        Ok(Answer::of(ExplainedTraces {
            explanation,
            origin,
            has_times_of_day,
            provenance,
            request,
            command_line,
        }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Watch;
    use crate::opening::ExplanationFile;
    use fathom_request::value::OptionValue as _;
    use fathom_request::{SuggestRequest, TraceFiles, TypedSpan};

    fn shop() -> TraceFiles {
        let folder = fathom_testkit::repository::top().join("testdata/traces/shop");
        TraceFiles { paths: vec![folder], ..TraceFiles::default() }
    }

    fn request() -> ExplainRequest {
        ExplainRequest {
            traces: shop(),
            target: "latency_ms".to_string(),
            windows: vec![TypedSpan::read("260..276").unwrap()],
            ..ExplainRequest::default()
        }
    }

    /// What was told, from whichever thread.
    #[derive(Default)]
    struct Told(Vec<String>);

    impl Watch for Told {
        fn progress(&mut self, line: &dyn Fn() -> String) {
            self.0.push(line());
        }
    }

    #[test]
    fn an_explanation_carries_its_request() {
        let mut told = Told::default();
        let answer = Engine::new(&mut told).explain(&request()).unwrap();
        assert!(
            told.0.iter().any(|line| line.starts_with("scoring metrics: ")),
            "{told:?}",
            told = told.0
        );
        let json = answer.report.to_json(false).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("why.json");
        std::fs::write(&file, &json).unwrap();
        let found = ExplanationFile::read(&file, &|_| Err(String::new())).unwrap().unwrap();
        assert_eq!(found.request, request());
        assert_eq!(found.command_line, Request::from(request()).command_line());
        let ranking: Vec<String> =
            answer.report.explanation.ranking.iter().map(|one| one.metric.name.clone()).collect();
        assert_eq!(found.is_outdated(&ranking), None);
        assert!(found.is_outdated(&ranking[1..]).is_some());
    }

    #[test]
    fn an_older_explanation_is_read_by_its_words() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("why.json");
        let line = Request::from(request()).command_line();
        let document = serde_json::json!({ "command_line": line, "ranking": [{ "metric": "a" }] });
        std::fs::write(&file, document.to_string()).unwrap();
        let whole = ExplainRequest { windows: Vec::new(), ..request() };
        let of_words = move |words: &[String]| match words[0] == "explain" {
            true => Ok(whole.clone().into()),
            false => Err(String::new()),
        };
        let found = ExplanationFile::read(&file, &of_words).unwrap().unwrap();
        assert_eq!(found.request.windows, [TypedSpan::Whole]);
        let unknown = ExplanationFile::read(&file, &|_| Err(String::new())).unwrap_err();
        assert!(
            unknown.to_string().contains("which this version of Fathom does not know"),
            "{unknown}"
        );
    }

    #[test]
    fn what_is_suggested_can_be_asked() {
        let target = "latency_ms".to_string();
        let asked = SuggestRequest { traces: shop(), target: Some(target), run: None };
        let found = Engine::new(&mut ()).suggest(&asked, 3).unwrap().report;
        assert!((1..=3).contains(&found.proposed.len()));
        for proposed in &found.proposed {
            let again = ExplainRequest { windows: proposed.windows.clone(), ..request() };
            Engine::new(&mut ()).explain(&again).unwrap();
        }
    }
}
