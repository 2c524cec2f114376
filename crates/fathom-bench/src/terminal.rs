//! Results to standard output, everything else to standard error.

use crate::command_line::{CommandLine, WithColor};
use anstyle::{AnsiColor, Color, Style};
use fathom_render::layout::{plain, visible, wrapped};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const ERROR: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red)));
/// Lines are at most this long, however wide the terminal is.
const WIDEST: usize = 120;
/// How often the progress line changes at most.
const PAUSE: Duration = Duration::from_millis(100);

/// Where a bench writes.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Standard output, where it is kept for a program that reads it.
    kept: Option<File>,
    color: WithColor,
    shows_progress: bool,
    drawn: Option<Instant>,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal { kept: None, color: WithColor::Auto, shows_progress: false, drawn: None }
    }
}

/// Whether results reached standard output, and if not, why.
pub(crate) fn printed(result: io::Result<()>) -> Result<(), String> {
    match result {
        // If the reader closes the pipe early, it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| format!("cannot write to standard output: {error}")),
    }
}

impl Terminal {
    pub(crate) fn new(line: &CommandLine) -> Terminal {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let takes_escapes = !is_dumb && fathom_sys::terminal::takes_escapes();
        let shows_progress = std::io::stderr().is_terminal() && takes_escapes && !line.is_quiet;
        Terminal { kept: None, color: line.color, shows_progress, drawn: None }
    }

    /// Keeps standard output for results alone: what benches print goes to standard error. Where
    /// that cannot be done, they share it.
    pub(crate) fn keep_output(&mut self) {
        if let Ok((_input, output)) = fathom_sys::standard_streams::claim() {
            self.kept = Some(output);
        }
    }

    /// Writes to standard output; styles are dropped where they are not wanted.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        if let Some(mut kept) = self.kept.as_ref() {
            return kept.write_all(plain(text).as_bytes());
        }
        let mut out = std::io::stdout().lock();
        out.write_all(self.as_wanted(text, out.is_terminal()).as_bytes())?;
        out.flush()
    }

    /// Writes to standard error why something failed.
    pub(crate) fn error(&self, text: &str) {
        let text: Vec<String> = text.lines().map(visible).collect();
        let lines = wrapped(&format!("error: {}", text.join("\n")), WIDEST, 2).join("\n");
        let rest = lines.strip_prefix("error:").unwrap_or(&lines);
        let mut err = std::io::stderr().lock();
        let text = format!("{ERROR}error:{ERROR:#}{rest}\n");
        let _ = err.write_all(self.as_wanted(&text, err.is_terminal()).as_bytes());
    }

    /// Writes a line to standard error.
    pub(crate) fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{}", visible(text));
    }

    /// With its styles, or without.
    fn as_wanted(&self, text: &str, is_terminal: bool) -> String {
        let is_plain_wanted = || {
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_none_or(|term| term == "dumb")
        };
        let is_styled = match self.color {
            WithColor::Always => true,
            WithColor::Never => false,
            WithColor::Auto => is_terminal && !is_plain_wanted(),
        };
        if is_styled { text.to_string() } else { plain(text) }
    }

    /// The columns to fill.
    pub(crate) fn width(&self) -> usize {
        fathom_sys::terminal::columns().map_or(80, |columns| columns.clamp(40, WIDEST))
    }

    /// Draws how far it is, unless that was done a moment ago. Called between batches.
    pub(crate) fn progress(&mut self, line: &dyn Fn() -> String) {
        if !self.shows_progress || self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return;
        }
        self.drawn = Some(Instant::now());
        let width = fathom_sys::terminal::columns_of_error().unwrap_or(80).max(20) - 1;
        let text: String = visible(&line()).chars().take(width).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[2K{text}");
        let _ = std::io::stderr().flush();
    }

    /// Takes the progress line away.
    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_reader_that_has_seen_enough_is_no_error_and_a_full_disk_is() {
        let failed = |kind: io::ErrorKind| printed(Err(kind.into()));
        assert_eq!(failed(io::ErrorKind::BrokenPipe), Ok(()));
        let full = failed(io::ErrorKind::StorageFull).unwrap_err();
        assert!(full.starts_with("cannot write to standard output: "), "{full}");
        assert_eq!(printed(Ok(())), Ok(()));
    }

    #[test]
    fn progress_is_drawn_now_and_then_and_only_where_it_is_wanted() {
        let asked = Cell::new(0);
        let line = || {
            asked.set(asked.get() + 1);
            String::new()
        };
        let mut silent = Terminal::default();
        silent.progress(&line);
        assert_eq!((asked.get(), silent.drawn), (0, None));
        let mut terminal = Terminal { shows_progress: true, ..Terminal::default() };
        terminal.progress(&line);
        assert!(asked.get() == 1 && terminal.drawn.is_some());
        // However slow the machine is, this was drawn a moment ago.
        terminal.drawn = Some(Instant::now() + Duration::from_secs(3600));
        terminal.progress(&line);
        assert_eq!(asked.get(), 1);
    }
}
