//! Where results and messages go: results to standard output, the rest to standard error.

use crate::arguments::Color;
use crate::failure::Failure;
use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use fathom_engine::EngineError;
use fathom_record::shell;
use fathom_render::layout::{visible, wrapped};
use serde::Serialize;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// Bold red, for "error:".
const ERROR: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// Writes styled text to standard output; styles are dropped where they are not wanted.
pub(crate) fn print(text: &str, color: Color) -> Result<(), Failure> {
    let mut out = AutoStream::new(std::io::stdout().lock(), color.choice());
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::standard_output)
}

/// A document as it is printed.
pub(crate) fn json(document: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(document).map_err(EngineError::from)? + "\n")
}

/// Writes a line to standard error: a warning for formats that have no place for one, a note.
pub(crate) fn print_warning(text: &str, color: Color) {
    // Names in it come from files and commands.
    let text: Vec<String> = text.lines().map(visible).flat_map(|line| on_terminal(&line)).collect();
    print_message(&text.join("\n"), color);
}

/// Writes why the command failed.
pub(crate) fn print_failure(failure: &Failure, color: Color) {
    // Commands and files have names that could steer the terminal.
    let text = format!("error: {failure}");
    let lines: Vec<String> =
        text.lines().map(visible).flat_map(|line| on_terminal(&line)).collect();
    let text = lines.join("\n");
    let text = text.strip_prefix("error:").unwrap_or(&text);
    print_message(&format!("{ERROR}error:{ERROR:#}{text}"), color);
}

/// Writes a message with its end of line at once: a signal in between would leave half a line.
fn print_message(text: &str, color: Color) {
    let mut err = AutoStream::new(std::io::stderr().lock(), color.choice());
    let _ = err.write_all(format!("{text}\n").as_bytes());
}

/// A line as it goes to standard error: on a terminal broken at spaces, elsewhere as it is.
fn on_terminal(line: &str) -> Vec<String> {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((width, _)) => wrapped(line, usize::from(width.0).clamp(40, WIDEST), 0),
        None => vec![line.to_string()],
    }
}

/// The words after `fathom` as they were typed, for the record; the program's own path is left out so
/// that the same question gives the same bytes from anywhere.
pub(crate) fn typed() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Words as they are typed after `fathom`.
pub(crate) fn command_line(words: &[String]) -> String {
    shell::line(std::iter::once("fathom").chain(words.iter().map(String::as_str)))
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

const WIDEST: usize = 120;

/// The columns to fill: the terminal's, or 80.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout())
        .map_or(80, |(width, _)| usize::from(width.0).clamp(40, WIDEST))
}
