//! What is written is read back: any metrics, in any number of parts, before and after merging.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use fathom_formats::trace::{ParquetOptions, Trace, TraceFolder, read_parquet_table};
use fathom_record::trace::{Number, Rows, TraceMetric, Value, Values};
use fathom_record::{Span, Timestamp};
use proptest::prelude::*;
use std::collections::BTreeMap;
use trace_kit::{at, begin, checked_rows, manifest, metric, metrics, names, rows};

/// Metrics by number: even ones are integers. Names with dots, commas, quotes and other letters.
fn nth_metric(n: usize) -> TraceMetric {
    let names =
        ["p.a", "p.b", "with, comma", "with \"quotes\"", "\u{3bc}s.\u{1f600}", "p.a.b", "x", "p"];
    let number = if n.is_multiple_of(2) { Number::Integer } else { Number::Real };
    metric(names[n], number)
}

fn any_value() -> impl Strategy<Value = Value> {
    let integer = prop_oneof![any::<i64>(), -3..3i64, Just(i64::MAX), Just(i64::MIN), Just(0),];
    let real = prop_oneof![
        any::<f64>(),
        Just(f64::MAX),
        Just(-0.0),
        Just(5e-324),
        (0..100).prop_map(f64::from)
    ];
    prop_oneof![
        2 => Just(Value::Missing),
        6 => integer.prop_map(Value::Integer),
        6 => real.prop_map(Value::from),
    ]
}

/// Some of the metrics, and rows of them.
fn any_rows() -> impl Strategy<Value = (Vec<usize>, Vec<(u64, Vec<Value>)>)> {
    let chosen = prop::sample::subsequence((0..8).collect::<Vec<usize>>(), 0..=8).prop_shuffle();
    let row = (0..1_000_000u64, prop::collection::vec(any_value(), 8));
    (chosen, prop::collection::vec(row, 0..40))
}

/// What rows should be read, by metric.
type Expected = BTreeMap<String, Vec<Value>>;

fn check(trace: &Trace, order: &[String], expected: &Expected, ends: &[Timestamp]) {
    let read = trace.all_samples("run-1").unwrap_or_else(|error| panic!("{error}"));
    if ends.is_empty() {
        assert!(read.iter().all(|samples| samples.is_empty()));
        return;
    }
    let found: Vec<&str> = read.iter().map(|samples| samples.metric.name.as_str()).collect();
    assert_eq!(found, order);
    for samples in read {
        assert_eq!(&samples.ends[..], ends);
        let values: Vec<Value> = (0..samples.len()).map(|n| samples.values.get(n)).collect();
        assert_eq!(values, expected[&samples.metric.name], "{}", samples.metric.name);
        assert_eq!(trace.samples("run-1", &samples.metric.name).unwrap(), samples);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_rows_are_read_back(batches in prop::collection::vec(any_rows(), 0..50), looks in any::<u64>()) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("trace");
        let (folder, mut writer) = begin(&path, "run-1.fast.parquet");
        let (mut order, mut expected, mut ends) = (Vec::new(), Expected::new(), Vec::new());
        for (n, (chosen, made)) in batches.iter().enumerate() {
            let metrics: Vec<TraceMetric> = chosen.iter().map(|&n| nth_metric(n)).collect();
            let mut rows = Rows::new(metrics.clone().into());
            for (length, values) in made {
                let start = ends.last().copied().unwrap_or_default();
                let end = start + Span::from_nanoseconds(*length);
                rows.push(start, end, values);
                ends.push(end);
            }
            for metric in &metrics {
                if !order.contains(&metric.name) {
                    order.push(metric.name.clone());
                }
            }
            let before = ends.len() - rows.len();
            for name in &order {
                let column = expected.entry(name.clone()).or_default();
                column.resize(before, Value::Missing);
                match metrics.iter().position(|metric| metric.name == *name) {
                    Some(place) => column.extend((0..rows.len()).map(|row| rows.columns()[place].get(row))),
                    None => column.resize(ends.len(), Value::Missing),
                }
            }
            writer.append(&rows).unwrap();
            prop_assert_eq!(writer.rows(), ends.len() as u64);
            // A column that no row has yet is in no part.
            if looks >> (n % 64) & 1 == 1 && !rows.is_empty() && batches[..n].iter().all(|(_, made)| !made.is_empty()) {
                check(&Trace::open(&path).unwrap(), &order, &expected, &ends);
            }
        }
        prop_assert_eq!(writer.finish().unwrap(), ends.len() as u64);
        check(&Trace::open(&path).unwrap(), &order, &expected, &ends);
        prop_assert_eq!(names(folder.path()), ["manifest.json", "run-1.fast.parquet"]);
    }
}

#[test]
fn many_parts_become_few_and_then_one() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (folder, mut writer) = begin(&path, "run-1.fast.parquet");
    let metrics = metrics();
    let mut most = 0;
    for n in 0..600 {
        writer.append(&rows(&metrics, n * 7, 7)).unwrap();
        most = most.max(names(&path).len());
    }
    // 600 = 2 * 256 + 5 * 16 + 8, and the manifest.
    assert_eq!(names(&path).len(), 2 + 5 + 8 + 1);
    assert!(most <= 3 * 16 + 1, "{most} files");
    assert_eq!(checked_rows(&path, "run-1"), 4200);
    assert_eq!(writer.finish().unwrap(), 4200);
    assert_eq!(names(folder.path()), ["manifest.json", "run-1.fast.parquet"]);
    assert_eq!(checked_rows(&path, "run-1"), 4200);
}

/// More rows than a row group has, in appends of very different sizes.
#[test]
fn row_groups_of_any_size_are_merged() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "a.parquet");
    let metrics = metrics();
    let mut first = 0;
    for count in [1, 150_000, 3, 131_072, 60_000, 60_000, 60_000, 1] {
        writer.append(&rows(&metrics, first, count)).unwrap();
        first += count;
    }
    assert_eq!(checked_rows(&path, "run-1"), first);
    assert_eq!(writer.finish().unwrap(), first);
    assert_eq!(checked_rows(&path, "run-1"), first);
}

#[test]
fn a_recording_without_rows_has_a_file() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let folder = TraceFolder::create(&path, manifest(&["a.parquet", "b.parquet"])).unwrap();
    assert_eq!(folder.writer("a.parquet").unwrap().finish().unwrap(), 0);
    let mut writer = folder.writer("b.parquet").unwrap();
    writer.append(&Rows::new(metrics())).unwrap();
    assert_eq!(writer.finish().unwrap(), 0);
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.metrics_of("run-1").unwrap(), []);
    assert_eq!(trace.metrics_of("run-2").unwrap(), *metrics());
    assert!(trace.samples("run-2", "p.gauge").unwrap().is_empty());
    let mut text = Vec::new();
    trace.write_csv("run-2", "fast", &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "start_ns,end_ns,p.counter,p.gauge,p.real\n");
}

#[test]
fn the_manifest_describes_metrics_and_the_file_does_where_it_does_not() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (mut folder, mut writer) = begin(&path, "a.parquet");
    writer.append(&rows(&metrics(), 0, 10)).unwrap();
    writer.finish().unwrap();
    assert_eq!(Trace::open(&path).unwrap().metrics_of("run-1").unwrap(), *metrics());
    let said = metric("p.gauge", Number::Integer).about("as the manifest says");
    folder.update(|manifest| manifest.metrics = vec![said.clone()]).unwrap();
    assert_eq!(Trace::open(&path).unwrap().metrics_of("run-1").unwrap()[1], said);
    let table = read_parquet_table(&path.join("a.parquet"), &ParquetOptions::default()).unwrap();
    assert_eq!(table.rows, rows(&metrics(), 0, 10));
}

#[test]
fn rows_are_read_in_the_order_of_time() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "a.parquet");
    let mut rows = Rows::new([metric("p", Number::Integer)].into());
    for (end, value) in [(30, 3), (10, 1), (20, 2)] {
        rows.push(at(end - 5), at(end), &[Value::Integer(value)]);
    }
    writer.append(&rows).unwrap();
    let samples = Trace::open(&path).unwrap().samples("run-1", "p").unwrap();
    assert_eq!(samples.starts[..], [5, 15, 25].map(at));
    assert_eq!(samples.ends[..], [10, 20, 30].map(at));
    assert_eq!(samples.values, Values::Integers(vec![Some(1), Some(2), Some(3)]));
}
