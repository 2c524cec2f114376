//! Results that a bench saved.

use std::path::PathBuf;

/// Results of a bench, as a list shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedResult {
    /// The bench executable's name.
    pub suite: String,
    /// The name given with `--save`, or that of the latest results.
    pub name: String,
    /// The JSON file.
    pub file: PathBuf,
    /// When it was written, in seconds since 1970.
    pub written: u64,
}

impl SavedResult {
    /// How you name it in a command: "parser@main".
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}@{}", self.suite, self.name)
    }
}
