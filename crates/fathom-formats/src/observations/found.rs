//! What a file gave: executions in their order; some may have failed.

use std::path::PathBuf;

use fathom_record::Observation;

use super::attempts::Attempts;
use super::groups::Groups;
use crate::error::Flaw;

/// An execution that was tried: what was seen of it, or why there is nothing to see.
pub type Attempt = Result<Observation, FailedExecution>;

/// An execution of a check's journal that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{how}")]
pub struct FailedExecution {
    /// "exited with status 3".
    pub how: String,
}

/// The executions of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileAttempts {
    /// The file, or the folder that should have held one.
    pub path: PathBuf,
    /// Its executions, in their order; never none.
    pub attempts: Attempts,
    /// Their seeds, as the journal of a check says them; empty for other files.
    pub seeds: Vec<u32>,
    /// Of the journal of a check, which may have ended when it had its answer: how many are left out,
    /// because one before them is not there. When the check ended, fast ones were there before slow
    /// ones with lower numbers.
    pub left_out_of_journal: Option<usize>,
    /// The groups of the executions, if they were asked for.
    pub groups: Option<Groups>,
}

/// What a file gave; never nothing.
pub(super) struct ParsedAttempts {
    pub(super) attempts: Attempts,
    /// Of the journal of a check: how many are left out.
    pub(super) left_out_of_journal: Option<usize>,
    /// The seeds of the executions, where the file says them; otherwise none.
    pub(super) seeds: Vec<u32>,
    /// The groups of the executions, if they were asked for and are known.
    pub(super) groups: Option<Groups>,
    /// What to do where one execution is wanted and there are several.
    pub(super) to_have_one: &'static str,
}

impl ParsedAttempts {
    /// Executions that all succeeded.
    pub(super) fn all(
        executions: impl IntoIterator<Item = Observation>,
        to_have_one: &'static str,
    ) -> ParsedAttempts {
        ParsedAttempts::of(executions.into_iter().map(Ok).collect(), to_have_one)
    }

    /// The same, of executions that are put together already.
    pub(super) fn of(attempts: Attempts, to_have_one: &'static str) -> ParsedAttempts {
        ParsedAttempts {
            attempts,
            seeds: Vec::new(),
            left_out_of_journal: None,
            groups: None,
            to_have_one,
        }
    }

    /// An execution that left nothing to read.
    pub(super) fn failed(how: impl Into<String>) -> ParsedAttempts {
        ParsedAttempts {
            attempts: std::iter::once(Err(FailedExecution { how: how.into() })).collect(),
            seeds: Vec::new(),
            left_out_of_journal: None,
            groups: None,
            to_have_one: "run it again",
        }
    }

    /// The executions, if none failed.
    pub(super) fn into_observations(self) -> Result<Vec<Observation>, Flaw> {
        let tried = self.attempts.len();
        let failed = self.attempts.failed();
        let mut seen = Vec::with_capacity(tried);
        for attempt in self.attempts.iter() {
            match attempt {
                Ok(observation) => seen.push(observation),
                Err(FailedExecution { how }) => {
                    return Err(Flaw::new(
                        format!("{failed} of {tried} executions failed: the first {how}"),
                        "skip failed executions with --on-failure skip, or count them as false \
                         with --on-failure count-as-false",
                    ));
                }
            }
        }
        Ok(seen)
    }

    /// The execution, if it is one.
    pub(super) fn into_one(self) -> Result<Observation, Flaw> {
        let to_have_one = self.to_have_one;
        let count = self.attempts.len();
        if count > 1 {
            return Err(Flaw::new(
                format!("the file contains {count} executions, but only one is allowed here"),
                to_have_one,
            ));
        }
        let mut seen = self.into_observations()?;
        seen.pop().ok_or_else(|| Flaw::new("the file contains no execution", to_have_one))
    }
}
