//! The terminal as the engine's watcher: progress and notes on standard error.

use crate::arguments::{Color, Style};
use crate::output;
use crate::progress::Progress;
use fathom_engine::Watch;

/// Draws progress and prints notes.
#[derive(Debug)]
pub(crate) struct Terminal {
    progress: Progress,
    is_quiet: bool,
    color: Color,
}

impl Terminal {
    /// As the style and `--quiet` want it.
    pub(crate) fn new(style: Style, quiet: bool, color: Color) -> Terminal {
        let progress = Progress::new(style, quiet);
        Terminal { progress, is_quiet: quiet, color: style.color(color) }
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

    fn note(&mut self, text: &str) {
        self.progress.clear();
        output::print_warning(text, self.color);
    }
}
