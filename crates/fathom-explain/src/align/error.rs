//! Why runs cannot be aligned.

use super::phrase::{counted, did_you_mean, listed, quoted, seconds};
use crate::{SourceError, Stopped};
use fathom_dtw::WarpError;
use fathom_record::Timestamp;
use std::fmt;

/// Why a selection cannot be carried into all runs: what failed, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AlignError {
    /// There is nothing to look at.
    #[error("the traces contain no run: choose traces with at least one")]
    NoRuns,
    /// The run was not found.
    #[error(
        "no run is called {}{}: the runs are {}",
        quoted(.run), did_you_mean(.run, .runs), listed(.runs)
    )]
    UnknownRun {
        /// Which was asked for.
        run: String,
        /// Which there are.
        runs: Vec<String>,
    },
    /// No run has the target.
    #[error(
        "no run has the metric {}{}: the metrics are {}",
        quoted(.target), did_you_mean(.target, .metrics), listed(.metrics)
    )]
    UnknownTarget {
        /// Which was asked for.
        target: String,
        /// Which there are.
        metrics: Vec<String>,
    },
    /// The run that was asked for lacks the target.
    #[error(
        "run {} has no metric {}: choose a run that has it: {}",
        quoted(.run), quoted(.target), listed(.having)
    )]
    TargetElsewhere {
        /// Which metric.
        target: String,
        /// Where it is not.
        run: String,
        /// Where it is.
        having: Vec<String>,
    },
    /// The metric to align by is missing in some runs.
    #[error(
        "the common metric {} is missing in {}, so these runs cannot be aligned by it; {}",
        quoted(.common), listed(.lacking), other_common(.common, .shared)
    )]
    CommonMissing {
        /// Which metric.
        common: String,
        /// Which runs lack it.
        lacking: Vec<String>,
        /// The metrics that all runs have.
        shared: Vec<String>,
    },
    /// No metric is in all runs.
    #[error(
        "no metric is in all runs, so they cannot be aligned: {} is in most, but not in {}; \
         exclude these runs, or record it in all of them",
        quoted(.best), listed(.lacking)
    )]
    NoCommon {
        /// The metric that most runs have.
        best: String,
        /// The runs that lack it.
        lacking: Vec<String>,
    },
    /// Runs that nothing joins with the reference.
    #[error(
        "no chain of shared metrics leads from run {} to {}: two runs can be aligned if they share a \
         metric that changes; exclude these runs, or record one metric in all of them",
        quoted(.reference), listed(.lost)
    )]
    Unreached {
        /// The reference.
        reference: String,
        /// The runs.
        lost: Vec<String>,
    },
    /// Metrics are in all runs, but none of them ever changes.
    #[error(
        "no metric that all runs share changes in run {}, so none can align the runs: {}; \
         record one that follows the work in all runs, such as CPU time or instructions",
        quoted(.run), listed(.shared)
    )]
    CommonConstant {
        /// The run of the selection.
        run: String,
        /// The metrics.
        shared: Vec<String>,
    },
    /// Nothing was seen of a metric.
    #[error(
        "{} of metric {} in run {}, but at least 3 are needed; {}",
        none_or_few(*.seen), quoted(.metric), quoted(.run), .remedy
    )]
    TooFewValues {
        /// Which metric.
        metric: String,
        /// In which run.
        run: String,
        /// How many were seen.
        seen: usize,
        /// What to do.
        remedy: &'static str,
    },
    /// The times of a metric go back.
    #[error(
        "metric {} in run {}: row {row} ends at {}, before row {} ({}); sort the rows by time, and \
         keep runs separate",
        quoted(.metric), quoted(.run), seconds(*.end), .row - 1, seconds(*.before)
    )]
    Times {
        /// Which metric.
        metric: String,
        /// In which run.
        run: String,
        /// Which row, from 0.
        row: usize,
        /// When it ends.
        end: Timestamp,
        /// When the row before it ends.
        before: Timestamp,
    },
    /// A row starts after its own end.
    #[error(
        "metric {} in run {}: row {row} starts at {}, after its end at {}; swap or correct the times",
        quoted(.metric), quoted(.run), seconds(*.start), seconds(*.end)
    )]
    Reversed {
        /// Which metric.
        metric: String,
        /// In which run.
        run: String,
        /// Which row, from 0.
        row: usize,
        /// When it starts.
        start: Timestamp,
        /// When it ends.
        end: Timestamp,
    },
    /// A metric's columns are of different lengths.
    #[error(
        "metric {} in run {} has {starts} starts, {ends} ends and {values} values, but the counts \
         must be equal; read the traces again",
        quoted(.metric), quoted(.run)
    )]
    Ragged {
        /// Which metric.
        metric: String,
        /// In which run.
        run: String,
        /// How many starts.
        starts: usize,
        /// How many ends.
        ends: usize,
        /// How many values.
        values: usize,
    },
    /// No window was selected.
    #[error("no window is selected: select one, or select the whole metric")]
    NoWindow,
    /// A window or the baseline ends before it starts.
    #[error("the {what} {span} ends before it starts: swap its ends")]
    Backwards {
        /// "window" or "baseline".
        what: &'static str,
        /// What was asked for.
        span: RequestedRange,
    },
    /// A window or the baseline has no rows.
    #[error(
        "the {what} {span} contains no rows of metric {} in run {}, which has {} from {} to {}: \
         choose a {what} in that range",
        quoted(.target), quoted(.run), counted(*.rows, "row"), seconds(*.first), seconds(*.last)
    )]
    Outside {
        /// "window" or "baseline".
        what: &'static str,
        /// What was asked for.
        span: RequestedRange,
        /// Of which metric.
        target: String,
        /// In which run.
        run: String,
        /// How many rows the metric has.
        rows: usize,
        /// When the first of them ends.
        first: Timestamp,
        /// When the last of them ends.
        last: Timestamp,
    },
    /// A window or the baseline has too few rows that were seen.
    #[error(
        "the {what} {span} has {} with a value of metric {} in run {}, but at least 3 are needed; \
         the metric has {} from {} to {}{}: choose a longer {what}",
        counted(*.seen, "row"), quoted(.target), quoted(.run), counted(*.rows, "row"),
        seconds(*.first), seconds(*.last), left_out(*.masked)
    )]
    TooShort {
        /// "window" or "baseline".
        what: &'static str,
        /// What was asked for.
        span: RequestedRange,
        /// How many rows were seen.
        seen: usize,
        /// How many of its rows do not count.
        masked: usize,
        /// The metric.
        target: String,
        /// In which run.
        run: String,
        /// How many rows the metric has.
        rows: usize,
        /// When the first of them ends.
        first: Timestamp,
        /// When the last of them ends.
        last: Timestamp,
    },
    /// Hardly any rows count.
    #[error(
        "--while and --except leave {kept} of {} of metric {} in run {}, but at least 3 are needed; \
         leave out less",
        counted(*.rows, "row"), quoted(.target), quoted(.run)
    )]
    Masked {
        /// The metric.
        target: String,
        /// In which run.
        run: String,
        /// How many rows the metric has.
        rows: usize,
        /// How many of them count.
        kept: usize,
    },
    /// No run can say which rows count.
    #[error(
        "no run can say which rows count in run {}: each lacks a metric of --while, or the runs have no \
         metric in common to align them by",
        quoted(.run)
    )]
    NoMask {
        /// The run of the selection.
        run: String,
    },
    /// The baseline has rows of a window.
    #[error(
        "the baseline {baseline} overlaps the window {window}: choose a baseline outside the window, \
         or none"
    )]
    BaselineInWindow {
        /// What was asked for.
        baseline: RequestedRange,
        /// Which window.
        window: RequestedRange,
    },
    /// The penalty cannot be added to anything.
    #[error("the penalty is {penalty}, but must be a finite number, 0 or larger")]
    Penalty {
        /// What was given.
        penalty: f64,
    },
    /// The samples could not be read.
    #[error("cannot read metric {} of run {}: {error}", quoted(.metric), quoted(.run))]
    Source {
        /// Which metric.
        metric: String,
        /// The run.
        run: String,
        /// Why.
        #[source]
        error: SourceError,
    },
    /// The warp failed.
    #[error("cannot align run {} by {}: {error}", quoted(.run), quoted(.common))]
    Warp {
        /// Which run.
        run: String,
        /// By which metric.
        common: String,
        /// Why.
        #[source]
        error: WarpError,
    },
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A range as it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestedRange(pub crate::TargetRange);

impl fmt::Display for RequestedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            crate::TargetRange::Whole => f.write_str("of the whole metric"),
            crate::TargetRange::Time { start, end } => {
                write!(f, "from {} to {}", seconds(start), seconds(end))
            }
            crate::TargetRange::Rows { first, last } => write!(f, "from row {first} to row {last}"),
        }
    }
}

fn other_common(common: &str, shared: &[String]) -> String {
    if shared.is_empty() {
        return "no other metric is in all runs, so exclude these runs".to_string();
    }
    let near = did_you_mean(common, shared);
    format!("choose a metric that all runs share with --common{near}: {}", listed(shared))
}

/// That rows are missing because they do not count.
fn left_out(masked: usize) -> String {
    match masked {
        0 => String::new(),
        masked => format!("; --while and --except leave out {} there", counted(masked, "row")),
    }
}

fn none_or_few(seen: usize) -> String {
    match seen {
        0 => "there are no values".to_string(),
        1 => "there is only 1 value".to_string(),
        few => format!("there are only {few} values"),
    }
}
