//! Parquet files that pandas, polars, DuckDB and pyarrow wrote (`testdata/traces/parquet/make.py`).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use fathom_formats::trace::{ParquetOptions, ParquetTable, Trace, TraceFolder, read_parquet_table};
use fathom_record::TimeUnit;
use fathom_record::trace::{Kind, Values};
use std::path::PathBuf;
use trace_kit::{at, manifest};

/// 2026-11-16T01:40:00Z
const BEGIN: i64 = 1_794_793_200_000_000_000;
const EVERY_10_MS: [i64; 5] = [0, 10_000_000, 20_000_000, 30_000_000, 40_000_000];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/traces/parquet").join(name)
}

fn read(name: &str) -> ParquetTable {
    let options =
        ParquetOptions { is_counter: &|name| name.ends_with("_total"), ..Default::default() };
    read_parquet_table(&file(name), &options).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(name: &str, options: &ParquetOptions<'_>) -> String {
    read_parquet_table(&file(name), options).unwrap_err().to_string()
}

fn names(table: &ParquetTable) -> Vec<&str> {
    table.rows.metrics().iter().map(|metric| metric.name.as_str()).collect()
}

fn integers(values: [Option<i64>; 5]) -> Values {
    Values::Integers(values.to_vec())
}

fn reals(values: [Option<f64>; 5]) -> Values {
    Values::Reals(values.to_vec())
}

#[test]
fn pandas_with_an_index_of_dates() {
    let table = read("pandas.parquet");
    assert_eq!(names(&table), ["faults", "load", "busy"]);
    assert_eq!(table.clock.unwrap().wall, at(BEGIN));
    assert_eq!(table.rows.ends(), EVERY_10_MS.map(at));
    assert_eq!(table.rows.starts(), [0, 0, 10_000_000, 20_000_000, 30_000_000].map(at));
    let columns = table.rows.columns();
    assert_eq!(columns[0], integers([Some(1), Some(2), Some(3), None, Some(5)]));
    assert_eq!(columns[1], reals([Some(0.5), Some(0.25), None, Some(1.5), Some(2.5)]));
    assert_eq!(columns[2], integers([Some(1), Some(0), Some(1), Some(1), Some(0)]));
    assert!(table.notes.iter().any(|note| note.contains("phase")), "{:?}", table.notes);
}

#[test]
fn polars_with_unsigned_integers() {
    let table = read("polars.parquet");
    assert_eq!(names(&table), ["small", "large", "wide", "wait_ms"]);
    assert_eq!((table.clock, table.rows.ends()), (None, &EVERY_10_MS.map(at)[..]));
    assert!(table.notes.iter().any(|note| note.contains("no time zone")), "{:?}", table.notes);
    let columns = table.rows.columns();
    assert_eq!(columns[0], integers([1, 2, 3, 4, 255].map(Some)));
    let (half, whole) = (9_223_372_036_854_775_808.0, 18_446_744_073_709_551_615.0);
    assert_eq!(columns[1], reals([Some(0.0), Some(1.0), None, Some(half), Some(whole)]));
    assert_eq!(columns[2], integers([4_294_967_295, 0, 1, 2, 3].map(Some)));
    assert_eq!(columns[3], reals([Some(1.5), None, Some(3.5), None, Some(5.5)]));
    assert_eq!(table.rows.metrics()[3].unit.symbol(), "ms");
}

#[test]
fn duckdb_with_decimals_out_of_order() {
    let table = read("duckdb.parquet");
    assert_eq!(names(&table), ["price", "requests_total"]);
    assert_eq!((table.clock, table.rows.ends()), (None, &EVERY_10_MS.map(at)[..]));
    assert_eq!(table.rows.starts(), [0, 0, 10_000_000, 20_000_000, 30_000_000].map(at));
    let columns = table.rows.columns();
    assert_eq!(columns[0], reals([Some(0.25), Some(-1.25), None, Some(3.25), Some(4.25)]));
    assert_eq!(columns[1], integers([0, 10, 20, 30, 40].map(Some)));
    let kinds: Vec<Kind> = table.rows.metrics().iter().map(|metric| metric.kind).collect();
    assert_eq!(kinds, [Kind::Gauge, Kind::Counter]);
    assert!(table.notes.iter().any(|note| note.contains("time order")), "{:?}", table.notes);
}

#[test]
fn other_compressions_types_and_names_of_times() {
    let table = read("gzip.parquet");
    assert_eq!(table.rows.ends(), EVERY_10_MS.map(at));
    assert_eq!(table.rows.columns()[0], integers([5, 4, 3, 2, 1].map(Some)));
    let table = read("spark.parquet");
    assert_eq!(table.clock.unwrap().wall, at(BEGIN));
    assert_eq!(table.rows.ends(), EVERY_10_MS.map(at));
    assert_eq!(names(&table), ["x"]);
    assert!(table.notes.iter().any(|note| note.contains("point.a") && note.contains("nested")));
    let steps = read("steps.parquet");
    assert_eq!(steps.rows.ends(), [0, 1, 2, 3, 4].map(|second| at(second * 1_000_000_000)));
    let options = ParquetOptions { time_unit: Some(TimeUnit::Milliseconds), ..Default::default() };
    let steps = read_parquet_table(&file("steps.parquet"), &options).unwrap();
    assert_eq!(steps.rows.ends()[4], at(4_000_000));
}

#[test]
fn tables_that_are_no_traces_are_refused() {
    let options = ParquetOptions::default();
    let text = refused("no-time.parquet", &options);
    assert!(
        text.contains("no-time.parquet") && text.contains("first column, \"name\", has no numbers"),
        "{text}"
    );
    let text = refused("missing-time.parquet", &options);
    assert!(text.contains("row 2 of column \"time\": the time is missing"), "{text}");
    assert!(refused("make.py", &options).contains("not a complete Parquet file"));
    assert!(refused("absent.parquet", &options).contains("cannot be read"));
    // Dates say themselves what they count.
    let hours = ParquetOptions { time_unit: Some(TimeUnit::Hours), ..options };
    let dates = read_parquet_table(&file("polars.parquet"), &hours).unwrap();
    assert_eq!(dates.rows.ends(), EVERY_10_MS.map(at));
}

#[test]
fn a_narrow_column_of_a_trace_is_an_error_where_it_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let mut folder = TraceFolder::create(&path, manifest(&["narrow.parquet"])).unwrap();
    std::fs::copy(file("narrow-trace.parquet"), path.join("narrow.parquet")).unwrap();
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.samples("run-1", "p.counter").unwrap().len(), 2);
    assert_eq!(trace.metrics_of("run-1").unwrap().len(), 1);
    folder.update(|manifest| manifest.metrics = trace_kit::metrics()[..2].to_vec()).unwrap();
    let trace = Trace::open(&path).unwrap();
    let error = trace.samples("run-1", "p.gauge").unwrap_err().to_string();
    assert!(
        error.contains("narrow.parquet: column \"p.gauge\" is INT32, but must be INT64"),
        "{error}"
    );
    std::fs::copy(file("gzip.parquet"), path.join("narrow.parquet")).unwrap();
    let error = trace.samples("run-1", "p.gauge").unwrap_err().to_string();
    assert!(error.contains("no column \"start_ns\""), "{error}");
}

/// Files of others are damaged too.
#[test]
fn changed_files_never_panic() {
    let place = tempfile::tempdir().unwrap();
    for name in [
        "pandas.parquet",
        "polars.parquet",
        "duckdb.parquet",
        "gzip.parquet",
        "spark.parquet",
        "steps.parquet",
    ] {
        let whole = std::fs::read(file(name)).unwrap();
        let changed = place.path().join(name);
        for place in (0..whole.len()).step_by(2) {
            let mut bytes = whole.clone();
            bytes[place] ^= [0xff, 0x01, 0x80][place / 2 % 3];
            std::fs::write(&changed, &bytes).unwrap();
            if let Err(error) = read_parquet_table(&changed, &ParquetOptions::default()) {
                assert!(error.to_string().contains(name), "{error}");
            }
        }
    }
}

#[test]
fn decimals_stored_as_bytes_are_numbers() {
    let table = read("decimals.parquet");
    assert_eq!(names(&table), ["price"]);
    let expected = Values::Reals(vec![Some(1.23), None, Some(-12_345_678_901_234.56)]);
    assert_eq!(table.rows.columns()[0], expected);
    assert_eq!(table.notes, ["skipped a column without numbers: note (text)"]);
}

#[test]
fn a_compression_that_is_not_read_is_not_called_damage() {
    let error = refused("brotli.parquet", &ParquetOptions::default());
    assert!(error.contains("\"time\" uses Brotli compression"), "{error}");
    assert!(error.contains("zstd") && !error.contains("complete"), "{error}");
}

/// Reading it would take gigabytes, and running out of memory ends the process.
#[test]
fn a_small_file_of_many_rows_is_refused_before_it_is_read() {
    let error = refused("many-rows.parquet", &ParquetOptions::default());
    assert!(error.contains("140000000 rows of 2 columns") && error.contains("Split"), "{error}");
}
