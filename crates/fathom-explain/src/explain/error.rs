//! Why there is no explanation.

use crate::Stopped;
use crate::align::AlignError;
use crate::rank::exclusion::Exclusion;

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The selection does not fit the traces, runs cannot be aligned, or a metric cannot be read.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// The target never changes.
    #[error(
        "the target {target} in {run} is {reason}, so no metric can be related to it; choose \
         another target, or another run"
    )]
    StillTarget {
        /// Which one.
        target: String,
        /// In which run.
        run: String,
        /// What it does instead.
        reason: Exclusion,
    },
    /// Nothing is left to rank.
    #[error("{0}")]
    NothingToRank(String),
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
