//! Where in a metric something odd is.

use super::{Traces, Trouble};
use fathom_explain::align::{self, AlignOptions};
use fathom_explain::suggest::suggest;
use fathom_explain::{Question, Segments, Selection, TargetRange};
use serde::Serialize;
use std::ops::Range;

/// An anomaly that is worth a look.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSuggestion {
    /// What is odd.
    pub kind: &'static str,
    /// A sentence without its subject.
    pub about: String,
    /// The windows to ask with, in seconds.
    pub windows: Vec<[f64; 2]>,
}

/// As many as `fathom explain --suggest` shows.
const MOST: usize = 10;

impl Traces {
    /// Anomalies of a metric in a run, the strongest first.
    pub fn suggestions(&self, run: &str, metric: &str) -> Result<Vec<PageSuggestion>, Trouble> {
        let selection = Selection {
            target: metric.to_string(),
            run: Some(run.to_string()),
            windows: vec![TargetRange::Whole],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        let options = AlignOptions::default();
        let question = align::question_with(self.source(), &selection, &options, &self.cache)?;
        let found = suggest(&question.grid, &question.target, MOST);
        let suggestion = |one: &fathom_explain::suggest::Suggestion| PageSuggestion {
            kind: one.kind.as_str(),
            about: one.about.clone(),
            windows: one
                .windows_to_ask(question.target.len())
                .iter()
                .filter_map(|rows| span(&question, rows))
                .collect(),
        };
        Ok(found.iter().map(suggestion).collect())
    }
}

/// From the end of the first row to the end of the last: that selects just these rows.
fn span(question: &Question, rows: &Range<usize>) -> Option<[f64; 2]> {
    let (_, start) = question.grid.row(rows.start)?;
    let (_, end) = question.grid.row(rows.end.checked_sub(1)?)?;
    Some([start.seconds(), end.seconds()])
}
