//! One file to send: the page with its data inside, and a document that is read without scripts.
//!
//! Nothing here reads a clock or a random number: the same input is the same file.

mod check_document;
mod check_report;
mod embedded;
#[cfg(test)]
mod example_session;
#[cfg(test)]
mod example_traces;
mod file;
mod frame;
mod html;
mod page_data;
mod picture;
mod policy;
mod question_list;
mod ranking_table;
mod session_document;
mod session_report;
mod table;
#[cfg(test)]
mod tests;
mod time_words;
mod trace_document;
mod trace_lines;
mod trace_report;
mod value_budget;

pub use check_report::of_check;
pub use frame::ReportStamp;
pub(crate) use html::escaped;
pub use session_report::of_session;
pub use trace_report::of_traces;

use crate::page::PageMissing;
use crate::traces::Trouble;
use file::{Contents, file};
use frame::{Charts, Frame};
use html::Html;

/// How large the data of a report may be; what is beyond it is thinned for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// In bytes, as they stand in the file.
    pub bytes: usize,
}

impl Default for Limit {
    fn default() -> Limit {
        Limit { bytes: 10_000_000 }
    }
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenReport {
    /// The file.
    pub html: String,
    /// What was left out of its charts for size, in words.
    pub thinned: Option<String>,
    /// Whether it has charts: not if this build has no page.
    pub has_charts: bool,
    /// Of traces: the metrics, those to look at first before.
    pub ranking: Vec<String>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The question has no answer, or something cannot be read.
    #[error(transparent)]
    Traces(#[from] Trouble),
    /// The data cannot be written as JSON.
    #[error("cannot write the report's data: {0}")]
    Json(#[from] serde_json::Error),
}

/// Puts a report together; `document` writes what is read without scripts.
fn write(
    page: Result<&str, PageMissing>,
    kind: &'static str,
    title: &str,
    made: ReportStamp<'_>,
    data: &str,
    thinned: Option<String>,
    document: impl FnOnce(&Frame<'_>) -> Html,
) -> WrittenReport {
    let has_charts = page.is_ok();
    let charts = if has_charts { Charts::Inside } else { Charts::Missing };
    let body = document(&Frame { kind, title, made, charts, thinned: thinned.as_deref() });
    let title = format!("{title} · Fathom");
    let html = file(page, &Contents { title: &title, made_by: made.by, data, body: &body });
    WrittenReport { html, thinned, has_charts, ranking: Vec::new() }
}
