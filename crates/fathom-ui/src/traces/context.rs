//! Whether windows leave enough of the trace for a metric to be significant.

use super::{PageQuestion, Traces, Trouble};
use fathom_explain::align;
use fathom_explain::significance::Beside;
use serde::Serialize;

/// What there is outside the windows, and what it is enough for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageContext {
    /// Whether a metric can be significant.
    pub enough: bool,
    /// What to do if none can.
    pub advice: Option<String>,
}

impl Traces {
    /// As [`explain`](fathom_explain::explain) judges it, without scoring anything: the page asks while a window is
    /// drawn.
    pub fn context(&self, question: &PageQuestion) -> Result<PageContext, Trouble> {
        let selection = question.selection()?;
        let options = question.alignment();
        let asked = align::question_with(self.source(), &selection, &options, &self.cache)?;
        let beside = Beside::of(&asked);
        Ok(PageContext { enough: beside.is_enough(), advice: beside.advice() })
    }
}
