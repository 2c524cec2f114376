//! Why a run's output does not give a number.

use std::fmt;

/// Why a number could not be read from what a run printed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PrintedMetricError {
    name: String,
    sought: String,
    /// Boxed, since errors travel with results that are a number.
    flaw: Box<Flaw>,
    /// Ready to be shown; `None` if nothing was printed.
    last_line: Option<String>,
}

impl PrintedMetricError {
    pub(super) fn new(name: &str, sought: &str, flaw: Flaw, stdout: &[u8]) -> PrintedMetricError {
        let last_line = last_line(stdout).map(|line| quoted(&String::from_utf8_lossy(line)));
        let flaw = Box::new(flaw);
        PrintedMetricError { name: name.to_string(), sought: sought.to_string(), flaw, last_line }
    }

    /// The metric's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for PrintedMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PrintedMetricError { name, sought, flaw, last_line } = self;
        match last_line {
            Some(line) => write!(
                f,
                "metric {name}: {flaw}; sought {sought} in the standard output, whose last line is \
                 {line}"
            ),
            None => write!(
                f,
                "metric {name}: the standard output is empty; sought {sought} there, and what goes \
                 to standard error is not read"
            ),
        }
    }
}

/// What is wrong with the output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Flaw {
    #[error("there is no match")]
    NoMatch,
    #[error("there is no number")]
    NoNumber,
    #[error("there is no JSON object or array")]
    NoJson,
    #[error("{at} has no {step}{}", there(has))]
    NoStep { at: String, step: String, has: Vec<String> },
    #[error("{at} has {count} elements, and none with index {index}; the first has index 0")]
    NoElement { at: String, count: usize, index: String },
    #[error("{at} is {kind}, so it has no {step}")]
    WrongStep { at: String, kind: &'static str, step: String },
    #[error("{at} is {kind}, not a number")]
    Kind { at: String, kind: &'static str },
    #[error("{} is not a finite number", quoted(.0))]
    NotFinite(String),
    #[error("{} is too large for a 64-bit number", quoted(.0))]
    TooLarge(String),
    #[error(
        "{} has separators, and a comma may stand for thousands or for a decimal point; have it \
         printed with a decimal point only",
        quoted(.0)
    )]
    Separated(String),
    #[error("{} is not a number", quoted(.0))]
    NotANumber(String),
}

/// What there is instead, as the end of a sentence.
fn there(has: &[String]) -> String {
    const MOST: usize = 8;
    if has.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = has.iter().take(MOST).map(|name| quoted(name)).collect();
    match has.len().saturating_sub(MOST) {
        0 => format!(", it has {}", shown.join(", ")),
        more => format!(", it has {} and {more} more", shown.join(", ")),
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
