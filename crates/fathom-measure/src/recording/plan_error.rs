//! Why a recording cannot be planned as requested.

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

/// "1.6 us", "10 ms", "2 s".
pub(super) fn words(duration: Duration) -> String {
    let ns = duration.as_nanos();
    let (unit, size) = match ns {
        0..1_000 => ("ns", 1),
        1_000..1_000_000 => ("us", 1_000),
        1_000_000..1_000_000_000 => ("ms", 1_000_000),
        _ => ("s", 1_000_000_000),
    };
    let tenths = (ns * 10 + size / 2) / size;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, _) if whole >= 100 => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words_are_short() {
        let in_words = |ns| words(Duration::from_nanos(ns));
        assert_eq!(in_words(0), "0 ns");
        assert_eq!(in_words(1_600), "1.6 us");
        assert_eq!(in_words(10_000_000), "10 ms");
        assert_eq!(in_words(123_456_789), "123 ms");
        assert_eq!(in_words(2_500_000_000), "2.5 s");
        assert_eq!(in_words(90_000_000_000), "90 s");
    }
}
