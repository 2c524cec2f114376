//! What is asked of two groups of runs.

use crate::align::{AlignError, AlignOptions};
use crate::{RunEntry, SourceError, Stopped, TraceSource};
use fathom_record::trace::Samples;

/// Which group a run is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunSide {
    /// What the other is compared with.
    First,
    /// What may differ.
    Second,
}

/// How runs are divided into phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseChoice {
    /// Where the metric that aligns runs changes its level for good.
    Auto,
    /// Into this many.
    Exactly(usize),
    /// Not at all.
    Whole,
}

/// A question about two groups of runs.
#[derive(Debug, Clone)]
pub struct ContrastQuestion {
    /// What the groups are called.
    pub names: [String; 2],
    /// The group of each run of the source; `None` leaves it out.
    pub sides: Vec<Option<RunSide>>,
    /// The run whose phases are carried into the others; absent: the one of middle length.
    pub reference: Option<String>,
    /// How runs are aligned.
    pub alignment: AlignOptions,
    /// How runs are divided into phases.
    pub phases: PhaseChoice,
    /// Only metrics whose name contains one of these; empty: all.
    pub only: Vec<String>,
    /// The metrics that the groups were made by: these differ because of that.
    pub selected_by: Vec<String>,
}

/// Why two groups of runs cannot be contrasted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContrastError {
    /// A group is empty.
    #[error("no run is in the group {name}, so there is nothing to compare; {remedy}")]
    NoRuns {
        /// Which group.
        name: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The groups have no metric in common.
    #[error(
        "no metric is in runs of both groups{}, so there is nothing to compare; record the same \
         metrics in both", .0
    )]
    NothingShared(String),
    /// Runs cannot be aligned, or a metric cannot be read.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl ContrastQuestion {
    /// Whether a metric of this name takes part.
    #[must_use]
    pub(super) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }

    /// The runs that take part, with their groups.
    pub(super) fn chosen<'s>(
        &self,
        source: &'s dyn TraceSource,
    ) -> Result<ChosenRuns<'s>, ContrastError> {
        let sides = source.runs().iter().zip(&self.sides);
        let (runs, sides): (Vec<RunEntry>, Vec<RunSide>) =
            sides.filter_map(|(run, side)| Some((run.clone(), (*side)?))).unzip();
        for (side, name) in [RunSide::First, RunSide::Second].into_iter().zip(&self.names) {
            if !sides.contains(&side) {
                let name = name.clone();
                let remedy = "choose another condition, or other traces";
                return Err(ContrastError::NoRuns { name, remedy });
            }
        }
        Ok(ChosenRuns { source, runs, sides })
    }
}

/// Some runs of a source.
pub(super) struct ChosenRuns<'s> {
    source: &'s dyn TraceSource,
    runs: Vec<RunEntry>,
    sides: Vec<RunSide>,
}

impl ChosenRuns<'_> {
    /// The group of each run.
    pub(super) fn sides(&self) -> &[RunSide] {
        &self.sides
    }
}

impl TraceSource for ChosenRuns<'_> {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        self.source.common()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.source.samples(run, metric)
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        self.source.whole_run(run, bytes)
    }
}
