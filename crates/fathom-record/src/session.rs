//! A session: what one command set out to measure.

use crate::Environment;
use std::fmt;

/// The number of a session: small, growing, never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub i64);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is known of a session when it begins.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
pub struct Session {
    /// The words of the command line after `fathom`, as they were typed: to be shown, not to be read.
    pub arguments: Vec<String>,
    /// The request as JSON, from which the session is shown and resumed. `None` for sessions from
    /// before November 2026, which have only the words.
    pub request: Option<String>,
    /// The folder it was called in.
    pub folder: String,
    /// The name the user gave it with `--save`.
    pub name: Option<String>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// Where its random numbers start.
    pub seed: u64,
    /// Where it is measured.
    pub environment: Environment,
    /// The commands, in their order.
    pub subjects: Vec<String>,
}
