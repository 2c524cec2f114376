//! Writes the traces that `scripts/read-traces` reads with other tools. What it expects is there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use fathom_formats::trace::{Trace, TraceFolder};
use fathom_record::trace::{Manifest, Number, Rows, Value};
use std::path::PathBuf;
use trace_kit::{at, manifest, metric, metrics, rows};

/// Where to: a folder that is not there yet. A temporary one otherwise.
const FOLDER: &str = "FATHOM_TEST_TRACE_FOLDER";

#[test]
fn a_trace_for_other_tools() {
    let place = tempfile::tempdir().unwrap();
    let path = std::env::var_os(FOLDER).map_or(place.path().join("trace"), PathBuf::from);
    let files =
        ["run-1.fast.parquet", "run-2.fast.parquet", "run-3.fast.parquet", "run-4.fast.parquet"];
    let folder = TraceFolder::create(&path, manifest(&files)).unwrap();
    // Several row groups.
    let metrics = metrics();
    let mut writer = folder.writer(files[0]).unwrap();
    for n in 0..150 {
        writer.append(&rows(&metrics, n * 1000, 1000)).unwrap();
    }
    writer.finish().unwrap();
    // As after a kill, with a metric that comes late.
    let mut writer = folder.writer(files[1]).unwrap();
    for n in 0..40 {
        writer.append(&rows(&metrics, n * 100, 100)).unwrap();
    }
    let mut late = Rows::new([metric("p.late", Number::Integer)].into());
    late.push(at(3_999_000), at(4_000_000), &[Value::Integer(1)]);
    writer.append(&late).unwrap();
    // No rows.
    let mut writer = folder.writer(files[2]).unwrap();
    writer.append(&Rows::new(metrics)).unwrap();
    writer.finish().unwrap();
    // The greatest and least numbers, and names with other letters.
    let columns = [metric("p.a b,\"c\".\u{3bc}", Number::Integer), metric("p.real", Number::Real)];
    let mut extremes = Rows::new(columns.into());
    for n in 0..500 {
        let (integer, real) = match n % 4 {
            0 => (Value::Integer(i64::MAX), Value::Real(f64::MAX)),
            1 => (Value::Integer(i64::MIN), Value::Real(5e-324)),
            2 => (Value::Missing, Value::Missing),
            _ => (Value::Integer(n), Value::Real(0.1)),
        };
        extremes.push(at(n), at(n + 1), &[integer, real]);
    }
    let mut writer = folder.writer(files[3]).unwrap();
    writer.append(&extremes).unwrap();
    writer.finish().unwrap();
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.samples("run-1", "p.real").unwrap().len(), 150_000);
    assert_eq!(trace.samples("run-2", "p.late").unwrap().missing(), 4000);
}

#[test]
fn the_manifest_of_the_documentation_is_one() {
    let page = include_str!("../../../docs/trace-format.md");
    let example = page.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let manifest = Manifest::read(example).unwrap();
    assert_eq!(manifest.runs[0].samplers[0].file, "run-1.fast.parquet");
    // Nothing in it is unknown, and everything that is written is in it.
    let written: serde_json::Value = serde_json::from_str(&manifest.write().unwrap()).unwrap();
    let example: serde_json::Value = serde_json::from_str(example).unwrap();
    assert_eq!(written, example);
}
