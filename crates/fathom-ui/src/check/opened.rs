//! A check that is looked at.

use super::{CheckView, Fineness};
use fathom_property::{JointReport, QuestionDetails};
use fathom_render::shell;

/// A check, opened to be looked at.
#[derive(Debug, Clone)]
pub struct OpenedCheck {
    /// What it is called.
    pub title: String,
    /// What opens the same after `fathom ui`, a word each.
    pub words: Vec<String>,
    /// The answers.
    pub report: JointReport,
    /// What is known of each question besides.
    pub details: Vec<QuestionDetails>,
    /// The commands that repeat the worst execution of each question.
    pub again: Vec<Vec<String>>,
    /// What the reader should know of where it comes from.
    pub notes: Vec<String>,
}

impl OpenedCheck {
    /// "fathom ui" and what opens the check, as it is typed in a shell.
    pub(crate) fn opens(&self) -> String {
        shell::line(["fathom", "ui"].into_iter().chain(self.words.iter().map(String::as_str)))
    }

    /// What there is to see.
    #[must_use]
    pub fn view(&self, fineness: Fineness) -> CheckView {
        CheckView::of(self, fineness)
    }
}
