//! Alignment from end to end, on traces that were made up.
#![allow(clippy::single_range_in_vec_init, reason = "windows are ranges")]

mod chains;
mod errors;
mod figures;
mod kinds;
mod map;
mod ribbons;
mod simulated;
mod situations;
mod words;

use super::{AlignError, AlignOptions, Aligned, AlignedRun, align};
use crate::{RunEntry, Segments, Selection, SourceError, TargetRange, TraceSource};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Timestamp, Unit};
use std::collections::BTreeMap;

pub(super) const S: i64 = 1_000_000_000;

/// So many seconds after the origin.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_nanoseconds(seconds * S)
}

/// Traces in memory.
#[derive(Default)]
pub(super) struct Traces {
    runs: Vec<RunEntry>,
    pub(super) common: Option<String>,
    samples: BTreeMap<(String, String), Samples>,
}

impl TraceSource for Traces {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        self.common.as_deref()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let found = self.samples.get(&(run.to_string(), metric.to_string()));
        found.cloned().ok_or_else(|| format!("{metric}.parquet is torn").into())
    }
}

impl Traces {
    /// Adds rows of a metric to a run: start and end in nanoseconds, and the value.
    pub(super) fn rows(
        mut self,
        run: &str,
        metric: &str,
        kind: Kind,
        rows: &[(i64, i64, Option<f64>)],
    ) -> Traces {
        let mut about = TraceMetric::real("p", "a", Layer::Os, kind, Unit::Unknown);
        about.name = metric.to_string();
        if !self.runs.iter().any(|entry| entry.id == run) {
            self.runs.push(RunEntry { id: run.to_string(), metrics: Vec::new() });
        }
        let entry = self.runs.iter_mut().find(|entry| entry.id == run).unwrap();
        entry.metrics.push(about.clone());
        let samples = Samples {
            metric: about,
            starts: rows.iter().map(|row| Timestamp::from_nanoseconds(row.0)).collect(),
            ends: rows.iter().map(|row| Timestamp::from_nanoseconds(row.1)).collect(),
            values: Values::Reals(rows.iter().map(|row| row.2).collect()),
        };
        self.samples.insert((run.to_string(), metric.to_string()), samples);
        self
    }

    /// Adds a gauge that is sampled every second, first at 0 as recorders do.
    pub(super) fn gauge(self, run: &str, metric: &str, values: &[f64]) -> Traces {
        let rows: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(n, value)| {
                let end = n as i64 * S;
                ((end - S).max(0), end, Some(*value))
            })
            .collect();
        self.rows(run, metric, Kind::Gauge, &rows)
    }

    pub(super) fn named(&self, run: &str, metric: &str) -> Samples {
        self.samples[&(run.to_string(), metric.to_string())].clone()
    }

    /// Loses the rows of a metric.
    pub(super) fn torn(mut self, run: &str, metric: &str) -> Traces {
        self.samples.remove(&(run.to_string(), metric.to_string()));
        self
    }

    pub(super) fn align(&self, selection: &Selection) -> Result<Aligned, AlignError> {
        align(self, selection, &AlignOptions::default(), &|_| Ok(()))
    }

    pub(super) fn align_with(
        &self,
        selection: &Selection,
        options: &AlignOptions,
    ) -> Result<Aligned, AlignError> {
        align(self, selection, options, &|_| Ok(()))
    }
}

pub(super) fn select(target: &str, windows: &[TargetRange]) -> Selection {
    Selection {
        target: target.to_string(),
        run: None,
        windows: windows.to_vec(),
        baseline: None,
        segments: Segments::Auto,
        pattern: None,
    }
}

pub(super) fn rows(first: usize, last: usize) -> TargetRange {
    TargetRange::Rows { first, last }
}

pub(super) fn time(start: i64, end: i64) -> TargetRange {
    TargetRange::Time { start: at(start), end: at(end) }
}

pub(super) fn with_penalty(penalty: f64) -> AlignOptions {
    AlignOptions { penalty, ..AlignOptions::default() }
}

pub(super) fn run<'a>(aligned: &'a Aligned, id: &str) -> &'a AlignedRun {
    aligned.runs.iter().find(|run| run.run == id).unwrap()
}

/// Levels and for how many samples they last.
pub(super) fn levels(parts: &[(f64, usize)]) -> Vec<f64> {
    parts.iter().flat_map(|&(level, count)| std::iter::repeat_n(level, count)).collect()
}
