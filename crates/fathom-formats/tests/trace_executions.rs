//! Trace folders, read as executions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use fathom_formats::trace::TraceFolder;
use fathom_formats::{Attempt, ObservationOptions, holds_executions, read_attempts_by_file};
use fathom_record::trace::{Kind, Layer, Manifest, Number, Rows, TraceMetric, Value};
use fathom_record::{Ending, Observation, Unit};
use std::path::Path;
use std::sync::Arc;
use trace_kit::{at, manifest};

/// A counter that was reset, a gauge, and an event.
fn metrics() -> Arc<[TraceMetric]> {
    let metric = |name: &str, kind: Kind, unit: Unit| TraceMetric {
        number: Number::Real,
        ..TraceMetric::integer("p", name, Layer::Os, kind, unit)
    };
    [
        metric("count", Kind::Counter, Unit::Bytes),
        metric("level", Kind::Gauge, Unit::Unknown),
        metric("pause", Kind::Event, Unit::parse("ms")),
    ]
    .into()
}

/// A trace folder with one run that ended so.
fn written(path: &Path, ending: Option<Ending>, ended: Option<i64>) {
    let folder = TraceFolder::create(path, manifest(&["run-1.fast.parquet"])).unwrap();
    let mut writer = folder.writer("run-1.fast.parquet").unwrap();
    let metrics = metrics();
    let mut rows = Rows::new(Arc::clone(&metrics));
    let number = |value: Option<f64>| value.map_or(Value::Missing, Value::Real);
    let second = 1_000_000_000;
    for (row, (count, level, pause)) in [
        (Some(100.0), Some(1.0), None),
        (Some(130.0), None, Some(2.5)),
        (Some(10.0), Some(3.0), None),
        (Some(15.0), Some(4.0), Some(1.5)),
    ]
    .into_iter()
    .enumerate()
    {
        let end = row as i64 * second;
        let values = [number(count), number(level), number(pause)];
        rows.push(at((end - second).max(0)), at(end), &values);
    }
    writer.append(&rows).unwrap();
    writer.finish().unwrap();
    let mut folder = folder;
    folder
        .update(|manifest: &mut Manifest| {
            manifest.metrics = metrics.to_vec();
            manifest.runs[0].ending = ending;
            manifest.runs[0].ended = ended.map(at);
        })
        .unwrap();
}

fn read(path: &Path, columns: &[&str]) -> Vec<Attempt> {
    let columns = columns.iter().map(ToString::to_string).collect();
    let options = ObservationOptions { columns, ..ObservationOptions::default() };
    let files = read_attempts_by_file(path, &options).unwrap_or_else(|error| panic!("{error}"));
    files.iter().flat_map(|file| file.attempts.iter()).collect()
}

fn only(path: &Path) -> Observation {
    let mut all = read(path, &[]);
    assert_eq!(all.len(), 1);
    all.pop().unwrap().unwrap()
}

#[test]
fn levels_totals_and_events_of_a_run_are_those_of_an_execution() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    written(&path, Some(Ending::Exited(0)), Some(3_500_000_000));
    let seen = only(&path);
    assert_eq!(seen.end(), Some(3.5));
    assert!(!seen.is_cut());
    assert_eq!(seen.scalars()["runtime"].value, 3.5);
    assert_eq!(seen.scalars()["exit_code"].value, 0.0);
    let level = &seen.signals()["p.level"];
    assert_eq!(level.times(), [0.0, 1.0, 2.0, 3.0]);
    assert!(level.values()[1].is_nan());
    assert_eq!(level.values()[3], 4.0);
    // From the beginning of the run; where it was reset it is missing, and goes on after that.
    let count = &seen.signals()["p.count"];
    assert_eq!(count.unit(), &Unit::Bytes);
    assert_eq!(count.values()[..2], [0.0, 30.0]);
    assert!(count.values()[2].is_nan());
    assert_eq!(count.values()[3], 35.0);
    let pauses = &seen.events()["p.pause"];
    assert_eq!(pauses.times(), [1.0, 3.0]);
    assert_eq!(pauses.attributes()["value"].values, [2.5, 1.5]);
    assert_eq!(pauses.attributes()["duration"].values, [1.0, 1.0]);
    assert_eq!(pauses.attributes()["value"].unit, Unit::parse("ms"));
    let some = read(&path, &["p.level"]).pop().unwrap().unwrap();
    assert_eq!(some.signals().keys().collect::<Vec<_>>(), ["p.level"]);
    let options = ObservationOptions { columns: vec!["x".into()], ..ObservationOptions::default() };
    let error = read_attempts_by_file(&path, &options).unwrap_err().to_string();
    assert!(error.contains("there is no metric \"x\""), "{error}");
}

#[test]
fn runs_that_failed_or_were_cut_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    written(&at("run-1"), Some(Ending::Exited(3)), Some(4_000_000_000));
    written(&at("run-2"), Some(Ending::TimedOut), Some(4_000_000_000));
    written(&at("run-3"), Some(Ending::Signalled(9)), Some(4_000_000_000));
    written(&at("run-4"), None, None);
    std::fs::create_dir(at("run-5")).unwrap();
    written(&at("run-10"), Some(Ending::Exited(0)), Some(4_000_000_000));
    assert!(holds_executions(folder.path()));
    // One alone is a trace, which is opened as before.
    assert!(!holds_executions(&at("run-1")));
    let all = read(folder.path(), &[]);
    let how = |place: usize| all[place].as_ref().unwrap_err().how.clone();
    assert_eq!(all.len(), 6);
    assert_eq!(how(0), "exited with status 3");
    assert!(all[1].as_ref().unwrap().is_cut());
    assert!(!all[1].as_ref().unwrap().scalars().contains_key("runtime"));
    assert!(how(2).starts_with("was killed by signal 9"));
    assert!(all[3].as_ref().unwrap().is_cut());
    assert!(how(4).starts_with("has no manifest.json"), "{}", how(4));
    assert!(!all[5].as_ref().unwrap().is_cut());
}

#[test]
fn a_damaged_trace_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    written(&path, Some(Ending::Exited(0)), Some(4_000_000_000));
    std::fs::write(path.join("run-1.fast.parquet"), "PAR1").unwrap();
    let error = read_attempts_by_file(&path, &ObservationOptions::default()).unwrap_err();
    assert!(error.to_string().contains("run-1.fast.parquet"), "{error}");
    std::fs::write(path.join("manifest.json"), "{").unwrap();
    let error = read_attempts_by_file(&path, &ObservationOptions::default()).unwrap_err();
    assert!(error.to_string().contains("manifest.json"), "{error}");
}
