//! Why a command could not do what it was asked, and the exit code for it.

use fathom_engine::{EngineError, ErrorKind, Gates};
use fathom_measure::MeasureError;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// How a command ended that could say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done, and every gate passed.
    Done,
    /// A gate failed.
    GateFailed,
    /// A gate was not shown.
    GateOpen,
    /// The user ended it early.
    Interrupted,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Done => 0,
            Outcome::GateFailed => 1,
            Outcome::GateOpen => 3,
            Outcome::Interrupted => 130,
        })
    }
}

impl From<Gates> for Outcome {
    fn from(gates: Gates) -> Outcome {
        match gates {
            Gates::Passed => Outcome::Done,
            Gates::Failed => Outcome::GateFailed,
            Gates::Inconclusive => Outcome::GateOpen,
        }
    }
}

/// A failure that ends the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The engine could not answer; the exit code follows from the error's kind.
    Engine(EngineError),
    /// Wrong usage or bad input: exit 2.
    Input(String),
    /// A measured command failed: exit 4.
    Command(String),
    /// A task of a job failed: its own status, which the controlling process reads from Slurm.
    Task(u8, String),
    /// The user ended it before there was anything to show: exit 130.
    Interrupted,
    /// Nobody reads the output any more: no message, no error.
    BrokenPipe,
}

impl Failure {
    /// Wrong usage or bad input.
    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure::Input(message.to_string())
    }

    /// A failure to write; `target` says where to.
    pub(crate) fn writing(target: &str, error: &std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure::BrokenPipe;
        }
        Failure::input(format!("{target} cannot be written ({error}); choose another file"))
    }

    /// A failure to write a file. That nobody reads a pipe that was named as a file is an error too.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Failure {
        Failure::input(format!(
            "{} cannot be written ({error}); choose another file",
            path.display()
        ))
    }

    /// A failure to measure.
    pub(crate) fn measuring(error: &MeasureError) -> Failure {
        match error {
            MeasureError::Command(_) | MeasureError::Hook(_) | MeasureError::Metric { .. } => {
                Failure::Command(error.to_string())
            }
            MeasureError::Store(_) | MeasureError::Broken(_) => Failure::input(error),
            MeasureError::Interrupted => Failure::Interrupted,
        }
    }

    /// The same with another line.
    pub(crate) fn with_line(self, line: Option<String>) -> Failure {
        let Some(line) = line else { return self };
        match self {
            Failure::Engine(error) => Failure::Engine(error.with_advice(line)),
            Failure::Input(message) => Failure::Input(format!("{message}\n{line}")),
            Failure::Command(message) => Failure::Command(format!("{message}\n{line}")),
            other => other,
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
            Failure::Engine(error) => match error.kind() {
                ErrorKind::Command => 4,
                ErrorKind::CannotBeDone => 5,
                ErrorKind::Interrupted => 130,
                ErrorKind::Task(status) => status,
                _ => 2,
            },
            Failure::Input(_) => 2,
            Failure::Command(_) => 4,
            Failure::Task(status, _) => *status,
            Failure::Interrupted => 130,
            Failure::BrokenPipe => 0,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Engine(error) => write!(f, "{error}"),
            Failure::Input(message) | Failure::Command(message) | Failure::Task(_, message) => {
                f.write_str(message)
            }
            Failure::Interrupted => f.write_str("interrupted before there was anything to show"),
            Failure::BrokenPipe => f.write_str("the output was closed"),
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine(error)
    }
}
