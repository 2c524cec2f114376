//! What long work says while it goes on, and how it is stopped.

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Runs are aligned.
    Aligning,
    /// Metrics are scored.
    Scoring,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// With what.
    pub stage: Stage,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub of: usize,
}

/// The watcher stopped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Called now and then, from any thread; an error stops the work.
pub type ProgressWatch<'w> = &'w (dyn Fn(Progress) -> Result<(), Stopped> + Sync);
