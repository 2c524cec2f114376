//! The one type that renderers see.

use crate::clean::Labelled;
use crate::{Autocorrelation, Estimate, Spread, WorkEstimate};
use fathom_record::{Environment, Series};

/// What one command found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The command that made it.
    pub command_line: String,
    /// Where its random numbers started.
    pub seed: u64,
    /// Where it was made.
    pub environment: Environment,
    /// One entry per subject, in the order they were read.
    pub subjects: Vec<Subject>,
}

/// What is known of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The data.
    pub series: Series,
    /// What counts as one sample.
    pub levels: Levels,
    /// How the values spread; `None` where it does not apply.
    pub spread: Option<Spread>,
    /// What cleaning found; `None` where it does not apply.
    pub labelled: Option<Labelled>,
    /// How the samples that count depend on each other; `None` where it does not apply.
    pub autocorrelation: Option<Autocorrelation>,
    /// The estimates, in the order they were asked for.
    pub estimates: Vec<Estimate>,
    /// The rate of work, where pairs of work and time were given.
    pub work: Option<WorkEstimate>,
    /// Why measuring stopped.
    pub stopped: Stopped,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<String>,
}

/// What counts as one sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// Every value.
    Values,
    /// Every execution of several values, because the values of one are not independent.
    Executions {
        /// How many.
        executions: usize,
    },
    /// Every value although executions are known, because the user said so.
    Pooled {
        /// How many executions were pooled.
        executions: usize,
    },
}

/// Why measuring stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The data came as they are.
    Fixed,
}

impl Stopped {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Fixed => "fixed",
        }
    }
}
