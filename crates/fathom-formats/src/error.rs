//! Why a file cannot be read, as a message for the user.

use fathom_record::foreign_text::escaped;
use std::fmt;

use crate::trace_imports::ImportFormat;
use crate::{Format, ObservationFormat};
use fathom_record::ObservationError;

/// Why a file cannot be read: which file, where in it, what is wrong, and what to do.
///
/// Its text is a complete message to print after "error: ":
///
/// ```
/// use fathom_formats::{ReadOptions, read_bytes};
/// let error = read_bytes("runs.txt", b"1.5\nabc\n", &ReadOptions::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "runs.txt:2: \"abc\" is not a number. Correct it or remove it."
/// );
/// assert_eq!(error.line(), Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    file: String,
    // Boxed: results are passed on far more often than they are errors.
    flaw: Box<Flaw>,
    forced: Option<Forced>,
}

/// The format that the user forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Forced {
    Of(ObservationFormat),
    Import(ImportFormat),
}

impl Forced {
    fn name(self) -> &'static str {
        match self {
            Forced::Of(format) => format.name(),
            Forced::Import(format) => format.name(),
        }
    }
}

impl ReadError {
    pub(crate) fn new(file: &str, flaw: Flaw, forced: Option<Format>) -> ReadError {
        ReadError::of_format(file, flaw, forced.map(ObservationFormat::Of))
    }

    pub(crate) fn of_format(
        file: &str,
        flaw: Flaw,
        forced: Option<ObservationFormat>,
    ) -> ReadError {
        ReadError { file: file.to_string(), flaw: Box::new(flaw), forced: forced.map(Forced::Of) }
    }

    pub(crate) fn of_import(file: &str, flaw: Flaw, forced: Option<ImportFormat>) -> ReadError {
        ReadError {
            file: file.to_string(),
            flaw: Box::new(flaw),
            forced: forced.map(Forced::Import),
        }
    }

    /// The file, or the name the caller gave to the bytes.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Whether what it advises are options of `fathom analyze`, which other commands that read
    /// measurements do not have.
    #[must_use]
    pub fn names_options(&self) -> bool {
        self.forced.is_some() || self.flaw.remedy.names_options
    }

    /// The line, from 1, where the error has one.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.flaw.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.file.clone();
        if let Some(line) = self.flaw.line {
            text.push_str(&format!(":{line}"));
        }
        if let Some(within) = &self.flaw.within {
            text.push_str(&format!(": {within}"));
        }
        let what = self.flaw.what.trim_end_matches('.');
        text.push_str(&format!(": {what}"));
        if let Some(format) = self.forced.map(Forced::name) {
            text.push_str(&format!(" (read as {format} because of --input-format)"));
        }
        text.push_str(&format!(". {}", sentence(&self.flaw.remedy.text)));
        // Our own messages escape what they quote from the file; a parser's message does not.
        f.write_str(&escaped(&text))
    }
}

/// What is wrong at which place, before the file's name is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    line: Option<u64>,
    within: Option<String>,
    what: String,
    remedy: FileRemedy,
}

/// What to do about a file: most often text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRemedy {
    text: String,
    names_options: bool,
}

/// A remedy that names options of `fathom analyze`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByOption<T>(pub(crate) T);

impl FileRemedy {
    /// The same after something else to do: "correct it, or ".
    pub(crate) fn after(self, text: &str) -> FileRemedy {
        FileRemedy { text: format!("{text}{}", self.text), ..self }
    }
}

impl From<&str> for FileRemedy {
    fn from(text: &str) -> FileRemedy {
        FileRemedy::from(text.to_string())
    }
}

impl From<String> for FileRemedy {
    fn from(text: String) -> FileRemedy {
        FileRemedy { text, names_options: false }
    }
}

impl<T: Into<String>> From<ByOption<T>> for FileRemedy {
    fn from(ByOption(text): ByOption<T>) -> FileRemedy {
        FileRemedy { text: text.into(), names_options: true }
    }
}

impl Flaw {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<FileRemedy>) -> Flaw {
        Flaw { line: None, within: None, what: what.into(), remedy: remedy.into() }
    }

    /// The same, N lines further down: a part of a file was read alone.
    pub(crate) fn moved_down(self, lines: u64) -> Flaw {
        Flaw { line: self.line.map(|line| line + lines), ..self }
    }

    /// What does not fit into an execution; `otherwise` is what to do where the error itself suggests
    /// nothing.
    pub(crate) fn of_observation(error: &ObservationError, otherwise: &str) -> Flaw {
        Flaw::new(error.what(), error.remedy().unwrap_or(otherwise))
    }

    pub(crate) fn at_line(mut self, line: u64) -> Flaw {
        self.line = Some(line);
        self
    }

    /// A place inside the line: a column's name, a position.
    pub(crate) fn within(mut self, place: impl Into<String>) -> Flaw {
        self.within = Some(place.into());
        self
    }
}

/// A remedy as a sentence: with a capital letter and a full stop.
pub(crate) fn sentence(remedy: &str) -> String {
    let mut letters = remedy.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let stop = if remedy.ends_with('.') { "" } else { "." };
    first.into_iter().chain(letters).chain(stop.chars()).collect()
}

/// A piece of the user's file in quotes: control characters escaped, since the message goes to a
/// terminal, and shortened, since the piece may be the whole file.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// Names as a list in a message: `"a", "b" and 3 more`.
pub(crate) fn listed<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let shown: Vec<String> = names.iter().take(most).map(|name| quoted(name.as_ref())).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_the_file_cannot_steer_the_terminal_or_flood_it() {
        assert_eq!(quoted("\u{1b}[2J"), r#""\u{1b}[2J""#);
        assert_eq!(quoted(&"x".repeat(100_000)).len(), 65);
        let error = ReadError::new("a\n", Flaw::new("\u{1b}[2J", "do"), None);
        assert_eq!(error.to_string(), r"a\n: \u{1b}[2J. Do.");
    }

    #[test]
    fn long_lists_are_cut_and_say_so() {
        assert_eq!(listed(&["a", "b", "c"], 2), "\"a\", \"b\" and 1 more");
        assert_eq!(listed(&["a"], 2), "\"a\"");
    }

    #[test]
    fn remedies_are_sentences() {
        assert_eq!(sentence("check the path"), "Check the path.");
        assert_eq!(sentence("-u shows it. Or not."), "-u shows it. Or not.");
    }
}
