//! Any question, with the version of its form.

use crate::{
    AnalyzeRequest, CheckRequest, CompareRequest, ContrastRequest, ExplainRequest, RecordRequest,
    RunRequest, SuggestRequest,
};
use fathom_record::foreign_text::escaped;
use fathom_record::shell;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that is written. It grows when a field is added that changes an answer, so
/// that an older Fathom refuses the request instead of answering another question.
pub const VERSION: u64 = 5;

/// A question that Fathom can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = with_version))]
#[serde(tag = "question", rename_all = "snake_case")]
pub enum Request {
    /// How fast is it?
    Run(Box<RunRequest>),
    /// Did it change?
    Compare(Box<CompareRequest>),
    /// Does it keep its promise?
    Check(Box<CheckRequest>),
    /// What does it do while it runs?
    Record(Box<RecordRequest>),
    /// Why does it do that?
    Explain(Box<ExplainRequest>),
    /// What differs between two groups of runs?
    Contrast(Box<ContrastRequest>),
    /// Where are the anomalies?
    Suggest(Box<SuggestRequest>),
    /// What do these numbers say?
    Analyze(Box<AnalyzeRequest>),
}

/// [`Request::to_value`] writes the version next to the fields of the question.
#[cfg(feature = "schema")]
fn with_version(schema: &mut schemars::Schema) {
    let version = serde_json::json!({
        "description": "The version of the format.",
        "type": "integer",
        "const": VERSION,
    });
    schema.insert("properties".to_string(), serde_json::json!({ "version": version }));
    schema.insert("required".to_string(), serde_json::json!(["version"]));
}

/// Text that is not a request this Fathom can answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A newer Fathom wrote it.
    #[error(
        "the request has version {found}, and this Fathom reads up to version {VERSION}. Update Fathom"
    )]
    Newer {
        /// Its version.
        found: u64,
    },
    /// It cannot be read.
    #[error("the request cannot be read: {}", escaped(.0))]
    Malformed(String),
}

impl Request {
    /// As JSON, with its version.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Requests hold numbers, texts and lists of them, and JSON has all of these.
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.insert("version".to_string(), VERSION.into());
        }
        value
    }

    /// As the text of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    /// Reads what [`Request::to_json`] wrote, in this or an earlier version.
    ///
    /// # Errors
    /// A newer Fathom wrote it, or it is something else.
    pub fn read(text: &str) -> Result<Request, RequestError> {
        let value = serde_json::from_str(text)
            .map_err(|error| RequestError::Malformed(error.to_string()))?;
        Request::from_value(value)
    }

    /// Reads what [`Request::to_value`] made, in this or an earlier version.
    ///
    /// # Errors
    /// As [`Request::read`].
    pub fn from_value(value: Value) -> Result<Request, RequestError> {
        match value.get("version").and_then(Value::as_u64) {
            Some(found) if found > VERSION => Err(RequestError::Newer { found }),
            Some(_) => serde_json::from_value(value)
                .map_err(|error| RequestError::Malformed(error.to_string())),
            None => Err(RequestError::Malformed("it has no version".to_string())),
        }
    }

    /// The words after `fathom` that ask the same.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            Request::Run(request) => request.words(),
            Request::Compare(request) => request.words(),
            Request::Check(request) => request.words(),
            Request::Record(request) => request.words(),
            Request::Explain(request) => request.words(),
            Request::Contrast(request) => request.words(),
            Request::Suggest(request) => request.words(),
            Request::Analyze(request) => request.words(),
        }
    }

    /// The command that asks the same, as it is typed in a shell.
    #[must_use]
    pub fn command_line(&self) -> String {
        let words = self.words();
        shell::line(std::iter::once("fathom").chain(words.iter().map(String::as_str)))
    }
}

/// Each question is a request.
macro_rules! questions {
    ($($name:ident($request:ty)),+ $(,)?) => { $(
        impl From<$request> for Request {
            fn from(request: $request) -> Request {
                Request::$name(Box::new(request))
            }
        }
    )+ };
}

questions!(
    Record(RecordRequest),
    Explain(ExplainRequest),
    Contrast(ContrastRequest),
    Suggest(SuggestRequest),
    Analyze(AnalyzeRequest),
);
