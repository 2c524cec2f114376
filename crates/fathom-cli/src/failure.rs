//! Why a command could not do what it was asked, and the exit code for it.

use fathom_engine::{EngineError, ErrorKind, Gates};
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a command that the user ended early.
pub(crate) const INTERRUPTED: u8 = 130;

/// How a command ended that could say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    /// It is done, and every gate passed.
    Done,
    /// A gate failed.
    GateFailed,
    /// A gate is inconclusive.
    GateInconclusive,
    /// The user ended it early.
    Interrupted,
}

impl CommandOutcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            CommandOutcome::Done => 0,
            CommandOutcome::GateFailed => 1,
            CommandOutcome::GateInconclusive => 3,
            CommandOutcome::Interrupted => INTERRUPTED,
        })
    }
}

impl From<Gates> for CommandOutcome {
    fn from(gates: Gates) -> CommandOutcome {
        match gates {
            Gates::Passed => CommandOutcome::Done,
            Gates::Failed => CommandOutcome::GateFailed,
            Gates::Inconclusive => CommandOutcome::GateInconclusive,
        }
    }
}

/// A failure that ends the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something went wrong; the exit code follows from the kind of the error.
    Error(EngineError),
    /// Nobody reads the output any more: no message, no error.
    BrokenPipe,
}

impl Failure {
    /// Wrong usage or bad input.
    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure::Error(EngineError::usage(message))
    }

    /// A failure to write to standard output.
    pub(crate) fn standard_output(error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure::BrokenPipe;
        }
        let message = format!("cannot write to standard output: {error}");
        Failure::Error(EngineError::file(message, error))
    }

    /// A failure to write a file. If a pipe was named as a file and nobody reads it, that is an
    /// error too.
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Failure {
        Failure::Error(EngineError::writing(path, error))
    }

    /// The same with another line.
    pub(crate) fn with_line(self, line: Option<String>) -> Failure {
        match self {
            Failure::Error(error) => Failure::Error(error.with_advice(line)),
            Failure::BrokenPipe => Failure::BrokenPipe,
        }
    }

    /// Several failures as one, with the exit code of the first; none is none.
    pub(crate) fn of_all(failures: Vec<Failure>) -> Result<(), Failure> {
        let mut failures = failures.into_iter();
        let Some(first) = failures.next() else { return Ok(()) };
        Err(failures.fold(first, |all, next| all.with_line(Some(next.to_string()))))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::BrokenPipe => 0,
            Failure::Error(error) => match error.kind() {
                ErrorKind::Command => 4,
                ErrorKind::CannotBeDone => 5,
                ErrorKind::Interrupted => INTERRUPTED,
                ErrorKind::Task(status) => status,
                _ => 2,
            },
        })
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Error(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Error(error) => write!(f, "{error}"),
            Failure::BrokenPipe => f.write_str("the output was closed"),
        }
    }
}
