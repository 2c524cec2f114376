//! The shell without a command, which alternates with the commands it starts.

use crate::laboratory::{Execution, Invocation, Laboratory, LaboratoryError};
use crate::{CommandLine, CommandSubject};
use fathom_record::Ending;

/// A shell with its options, started with `-c ''` as hyperfine does.
///
/// What it takes is the shell's start-up and its end: loading the program, reading its start-up
/// files, and exiting. A shell that replaces itself with its last command never exits, so what is
/// subtracted may be some tens of microseconds more than what the shell added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyShell {
    shell: Vec<String>,
}

/// Why a shell cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmptyShellError {
    /// It cannot be started.
    #[error("cannot start the shell {shell}: {reason}")]
    CannotStart {
        /// Which.
        shell: String,
        /// Why.
        reason: String,
    },
    /// It ran nothing, and failed.
    #[error(
        "the shell {shell} fails with -c and an empty command. Use another shell, as in -S bash."
    )]
    Fails {
        /// Which.
        shell: String,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
}

impl EmptyShell {
    /// The shell that runs these subjects, where one does.
    #[must_use]
    pub fn of(subjects: &[CommandSubject]) -> Option<EmptyShell> {
        match subjects.first().map(|subject| &subject.command) {
            Some(CommandLine::Shell { shell, .. }) => Some(EmptyShell { shell: shell.clone() }),
            _ => None,
        }
    }

    /// The words to execute.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let empty = ["-c".to_string(), String::new()];
        self.shell.iter().cloned().chain(empty).collect()
    }

    fn name(&self) -> String {
        self.shell.join(" ")
    }

    /// Runs it once.
    pub fn execute(
        &self,
        laboratory: &mut dyn Laboratory,
        invocation: &Invocation,
    ) -> Result<Execution, EmptyShellError> {
        match laboratory.execute(invocation, &mut || {}) {
            Err(LaboratoryError::Interrupted) => Err(EmptyShellError::Interrupted),
            Err(error) => {
                Err(EmptyShellError::CannotStart { shell: self.name(), reason: error.to_string() })
            }
            Ok(_) if laboratory.is_interrupted() => Err(EmptyShellError::Interrupted),
            Ok(execution) if execution.ending == Ending::Exited(0) => Ok(execution),
            Ok(_) => Err(EmptyShellError::Fails { shell: self.name() }),
        }
    }

    /// Runs it once for nothing but to see that it works, and to fill caches.
    pub fn try_out(&self, laboratory: &mut dyn Laboratory) -> Result<(), EmptyShellError> {
        let invocation = Invocation { words: self.words(), ..Invocation::default() };
        self.execute(laboratory, &invocation).map(|_| ())
    }
}
