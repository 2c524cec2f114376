//! Why there is no answer.

use fathom_explain::ExplainError;
use fathom_explain::align::AlignError;

/// Why there is no answer, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// The question cannot be answered as it was asked.
    #[error("{0}")]
    Asked(String),
    /// There is no such run or metric.
    #[error("{0}")]
    Unknown(String),
    /// Something could not be read or written.
    #[error("{0}")]
    Failed(String),
    /// The client no longer wants it.
    #[error("stopped")]
    Stopped,
}

impl From<AlignError> for Trouble {
    fn from(error: AlignError) -> Trouble {
        let words = error.to_string();
        match error {
            AlignError::Stopped(_) => Trouble::Stopped,
            AlignError::Source { .. } => Trouble::Failed(words),
            AlignError::UnknownRun { .. } | AlignError::UnknownTarget { .. } => {
                Trouble::Unknown(words)
            }
            _ => Trouble::Asked(words),
        }
    }
}

impl From<ExplainError> for Trouble {
    fn from(error: ExplainError) -> Trouble {
        match error {
            ExplainError::Align(error) => error.into(),
            ExplainError::Stopped(_) => Trouble::Stopped,
            other => Trouble::Asked(other.to_string()),
        }
    }
}
