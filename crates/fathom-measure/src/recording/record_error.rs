//! Why a recording cannot be created.

use fathom_formats::trace::TraceError;
use fathom_sys::running_process::NotRunning;

/// Why a recording cannot be created, or not go on. What was recorded before is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The folder cannot be written.
    #[error("{0}")]
    Folder(#[from] TraceError),
    /// The command could not be started; its run is not in the recording.
    #[error("{0}")]
    CannotStart(String),
    /// The process to attach to is none.
    #[error("{0}")]
    NotRunning(#[from] NotRunning),
    /// Fathom would observe itself observing.
    #[error("process {0} is Fathom itself. Use the number of another process.")]
    Itself(u32),
    /// Nothing of the process can be seen.
    #[error("cannot record anything of process {pid}:\n  {}", reasons.join("\n  "))]
    Unobservable {
        /// Which.
        pid: u32,
        /// Why each probe failed.
        reasons: Vec<String>,
    },
    /// Several runs of a process that runs need an end each.
    #[error(
        "{runs} runs of a running process need a duration for each. Use --duration, or --runs 1 \
         for all probes at once."
    )]
    NeedsDuration {
        /// How many.
        runs: usize,
    },
    /// The program's own metrics cannot be had.
    #[error("{0}")]
    Application(String),
    /// The user wants to stop, and there was nothing yet.
    #[error("interrupted")]
    Interrupted,
    /// Fathom's own part failed.
    #[error("{0}")]
    Broken(String),
}
