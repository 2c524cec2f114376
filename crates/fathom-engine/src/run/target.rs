//! What is measured until it is known well enough: a command, or one over several amounts of work.

use super::lines::WorkLine;
use fathom_record::{Phase, Run};

/// A command with its parameters, or a line of one over amounts of work.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target<'p> {
    /// A single subject, by its place.
    Command(usize),
    /// Several, whose runs alternate.
    Line(&'p WorkLine),
}

impl Target<'_> {
    /// The subjects that run for it.
    pub(super) fn subjects(&self) -> Vec<usize> {
        match self {
            Target::Command(subject) => vec![*subject],
            Target::Line(line) => line.subjects().collect(),
        }
    }

    /// Its runs that count, in the order they were made.
    pub(super) fn measured<'r>(&self, runs: &'r [Run]) -> Vec<&'r Run> {
        let is_own = |run: &&Run| match self {
            Target::Command(subject) => run.subject == *subject,
            Target::Line(line) => line.amount_of(run).is_some(),
        };
        runs.iter().filter(|run| run.phase == Phase::Measured).filter(is_own).collect()
    }

    /// The first number of runs from this one on after which every amount of work had equally many.
    pub(super) fn whole_rounds(&self, runs: usize) -> usize {
        match self {
            Target::Command(_) => runs,
            Target::Line(line) => {
                runs.checked_next_multiple_of(line.amounts()).unwrap_or(usize::MAX)
            }
        }
    }
}
