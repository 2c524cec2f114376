//! Which processors a process may run on: not known here, and not to be changed.

use std::io;

/// A processor that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AffinityError {
    /// Only Linux is asked.
    #[error("cannot choose a CPU: {0}")]
    Unknown(#[from] io::Error),
}

/// The processors that this process may use.
pub fn allowed() -> Result<Vec<usize>, AffinityError> {
    Err(needs_linux())
}

/// Confines the calling thread to this processor.
pub fn pin(_cpu: usize) -> Result<(), AffinityError> {
    Err(needs_linux())
}

fn needs_linux() -> AffinityError {
    io::Error::new(io::ErrorKind::Unsupported, "that needs Linux").into()
}
