//! Traces with known content, for tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test uses a part of it")]

use fathom_formats::trace::{SamplerWriter, TraceFolder};
use fathom_record::trace::{
    Clock, Kind, Layer, Manifest, Number, Rows, SamplerEntry, TRACE_SCHEMA, TraceMetric, TraceRun,
    Value,
};
use fathom_record::{Environment, Span, Timestamp, Unit};
use std::path::Path;
use std::sync::Arc;

/// So many nanoseconds after the origin.
pub(crate) fn at(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanoseconds(nanoseconds)
}

/// A manifest with a run per file; the samplers are called "fast".
pub(crate) fn manifest(files: &[&str]) -> Manifest {
    let run = |(n, file): (usize, &&str)| TraceRun {
        id: format!("run-{}", n + 1),
        group: "all".to_string(),
        clock: Some(Clock { monotonic: at(1), wall: at(2) }),
        ended: None,
        ending: None,
        samplers: vec![sampler("fast", file)],
        notes: Vec::new(),
    };
    Manifest {
        schema: TRACE_SCHEMA.to_string(),
        command: vec!["true".to_string()],
        started: 0,
        environment: Environment::of_this_build(),
        common: None,
        metrics: Vec::new(),
        derived: Vec::new(),
        runs: files.iter().enumerate().map(run).collect(),
    }
}

pub(crate) fn sampler(name: &str, file: &str) -> SamplerEntry {
    SamplerEntry {
        name: name.to_string(),
        file: file.to_string(),
        interval: Some(Span::from_milliseconds(1)),
        rows: 0,
        missed: 0,
        lateness: None,
        cpu_share: None,
        probes: Vec::new(),
    }
}

pub(crate) fn metric(name: &str, number: Number) -> TraceMetric {
    let metric = TraceMetric::integer("p", name, Layer::Os, Kind::Counter, Unit::Bytes);
    TraceMetric { name: name.to_string(), number, ..metric }.about("of a test")
}

/// Three metrics: a counter, a gauge that is missing in every fifth row, and a double.
pub(crate) fn metrics() -> Arc<[TraceMetric]> {
    [
        metric("p.counter", Number::Integer),
        metric("p.gauge", Number::Integer),
        metric("p.real", Number::Real),
    ]
    .into()
}

/// The values of row `row`.
pub(crate) fn values(row: u64) -> [Value; 3] {
    let row = i64::try_from(row).unwrap();
    let gauge = (row % 5 != 0).then_some(row * 7919 % 1009);
    [Value::Integer(row * 3), gauge.into(), Value::Real(row as f64 / 8.0)]
}

/// Rows from `first` on.
pub(crate) fn rows(metrics: &Arc<[TraceMetric]>, first: u64, count: u64) -> Rows {
    let mut rows = Rows::new(Arc::clone(metrics));
    for row in first..first + count {
        let end = i64::try_from(row).unwrap() * 1000;
        rows.push(at((end - 1000).max(0)), at(end), &values(row));
    }
    rows
}

/// A new folder with one file, and its writer.
pub(crate) fn begin(path: &Path, file: &str) -> (TraceFolder, SamplerWriter) {
    let folder = TraceFolder::create(path, manifest(&[file])).unwrap();
    let writer = folder.writer(file).unwrap();
    (folder, writer)
}

/// How many rows a run has, all as [`values`] gives them.
pub(crate) fn checked_rows(path: &Path, run: &str) -> u64 {
    let trace = fathom_formats::trace::Trace::open(path).unwrap();
    let all = trace.all_samples(run).unwrap_or_else(|error| panic!("{error}"));
    let Some(first) = all.first() else { return 0 };
    assert_eq!(all.len(), 3);
    for row in 0..first.len() {
        let expected = values(row as u64);
        let read: Vec<Value> = all.iter().map(|samples| samples.values.get(row)).collect();
        assert_eq!(read, expected, "row {row}");
        assert_eq!(first.ends[row], at(row as i64 * 1000));
    }
    first.len() as u64
}

/// The names in a folder, sorted.
pub(crate) fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
