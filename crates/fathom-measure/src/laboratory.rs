//! Where commands run and time passes: the real machine, or one that tests make up.

use crate::local::Local;
use fathom_record::{Ending, Reading, Span, Timestamp, Usage};
use fathom_sys::resolve::ResolveError;
use std::path::PathBuf;
use std::time::Duration;

/// A place to run commands in.
pub trait Laboratory {
    /// Now, on a clock that never goes back.
    fn now(&self) -> Timestamp;

    /// The smallest step of the clock.
    fn grain(&self) -> Span;

    /// Runs a command once and waits for it. While it waits it calls `watch` now and then, so that
    /// progress can be shown.
    fn execute(
        &mut self,
        invocation: &Invocation,
        watch: &mut dyn FnMut(),
    ) -> Result<Execution, LaboratoryError>;

    /// This machine, where commands can also be recorded; `None` elsewhere.
    fn as_local(&mut self) -> Option<&mut Local> {
        None
    }

    /// Whether the user wants to stop.
    fn is_interrupted(&self) -> bool;

    /// The file that a command's first word means.
    ///
    /// # Errors
    /// There is no such program.
    fn resolve(&self, program: &str) -> Result<PathBuf, ResolveError>;
}

/// One command, ready to run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Variables that are set besides those of Fathom itself.
    pub variables: Vec<(String, String)>,
    /// What it reads.
    pub input: Input,
    /// Where its standard output goes.
    pub output: Output,
    /// Whether its standard output is wanted back.
    pub keeps_output: bool,
    /// The processor it is bound to.
    pub cpu: Option<usize>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// What is counted while it runs, by name.
    pub counters: Vec<String>,
}

/// What a command reads from standard input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Input {
    /// Nothing.
    #[default]
    Null,
    /// A file, from its beginning in every run.
    File(PathBuf),
}

/// Where a command's standard output goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Output {
    /// Nowhere.
    #[default]
    Null,
    /// Through a pipe to Fathom, which throws it away: some programs do less if they see that
    /// nobody reads.
    Pipe,
    /// To Fathom's own standard output and error.
    Inherit,
    /// To a file, which is emptied before every run.
    File(PathBuf),
}

/// What came of running a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// How it ended.
    pub ending: Ending,
    /// What it cost.
    pub usage: Usage,
    /// What was counted.
    pub counters: Vec<Reading>,
    /// Its standard output, where it was wanted.
    pub stdout: Vec<u8>,
    /// The end of its standard error, where that is not shown anyway.
    pub stderr_tail: Vec<u8>,
}

/// Why a command could not be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaboratoryError {
    /// It cannot be started: it is missing, not executable, or the system refuses.
    #[error("{0}")]
    CannotStart(String),
    /// It printed more than can be kept.
    #[error("{0}")]
    TooMuchOutput(String),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// Fathom's own part failed.
    #[error("{0}")]
    Broken(String),
}
