//! What Fathom exports as CSV is imported as it was.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use fathom_formats::trace::{Trace, TraceFolder};
use fathom_formats::trace_imports::{ImportOptions, read_trace_bytes, read_trace_file};
use fathom_record::trace::{
    Kind, Layer, Manifest, Number, Rows, SamplerEntry, TRACE_SCHEMA, TraceMetric, TraceRun, Value,
};
use fathom_record::{Environment, Timestamp, Unit};
use proptest::prelude::*;

/// Writes rows into a folder of traces and exports them.
fn exported(folder: &Path, rows: &Rows) -> String {
    let file = "run.csv.parquet".to_string();
    let sampler = SamplerEntry {
        name: "csv".to_string(),
        file: file.clone(),
        interval: None,
        rows: rows.len() as u64,
        missed: 0,
        lateness: None,
        cpu_share: None,
        probes: Vec::new(),
    };
    let run = TraceRun {
        id: "run".to_string(),
        group: "imported".to_string(),
        clock: None,
        ended: None,
        ending: None,
        samplers: vec![sampler],
        notes: Vec::new(),
    };
    let manifest = Manifest {
        schema: TRACE_SCHEMA.to_string(),
        command: Vec::new(),
        started: 1,
        environment: Environment::of_this_build(),
        common: None,
        metrics: rows.metrics().to_vec(),
        derived: Vec::new(),
        runs: vec![run],
    };
    let trace = TraceFolder::create(folder, manifest).unwrap();
    let mut writer = trace.writer(&file).unwrap();
    writer.append(rows).unwrap();
    writer.finish().unwrap();
    let mut text = Vec::new();
    Trace::open(folder).unwrap().write_csv("run", "csv", &mut text).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    String::from_utf8(text).unwrap()
}

fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("fathom-round-trip-{}-{name}", std::process::id()))
}

/// Names, intervals and values; what a table cannot say is given as an option, or lost.
fn comes_back(name: &str, rows: &Rows) {
    let text = exported(&place(name), rows);
    let counters = rows.metrics().iter().filter(|metric| metric.kind == Kind::Counter);
    let counters = counters.map(|metric| metric.name.clone()).collect();
    let options = ImportOptions { counters, ..ImportOptions::default() };
    let run = read_trace_bytes("run.csv", text.as_bytes(), &options).unwrap();
    let (_, again) = &run.samplers[0];
    assert_eq!((again.starts(), again.ends()), (rows.starts(), rows.ends()), "{name}");
    assert_eq!(again.metrics().len(), rows.metrics().len(), "{name}");
    let metrics = rows.metrics().iter().zip(again.metrics().iter());
    for ((metric, back), (values, back_values)) in
        metrics.zip(rows.columns().iter().zip(again.columns()))
    {
        assert_eq!(metric.name, back.name);
        assert_eq!((metric.kind, metric.layer), (back.kind, back.layer), "{}", metric.name);
        for row in 0..values.len() {
            assert_eq!(values.get(row), back_values.get(row), "{}, row {row}", metric.name);
        }
    }
}

#[test]
fn real_traces_come_back_from_csv() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/traces");
    for name in
        ["perf/per-cpu.csv", "prometheus/raw.json", "gc/g1.log", "gc/z.log", "netdata/cpu.csv"]
    {
        let run = read_trace_file(&root.join(name), &ImportOptions::default()).unwrap();
        for (sampler, rows) in &run.samplers {
            comes_back(&format!("{}-{sampler}", name.replace('/', "-")), rows);
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Missing),
        any::<i64>().prop_map(Value::Integer),
        (-1e300..1e300_f64).prop_map(Value::Real),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_rows_come_back_from_csv(
        steps in prop::collection::vec((1..5_000_000_000_i64, value(), value()), 1..20),
        name in "[a-z]{1,5}[.,;\"{}= a-z]{0,5}[a-z]",
    ) {
        let mut metrics = vec![
            TraceMetric::integer("csv", "a", Layer::Application, Kind::Gauge, Unit::Unknown),
            TraceMetric::real("csv", "b", Layer::Application, Kind::Counter, Unit::Unknown),
        ];
        metrics[0].name = format!("q{name}");
        metrics[1].number = Number::Real;
        let mut rows = Rows::new(metrics.into());
        let mut end = 0;
        for (n, (step, a, b)) in steps.into_iter().enumerate() {
            let start = if n == 0 { step } else { end };
            end += step;
            rows.push(
                Timestamp::from_nanoseconds(start),
                Timestamp::from_nanoseconds(end),
                &[a, b],
            );
        }
        comes_back("any", &rows);
    }
}
