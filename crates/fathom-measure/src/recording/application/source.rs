//! Where a program speaks.

use super::{Endpoint, PassOn};
use std::fmt;
use std::path::PathBuf;

/// The variable in which the command finds the path of the named pipe.
pub const PIPE_VARIABLE: &str = "FATHOM_PIPE";

/// One source of a program's own metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppSource {
    /// Lines of its standard output. It goes to a pipe then, and many programs print to pipes in
    /// blocks of some kilobytes, so that lines arrive late and many at once.
    Output(PassOn),
    /// Lines that it writes to a named pipe, which is made for it and whose path it finds in
    /// [`PIPE_VARIABLE`]. A writer never waits for a reader, and waits only while the pipe is full.
    Pipe(PathBuf),
    /// Lines that are added to a file while the program runs. The file need not be there at first;
    /// it may be emptied, or renamed and made again.
    Log(PathBuf),
    /// Metrics of an HTTP server on this machine.
    Endpoint(Endpoint),
}

impl AppSource {
    /// Whether lines are read there.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        !matches!(self, AppSource::Endpoint(_))
    }
}

impl fmt::Display for AppSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppSource::Output(_) => f.write_str("standard output"),
            AppSource::Pipe(path) => write!(f, "the pipe {}", path.display()),
            AppSource::Log(path) => write!(f, "the log {}", path.display()),
            AppSource::Endpoint(endpoint) => endpoint.fmt(f),
        }
    }
}
