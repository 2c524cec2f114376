//! Traces that are made up in memory.

use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Timestamp, Unit};
use std::collections::BTreeMap;
use std::sync::Mutex;

pub(crate) const SECOND: i64 = 1_000_000_000;

/// Traces in memory that count how often each metric is read.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) runs: Vec<RunEntry>,
    pub(crate) samples: BTreeMap<(String, String), Samples>,
    pub(crate) read: Mutex<BTreeMap<(String, String), usize>>,
}

#[allow(dead_code, reason = "no test uses all of it")]
impl Made {
    /// With a level that is sampled every second.
    pub(crate) fn with(self, run: &str, metric: &str, values: Vec<f64>) -> Made {
        let row = |(row, value)| {
            let end = row as i64;
            ((end.max(1) - 1) * SECOND, end * SECOND, value)
        };
        let rows: Vec<(i64, i64, f64)> = values.into_iter().enumerate().map(row).collect();
        self.with_rows(run, metric, Kind::Gauge, &rows)
    }

    /// With rows of when they start, when they end, and what was seen.
    pub(crate) fn with_rows(
        mut self,
        run: &str,
        metric: &str,
        kind: Kind,
        rows: &[(i64, i64, f64)],
    ) -> Made {
        let about = TraceMetric {
            name: metric.to_string(),
            ..TraceMetric::real("made", metric, Layer::Os, kind, Unit::Unknown)
        };
        let samples = Samples {
            metric: about.clone(),
            starts: rows.iter().map(|row| Timestamp::from_nanoseconds(row.0)).collect(),
            ends: rows.iter().map(|row| Timestamp::from_nanoseconds(row.1)).collect(),
            values: Values::Reals(rows.iter().map(|row| Some(row.2)).collect()),
        };
        match self.runs.iter_mut().find(|entry| entry.id == run) {
            Some(entry) => entry.metrics.push(about),
            None => self.runs.push(RunEntry { id: run.to_string(), metrics: vec![about] }),
        }
        self.samples.insert((run.to_string(), metric.to_string()), samples);
        self
    }

    /// How often a metric was read.
    pub(crate) fn times_read(&self, run: &str, metric: &str) -> usize {
        let key = (run.to_string(), metric.to_string());
        self.read.lock().unwrap().get(&key).copied().unwrap_or(0)
    }
}

impl TraceSource for Made {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let key = (run.to_string(), metric.to_string());
        *self.read.lock().unwrap().entry(key.clone()).or_default() += 1;
        self.samples.get(&key).cloned().ok_or_else(|| "there is none".into())
    }
}

/// Numbers that look random and are the same every time.
pub(crate) fn noise(seed: u64, rows: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..rows).map(|_| next()).collect()
}
