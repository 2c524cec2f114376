//! A line on the terminal that says how far a measurement is.

use crate::arguments::Style;
use fathom_render::layout::visible;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthChar;

/// Drawn on standard error, over itself, at most ten times a second.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    last: Option<Instant>,
    width: usize,
}

const PAUSE: Duration = Duration::from_millis(100);

impl Progress {
    /// As the style, the terminal and `--quiet` want it.
    pub(crate) fn new(style: Style, quiet: bool) -> Progress {
        let is_terminal = std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let is_wanted = match style {
            Style::Auto => is_terminal,
            Style::Nocolor | Style::Full => true,
            Style::Basic | Style::Color | Style::None => false,
        };
        if !is_wanted || quiet {
            return Progress::off();
        }
        let width = terminal_size::terminal_size_of(std::io::stderr())
            .map_or(80, |(width, _)| usize::from(width.0).max(20));
        Progress { shown: Some(Shown { last: None, width }) }
    }

    /// Shows nothing.
    pub(crate) fn off() -> Progress {
        Progress { shown: None }
    }

    /// Draws the line, unless it was drawn a moment ago. Called between runs, or while waiting for
    /// a long one, so that drawing does not disturb what is measured.
    pub(crate) fn draw(&mut self, line: impl FnOnce() -> String) {
        let Some(shown) = &mut self.shown else { return };
        if shown.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        shown.last = Some(Instant::now());
        let text = fitted(&line(), shown.width - 1);
        let _ = write!(std::io::stderr(), "\r\x1b[2K{text}");
        let _ = std::io::stderr().flush();
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.shown.as_ref().is_some_and(|shown| shown.last.is_some()) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// As much of a line as fits, without what could steer the terminal.
fn fitted(line: &str, width: usize) -> String {
    let mut used = 0;
    visible(line)
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_do_not_steer() {
        assert_eq!(fitted("abc\x1b[2Jdef", 6), "abc\u{fffd}[2");
        assert_eq!(fitted("漢字", 3), "漢");
    }
}
