//! Executions that did not end as they should.

use crate::DataSource;

/// An execution that failed, or was ended before it was done.
#[derive(Debug, Clone, PartialEq)]
pub struct AbnormalExecution {
    /// Its number, from 1, if Fathom ran it.
    pub run: Option<u64>,
    /// Its seed, if Fathom ran it.
    pub seed: Option<u32>,
    /// The cell of a study, or the group, that it belongs to.
    pub group: Option<String>,
    /// The file it is from, if it was made elsewhere.
    pub source: Option<DataSource>,
    /// Whether it failed, or was cut short and judged by what it had shown.
    pub kind: AbnormalKind,
    /// How it ended, after its name: "exited with status 3".
    pub how: String,
    /// The machine that it ran on, if that is known.
    pub host: Option<String>,
    /// The command that repeats it, if Fathom ran it.
    pub command: Option<String>,
}

/// What became of an execution that did not end as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbnormalKind {
    /// It gave nothing to judge.
    Failed,
    /// It was ended before it was done, and judged by what it had shown.
    Cut,
}

impl AbnormalKind {
    /// All of them.
    pub const ALL: [AbnormalKind; 2] = [AbnormalKind::Failed, AbnormalKind::Cut];

    /// As it is written in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AbnormalKind::Failed => "failed",
            AbnormalKind::Cut => "cut",
        }
    }
}

/// The executions of a check that did not end as they should, in their order. Of very many only the
/// first are listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AbnormalExecutions {
    listed: Vec<AbnormalExecution>,
    failed: usize,
    cut: usize,
}

impl AbnormalExecutions {
    /// More than this many are only counted.
    pub const MOST_LISTED: usize = 1000;

    /// Adds the next one. It is made only if it is listed.
    pub fn add(&mut self, kind: AbnormalKind, one: impl FnOnce() -> AbnormalExecution) {
        match kind {
            AbnormalKind::Failed => self.failed += 1,
            AbnormalKind::Cut => self.cut += 1,
        }
        if self.listed.len() < Self::MOST_LISTED {
            self.listed.push(one());
        }
    }

    /// How many there are, listed or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.failed + self.cut
    }

    /// How many of them failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// How many of them were cut short.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// The first of them.
    #[must_use]
    pub fn listed(&self) -> &[AbnormalExecution] {
        &self.listed
    }
}
