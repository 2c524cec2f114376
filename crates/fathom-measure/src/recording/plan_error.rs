//! Why a recording cannot be planned as requested.

pub(super) use fathom_record::in_words::duration as words;

use std::time::Duration;

/// Why a recording cannot be planned as requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No probe has the name.
    #[error("there is no probe \"{wanted}\"{hint}. Choose from: {known}.")]
    UnknownProbe {
        /// What the user requested.
        wanted: String,
        /// " (did you mean ...?)", or that it is a metric; may be empty.
        hint: String,
        /// All of them.
        known: String,
    },
    /// It was requested, but is not available.
    #[error("cannot read the probe {name} here: {why}")]
    Unavailable {
        /// Its name.
        name: String,
        /// Why not, and what to do.
        why: String,
    },
    /// A list without names.
    #[error("\"{0}\" names no probe. Separate names with commas, as in process,system.vmstat.")]
    EmptyList(String),
    /// Both ways to choose at once.
    #[error("--probe and --group cannot be combined: each group already has its own probes")]
    BothChosen,
    /// Nothing is left to record.
    #[error("nothing to record: no probe can be read here{0}")]
    Nothing(String),
    /// No runs.
    #[error("0 runs record nothing. Use 1 or more.")]
    NoRuns,
    /// No metric has the name.
    #[error(
        "there is no metric \"{wanted}\" for --common{hint}. `fathom record --dry-run -v` lists \
         all metrics."
    )]
    UnknownCommon {
        /// What the user requested.
        wanted: String,
        /// " (did you mean ...?)"; may be empty.
        hint: String,
    },
    /// Sampling this often is impossible.
    #[error(
        "an interval of {} is too short. The shortest possible is {}.",
        words(*.0),
        words(LEAST_INTERVAL)
    )]
    IntervalTooSmall(Duration),
    /// Samples take longer than the interval.
    #[error(
        "an interval of {} is too short for {group}: reading its probes takes {}, most of it for \
         {costliest}. Use at least {}, or choose fewer probes with --probe.",
        words(*.interval),
        words(*.takes),
        words(*.least)
    )]
    IntervalTooSmallForProbes {
        /// The requested interval.
        interval: Duration,
        /// Which run: "the group process".
        group: String,
        /// How long a sample takes.
        takes: Duration,
        /// The probe that takes most of it.
        costliest: String,
        /// The least interval that works.
        least: Duration,
    },
}

/// The least time between two samples.
pub const LEAST_INTERVAL: Duration = Duration::from_micros(100);
