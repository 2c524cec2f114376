//! What a file of measurements holds.

use fathom_record::Series;

/// What a file of measurements holds: its series, never none, and what the user should know of how it
/// was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// The series, in the order of the file.
    pub series: Vec<Series>,
    /// What was skipped or understood in a way that the file does not say itself. Each is a sentence
    /// without the file's name.
    pub notes: Vec<String>,
}

impl From<Vec<Series>> for Contents {
    fn from(series: Vec<Series>) -> Contents {
        Contents { series, notes: Vec::new() }
    }
}
