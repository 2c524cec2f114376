//! A ranking as the page shows it.

use super::Trouble;
use super::command::explain_request;
use crate::OpenedTraces;
use fathom_explain::Explanation;
use fathom_explain::document::ExplanationDocument;
use fathom_record::Environment;
use fathom_render::Detail;
use fathom_render::explanation::{Shown, says, sentence};
use fathom_request::Request;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// A ranking with its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageRanking {
    /// Whether a better one follows.
    pub provisional: bool,
    /// How long it took.
    pub seconds: f64,
    /// The first lines of the terminal's page.
    pub sentence: String,
    /// The command that gives the same ranking.
    pub command: String,
    /// `fathom explain --format json --include-values`, with what the terminal says in each row.
    pub explanation: Value,
}

/// An explanation in words, with its document. What the files' reader noted is added to its notes.
pub fn answer(
    opened: &OpenedTraces,
    mut explanation: Explanation,
    provisional: bool,
    took: Duration,
) -> Result<PageRanking, Trouble> {
    explanation.notes.extend(opened.notes.iter().cloned());
    let request = Request::from(explain_request(opened, &explanation.request));
    let command = request.command_line();
    Ok(PageRanking {
        provisional,
        seconds: took.as_secs_f64(),
        sentence: sentence(&explanation, &shown(opened, &explanation)),
        explanation: document(&explanation, &command, &request)
            .map_err(|error| Trouble::Failed(format!("cannot write the answer: {error}")))?,
        command,
    })
}

fn document(
    explanation: &Explanation,
    command: &str,
    request: &Request,
) -> Result<Value, serde_json::Error> {
    let environment = Environment::of_this_build();
    let document = ExplanationDocument::of(explanation, command, &environment, true);
    let mut document = serde_json::to_value(document.with_request(request.to_value()))?;
    unit_as_text(&mut document, "target_unit");
    let rows = document.get_mut("ranking").and_then(Value::as_array_mut);
    for (row, ranked) in rows.into_iter().flatten().zip(&explanation.ranking) {
        unit_as_text(row, "unit");
        if let Some(row) = row.as_object_mut() {
            row.insert("says".to_string(), says(ranked, explanation, None).into());
        }
    }
    Ok(document)
}

/// The page draws units; that there is none is an empty one to it.
fn unit_as_text(value: &mut Value, key: &str) {
    if let Some(unit @ Value::Null) = value.get_mut(key) {
        *unit = "".into();
    }
}

fn shown(opened: &OpenedTraces, explanation: &Explanation) -> Shown {
    let clock = opened.clocks.get(explanation.reference).copied().flatten();
    let origin = clock.filter(|_| opened.has_wall_times);
    Shown {
        detail: Detail::Usual,
        width: usize::MAX,
        time_unit: None,
        top: explanation.ranking.len(),
        origin: origin.map(|clock| clock.wall),
        local_time: None,
    }
}
