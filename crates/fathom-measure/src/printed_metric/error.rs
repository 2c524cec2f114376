//! Why a run's output does not give a number.

use fathom_record::foreign_text::escaped;
use std::fmt;
use std::path::Path;

/// Why a number could not be read from what a run printed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PrintedMetricError {
    name: String,
    /// Boxed, since errors travel with results that are a number.
    search: Box<Search>,
}

/// A search that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Search {
    sought: String,
    flaw: Flaw,
    /// Ready to be shown; `None` if nothing was printed.
    last_line: Option<String>,
    /// Where Fathom looked; `None` for standard output.
    file: Option<String>,
}

impl PrintedMetricError {
    pub(super) fn new(name: &str, sought: &str, flaw: Flaw, stdout: &[u8]) -> PrintedMetricError {
        let last_line = last_line(stdout).map(|line| quoted(&String::from_utf8_lossy(line)));
        let search = Search { sought: sought.to_string(), flaw, last_line, file: None };
        PrintedMetricError { name: name.to_string(), search: Box::new(search) }
    }

    /// The same, about a file that the run wrote.
    pub(crate) fn in_file(mut self, file: &Path) -> PrintedMetricError {
        self.search.file = Some(file.display().to_string());
        self
    }

    /// The metric's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for PrintedMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PrintedMetricError { name, search } = self;
        let Search { sought, flaw, last_line, file } = &**search;
        let place = file.as_deref().unwrap_or("standard output");
        let text = match (last_line, file) {
            (Some(line), _) => format!(
                "metric {name}: {flaw}, looking for {sought} in {place}. Its last line is {line}."
            ),
            (None, Some(_)) => format!("metric {name}: {place} is empty, expected {sought}"),
            (None, None) => format!(
                "metric {name}: standard output is empty, expected {sought}. Fathom does not read \
                 standard error."
            ),
        };
        // Quotes escape control characters of the output, but not all that is unseen.
        f.write_str(&escaped(&text))
    }
}

/// What is wrong with the output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Flaw {
    #[error("no match")]
    NoMatch,
    #[error("no number")]
    NoNumber,
    #[error("no JSON object or array")]
    NoJson,
    #[error("no column {column}{}", columns(has))]
    NoColumn { column: String, has: Vec<String> },
    #[error("no row below the column {0}")]
    NoRow(String),
    #[error("{at} has no {step}{}", there(has))]
    NoStep { at: String, step: String, has: Vec<String> },
    #[error("{at} has {count} elements, but none with index {index} (the first is 0)")]
    NoElement { at: String, count: usize, index: String },
    #[error("{at} is {kind}, so it has no {step}")]
    WrongStep { at: String, kind: &'static str, step: String },
    #[error("{at} is {kind}, not a number")]
    Kind { at: String, kind: &'static str },
    #[error("{} is not a finite number", quoted(.0))]
    NotFinite(String),
    #[error("{} does not fit in a 64-bit number", quoted(.0))]
    TooLarge(String),
    #[error(
        "{} has separators, and a comma may separate thousands or decimals; print it with a \
         decimal point only",
        quoted(.0)
    )]
    Separated(String),
    #[error("{} is not a number", quoted(.0))]
    NotANumber(String),
}

/// What there is instead, as the end of a sentence.
fn there(has: &[String]) -> String {
    if has.is_empty() { String::new() } else { format!(", it has {}", some_of(has)) }
}

fn columns(has: &[String]) -> String {
    if has.is_empty() { String::new() } else { format!(", the columns are {}", some_of(has)) }
}

fn some_of(has: &[String]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> = has.iter().take(MOST).map(|name| quoted(name)).collect();
    match has.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The last line with anything but spaces.
fn last_line(output: &[u8]) -> Option<&[u8]> {
    output.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().filter(|line| !line.is_empty())
}

/// A piece of output in quotes: control characters made visible, since they would steer the
/// terminal, and shortened, since a line may be megabytes long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
