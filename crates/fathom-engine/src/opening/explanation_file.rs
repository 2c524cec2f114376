//! The JSON of `fathom explain`: a question of traces, and its answer.

use super::json_file::{document, words};
use crate::{EngineError, ReadWords};
use fathom_record::foreign_text::escaped;
use fathom_request::{ExplainRequest, Request, TypedSpan};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A question that was answered before.
#[derive(Debug)]
pub struct ExplanationFile {
    /// Where it is.
    pub file: PathBuf,
    /// The command that was answered.
    pub command_line: String,
    /// The same as data. Its windows are always named.
    pub request: ExplainRequest,
    /// Its answer: metrics, those to look at first before.
    ranking: Vec<String>,
}

impl ExplanationFile {
    /// If the file is such JSON. `of_words` reads the words after `fathom` of a document that holds no
    /// request: those of before November 2026.
    ///
    /// # Errors
    /// The question in it cannot be read, or its traces are missing.
    pub fn read(file: &Path, of_words: &ReadWords) -> Result<Option<ExplanationFile>, EngineError> {
        // Errors in a file are reported when it is read.
        let Some(mut document) = document(file) else { return Ok(None) };
        let Some((command_line, ranking)) = answer(&document) else { return Ok(None) };
        // The command and the paths are from the file.
        let problem = |text: String| EngineError::usage(escaped(&text)).about(file.display());
        let request = match document.get_mut("request") {
            Some(request) => Some(
                Request::from_value(request.take())
                    .map_err(|error| EngineError::from(error).about(file.display()))?,
            ),
            None => words(&command_line).and_then(|words| of_words(&words).ok()),
        };
        let Some(Request::Explain(request)) = request else {
            return Err(problem(format!(
                "it holds the answer to `{command_line}`, which this version of Fathom does not know"
            )));
        };
        let mut request = *request;
        if let Some(missing) = request.traces.paths.iter().find(|path| !path.exists()) {
            return Err(problem(format!(
                "it holds the answer to `{command_line}`, and {} is missing. Change to the folder it \
                 is in, or name the traces: TRACES --target {}",
                missing.display(),
                request.target
            )));
        }
        if request.windows.is_empty() {
            // It has answered for all of the metric.
            request.windows.push(TypedSpan::Whole);
        }
        Ok(Some(ExplanationFile { file: file.to_path_buf(), command_line, request, ranking }))
    }

    /// That the answer is another one now, if it is.
    #[must_use]
    pub fn is_outdated(&self, ranking: &[String]) -> Option<String> {
        (self.ranking != ranking).then(|| {
            format!(
                "the ranking is not that in {}: the traces have changed since, or Fathom has",
                self.file.display()
            )
        })
    }
}

/// The command that made it, and the metrics in their order.
fn answer(document: &Value) -> Option<(String, Vec<String>)> {
    let ranking = document.get("ranking")?.as_array()?;
    let name = |row: &Value| Some(row.get("metric")?.as_str()?.to_string());
    let ranking = ranking.iter().map(name).collect::<Option<_>>()?;
    Some((document.get("command_line")?.as_str()?.to_string(), ranking))
}
