//! Why a file cannot be read, in words for its user.

use std::fmt;

use crate::Format;

/// Why a file cannot be read: which file, where in it, what is wrong, and what to do.
///
/// Its text is a whole message, to be printed after "error: ":
///
/// ```
/// use fathom_formats::{ReadOptions, read_bytes};
/// let error = read_bytes("runs.txt", b"1.5\nabc\n", &ReadOptions::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "runs.txt, line 2: \"abc\" is not a number; correct it or remove it"
/// );
/// assert_eq!(error.line(), Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    file: String,
    flaw: Flaw,
    forced: Option<Format>,
}

impl ReadError {
    pub(crate) fn new(file: &str, flaw: Flaw, forced: Option<Format>) -> ReadError {
        ReadError { file: file.to_string(), flaw, forced }
    }

    /// The file, or the name the caller gave to the bytes.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, from 1, where the error has one.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.flaw.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.flaw.line {
            write!(f, ", line {line}")?;
        }
        if let Some(within) = &self.flaw.within {
            write!(f, ", {within}")?;
        }
        write!(f, ": {}; {}", self.flaw.what, self.flaw.remedy)?;
        if let Some(format) = self.forced {
            write!(f, " (read as {}, forced by --input-format)", format.name())?;
        }
        Ok(())
    }
}

/// What is wrong at which place, before the file's name is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    line: Option<u64>,
    within: Option<String>,
    what: String,
    remedy: String,
}

impl Flaw {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Flaw {
        Flaw { line: None, within: None, what: what.into(), remedy: remedy.into() }
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
    }

    #[test]
    fn long_lists_are_cut_and_say_so() {
        assert_eq!(listed(&["a", "b", "c"], 2), "\"a\", \"b\" and 1 more");
        assert_eq!(listed(&["a"], 2), "\"a\"");
    }
}
