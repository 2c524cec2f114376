//! The terminal as the engine's watcher: progress and notes on standard error.

use crate::arguments::{Color, Style};
use crate::output;
use crate::progress::Progress;
use fathom_engine::Watch;
use fathom_property::{CheckCost, CheckExpectation};
use fathom_render::check;

/// Draws progress and prints notes.
#[derive(Debug)]
pub(crate) struct Terminal {
    progress: Progress,
    is_quiet: bool,
    says_expectations: bool,
    color: Color,
}

impl Terminal {
    /// As the style and `--quiet` want it.
    pub(crate) fn new(style: Style, quiet: bool, color: Color) -> Terminal {
        let progress = Progress::new(style, quiet);
        let color = style.color(color);
        Terminal { progress, is_quiet: quiet, says_expectations: false, color }
    }

    /// The same, telling before a check what to expect of it, if that is wanted.
    pub(crate) fn with_expectations(self, says_expectations: bool) -> Terminal {
        Terminal { says_expectations, ..self }
    }

    /// Whether only the answer is wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// The colours that follow from the style.
    pub(crate) fn color(&self) -> Color {
        self.color
    }
}

impl Watch for Terminal {
    fn progress(&mut self, line: &dyn Fn() -> String) {
        self.progress.draw(line);
    }

    fn clear(&mut self) {
        self.progress.clear();
    }

    fn check_begins(&mut self, expectation: &CheckExpectation) {
        if self.says_expectations {
            check::expectation(expectation).iter().for_each(|line| self.note(line));
        }
    }

    fn check_costs(&mut self, cost: &CheckCost) {
        if self.says_expectations {
            self.note(&check::cost(cost));
        }
    }

    fn note(&mut self, text: &str) {
        self.progress.clear();
        output::print_warning(text, self.color);
    }
}
