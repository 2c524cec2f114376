//! Why measuring cannot continue, and what a failed command printed.

use crate::printed_metric::PrintedMetricError;
use fathom_record::foreign_text::is_steering;
use fathom_store::StoreError;
use std::fmt;

/// Why measuring cannot continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A measured command failed.
    #[error("{0}")]
    Command(Box<CommandFailure>),
    /// A hook failed.
    #[error("{0}")]
    Hook(Box<CommandFailure>),
    /// A command does not print what it should.
    #[error("{subject}: {error}")]
    Metric {
        /// The subject's name.
        subject: String,
        /// What is missing.
        error: PrintedMetricError,
    },
    /// A run could not be kept.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// Fathom's own part failed.
    #[error("{0}")]
    Broken(String),
}

/// A command that failed, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFailure {
    /// "./old input", or "the prepare command of ./old input: make clean".
    pub what: String,
    /// How it failed: "exited with status 3".
    pub how: String,
    /// The last lines it wrote to standard error.
    pub said: Vec<String>,
    /// What to do, where that is known.
    pub hint: Option<String>,
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.how)?;
        if !self.said.is_empty() {
            f.write_str(". Its last lines on standard error:")?;
            for line in &self.said {
                write!(f, "\n  | {line}")?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n{hint}")?;
        }
        Ok(())
    }
}

/// The last lines that a program printed, without control characters.
#[must_use]
pub fn last_lines(bytes: &[u8]) -> Vec<String> {
    const LINES: usize = 10;
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = &lines[lines.len().saturating_sub(LINES)..];
    let visible = |line: &&str| -> String {
        let harmless = line.chars().map(|c| match c {
            '\t' => ' ',
            c if is_steering(c) => '\u{fffd}',
            c => c,
        });
        harmless.take(LONGEST).collect()
    };
    shown.iter().map(visible).collect()
}
