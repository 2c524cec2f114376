//! Which processors a process may run on: not known here, and not to be changed.

use std::fmt;
use std::io;

/// A processor that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum AffinityError {
    /// Only Linux is asked.
    Unknown(io::Error),
}

impl fmt::Display for AffinityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AffinityError::Unknown(error) = self;
        write!(f, "cannot choose a CPU: {error}")
    }
}

impl std::error::Error for AffinityError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let AffinityError::Unknown(error) = self;
        Some(error)
    }
}

impl From<io::Error> for AffinityError {
    fn from(error: io::Error) -> AffinityError {
        AffinityError::Unknown(error)
    }
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
