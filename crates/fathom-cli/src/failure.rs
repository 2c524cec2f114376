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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind as Io};

    fn code(code: ExitCode) -> String {
        format!("{code:?}")
    }

    fn number(number: u8) -> String {
        code(ExitCode::from(number))
    }

    #[test]
    fn the_exit_code_says_how_it_ended() {
        let of = |gates: Gates| code(CommandOutcome::from(gates).exit_code());
        assert_eq!(of(Gates::Passed), number(0));
        assert_eq!(of(Gates::Failed), number(1));
        assert_eq!(of(Gates::Inconclusive), number(3));
        assert_eq!(code(CommandOutcome::Interrupted.exit_code()), number(130));
        assert_eq!(code(Failure::input("no").exit_code()), number(2));
        assert_eq!(code(Failure::BrokenPipe.exit_code()), number(0));
        let full = Failure::file(Path::new("out.csv"), Error::from(Io::StorageFull));
        assert_eq!(code(full.exit_code()), number(5));
        assert!(full.to_string().contains("out.csv"), "{full}");
    }

    #[test]
    fn a_closed_output_is_no_error_and_others_are() {
        let closed = Failure::standard_output(Error::from(Io::BrokenPipe));
        assert!(matches!(closed, Failure::BrokenPipe));
        assert_eq!(closed.to_string(), "the output was closed");
        let full = Failure::standard_output(Error::from(Io::StorageFull));
        assert!(full.to_string().starts_with("cannot write to standard output: "), "{full}");
        // A pipe that was named as a file has to be read.
        let named = Failure::file(Path::new("pipe"), Error::from(Io::BrokenPipe));
        assert!(matches!(named, Failure::Error(_)));
    }

    #[test]
    fn several_failures_are_one_with_the_code_of_the_first() {
        assert!(Failure::of_all(Vec::new()).is_ok());
        let full = || Failure::file(Path::new("a"), Error::from(Io::StorageFull));
        let all = Failure::of_all(vec![full(), Failure::input("second"), Failure::input("third")]);
        let all = all.unwrap_err();
        assert_eq!(code(all.exit_code()), number(5));
        let text = all.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), &lines[1..]), (3, &["second", "third"][..]), "{text}");
        let more = Failure::input("first").with_line(Some("then".to_string())).to_string();
        assert_eq!(more, "first\nthen");
        assert_eq!(Failure::input("first").with_line(None).to_string(), "first");
    }
}
