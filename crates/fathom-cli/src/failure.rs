//! Why a command could not do what it was asked, and the exit code for it.

use std::fmt;
use std::process::ExitCode;

/// A failure that ends the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or bad input: exit 2.
    Input(String),
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

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Input(_) => ExitCode::from(2),
            Failure::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => f.write_str(message),
            Failure::BrokenPipe => f.write_str("the output was closed"),
        }
    }
}
