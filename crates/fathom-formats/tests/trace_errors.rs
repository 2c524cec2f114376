//! What is wrong with a folder is said with the file's name and what to do, and nothing panics.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use fathom_formats::trace::{ParquetOptions, Trace, TraceError, TraceFolder, read_parquet_table};
use fathom_record::trace::{Number, Rows, SamplerEntry, Value};
use std::fs;
use std::path::Path;
use trace_kit::{at, begin, checked_rows, manifest, metric, metrics, names, rows, sampler};

fn said(result: Result<impl std::fmt::Debug, TraceError>) -> String {
    result.unwrap_err().to_string()
}

/// A finished trace of a hundred rows.
fn trace(path: &Path) -> TraceFolder {
    let (mut folder, mut writer) = begin(path, "run-1.fast.parquet");
    writer.append(&rows(&metrics(), 0, 100)).unwrap();
    writer.finish().unwrap();
    folder.update(|manifest| manifest.runs[0].ended = Some(at(100_000))).unwrap();
    folder
}

#[test]
fn folders_that_are_no_traces() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let text = said(Trace::open(&at("absent")));
    assert!(text.contains("absent: no such folder"), "{text}");
    fs::write(at("file.csv"), "a,b\n").unwrap();
    let text = said(Trace::open(&at("file.csv")));
    assert!(text.contains("file.csv is not a folder") && text.contains("fathom import"), "{text}");
    fs::create_dir(at("empty")).unwrap();
    let text = said(Trace::open(&at("empty")));
    assert!(text.contains("has no manifest.json") && text.contains("fathom import"), "{text}");
    for (manifest, part) in [
        ("", "cannot use"),
        ("{}", "schema"),
        (r#"{"schema":"fathom-trace/9","runs":7}"#, "fathom-trace/9"),
        (r#"{"schema":"fathom-trace/1"}"#, "missing field"),
    ] {
        fs::write(at("empty").join("manifest.json"), manifest).unwrap();
        let text = said(Trace::open(&at("empty")));
        assert!(text.contains("manifest.json") && text.contains(part), "{text}");
    }
}

#[test]
fn names_that_are_not_there() {
    let place = tempfile::tempdir().unwrap();
    let folder = trace(&place.path().join("trace"));
    let trace = Trace::open(folder.path()).unwrap();
    let text = said(trace.samples("run-2", "p.gauge"));
    assert!(text.contains("no run \"run-2\" (did you mean \"run-1\"?)"), "{text}");
    let text = said(trace.samples("run-1", "p.guage"));
    assert!(text.contains("no metric \"p.guage\" (did you mean \"p.gauge\"?)"), "{text}");
    let text = said(trace.write_csv("run-1", "fats", &mut Vec::new()));
    assert!(text.contains("no sampler \"fats\" (did you mean \"fast\"?)"), "{text}");
}

#[test]
fn a_missing_file_is_an_error_when_it_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = trace(&place.path().join("trace"));
    folder
        .update(|manifest| {
            let mut run = manifest.runs[0].clone();
            run.id = "run-2".to_string();
            run.samplers = vec![SamplerEntry { rows: 7, ..sampler("fast", "gone.parquet") }];
            manifest.runs.push(run);
        })
        .unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    assert_eq!(trace.samples("run-1", "p.gauge").unwrap().len(), 100);
    let text = said(trace.samples("run-2", "p.gauge"));
    assert!(text.contains("gone.parquet is missing"), "{text}");
    // One that had not come to its end may not have written a row.
    folder.update(|manifest| manifest.runs[1].ended = None).unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    assert_eq!(trace.all_samples("run-2").unwrap(), []);
}

/// A recording that found the disk full before its first row.
#[test]
fn a_run_without_rows_needs_no_file() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = trace(&place.path().join("trace"));
    folder
        .update(|manifest| {
            let mut run = manifest.runs[0].clone();
            run.id = "run-2".to_string();
            run.ended = Some(at(9));
            run.samplers = vec![SamplerEntry { rows: 0, ..sampler("fast", "gone.parquet") }];
            manifest.runs.push(run);
        })
        .unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    assert_eq!(trace.all_samples("run-2").unwrap(), []);
    assert!(!trace.all_samples("run-1").unwrap().is_empty());
}

#[test]
fn cut_and_changed_files_are_errors_or_other_numbers_and_never_a_panic() {
    let place = tempfile::tempdir().unwrap();
    let folder = trace(&place.path().join("trace"));
    let file = folder.path().join("run-1.fast.parquet");
    let whole = fs::read(&file).unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    let read = || {
        let _ = read_parquet_table(&file, &ParquetOptions::default());
        let _ = trace.write_csv("run-1", "fast", &mut Vec::new());
        trace.all_samples("run-1")
    };
    for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        fs::write(&file, &whole[..length]).unwrap();
        let text = said(read());
        assert!(text.contains("run-1.fast.parquet: not a complete Parquet file"), "{text}");
        assert!(text.contains("Restore it"), "{text}");
    }
    for place in 0..whole.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[place] ^= change;
            fs::write(&file, &bytes).unwrap();
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
            let Ok(done) = done else {
                eprintln!("PANIC at {place} {change}");
                continue;
            };
            if let Err(error) = done {
                assert!(error.to_string().contains("run-1.fast.parquet"), "{error}");
            }
        }
    }
}

#[test]
fn columns_of_other_types_and_without_times() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = trace(&place.path().join("trace"));
    folder.update(|manifest| manifest.metrics = vec![metric("p.gauge", Number::Real)]).unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    let text = said(trace.samples("run-1", "p.gauge"));
    assert!(text.contains("column \"p.gauge\" is INT64, but must be DOUBLE"), "{text}");
    assert!(trace.samples("run-1", "p.counter").is_ok());
    let text =
        said(folder.update(|manifest| {
            manifest.runs[0].samplers[0].file = "a.rows-0-9.parquet".to_string()
        }));
    assert!(text.contains("a name that Fathom reserves"), "{text}");
    assert_eq!(folder.manifest().runs[0].samplers[0].file, "run-1.fast.parquet");
}

#[test]
fn parts_that_are_gone_or_not_what_their_name_says() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "a.parquet");
    for n in 0..4 {
        writer.append(&rows(&metrics(), n * 10, 10)).unwrap();
    }
    let at = |name: &str| path.join(name);
    fs::rename(at("a.rows-10-19.parquet"), at("kept")).unwrap();
    let trace = Trace::open(&path).unwrap();
    let text = said(trace.all_samples("run-1"));
    assert!(text.contains("a.parquet: rows 10 to 19 are missing from its parts"), "{text}");
    fs::copy(at("kept"), at("a.rows-10-18.parquet")).unwrap();
    fs::copy(at("kept"), at("a.rows-19-19.parquet")).unwrap();
    let text = said(trace.all_samples("run-1"));
    assert!(
        text.contains("a.rows-10-18.parquet") && text.contains("10 rows, but its name says 9"),
        "{text}"
    );
}

#[test]
fn nothing_but_traces_is_replaced() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    trace(&path);
    let text = said(TraceFolder::create(&path, manifest(&[])));
    assert!(
        text.contains("is not empty") && text.contains("-o") && text.contains("--force"),
        "{text}"
    );
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join(".x.parquet.tmp"), "cut").unwrap();
    let folder = TraceFolder::replace(&path, manifest(&["b.parquet"])).unwrap();
    assert_eq!(names(&path), ["manifest.json", "notes.txt"]);
    let mut writer = folder.writer("b.parquet").unwrap();
    writer.append(&rows(&metrics(), 0, 10)).unwrap();
    let again = TraceFolder::replace(&path, manifest(&["b.parquet"])).unwrap();
    assert_eq!(names(again.path()), ["manifest.json", "notes.txt"]);

    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    assert!(TraceFolder::replace(&other, manifest(&[])).is_ok());
    for (name, content) in [("manifest.json", "{\"name\": \"an app\"}"), ("x", "y")] {
        fs::remove_file(other.join("manifest.json")).unwrap();
        fs::write(other.join(name), content).unwrap();
        let text = said(TraceFolder::replace(&other, manifest(&[])));
        assert!(text.contains("Choose another folder"), "{text}");
        assert_eq!(fs::read_to_string(other.join(name)).unwrap(), content);
        fs::write(other.join("manifest.json"), "").unwrap();
    }
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(said(TraceFolder::create(&file, manifest(&[]))).contains("is not a folder"));
    assert!(said(TraceFolder::replace(&file, manifest(&[]))).contains("is not a folder"));
}

/// Earlier traces stay until the new ones are complete.
#[test]
fn whole_traces_replace_whole_traces() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let fill = |folder: &TraceFolder| {
        let mut writer = folder.writer("b.parquet")?;
        writer.append(&rows(&metrics(), 0, 10))?;
        writer.finish().map(|_| ())
    };
    let create =
        |replace| TraceFolder::create_whole(&path, manifest(&["b.parquet"]), replace, fill);
    create(false).unwrap();
    assert_eq!(names(&path), ["b.parquet", "manifest.json"]);
    assert!(said(create(false)).contains("is not empty"));
    fs::write(path.join("notes.txt"), "mine").unwrap();
    let before = fs::read(path.join("manifest.json")).unwrap();
    let failed = TraceFolder::create_whole(&path, manifest(&["a.parquet"]), true, fill);
    assert!(said(failed).contains("no sampler in the manifest"));
    assert_eq!(fs::read(path.join("manifest.json")).unwrap(), before);
    create(true).unwrap();
    assert_eq!(names(&path), ["b.parquet", "manifest.json", "notes.txt"]);
    assert_eq!(names(place.path()), ["trace"]);
    assert_eq!(Trace::open(&path).unwrap().all_samples("run-1").unwrap().len(), metrics().len());
}

#[test]
fn rows_that_cannot_be_columns_are_refused_and_change_nothing() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (folder, mut writer) = begin(&path, "a.parquet");
    writer.append(&rows(&metrics(), 0, 10)).unwrap();
    let integer = |name: &str| metric(name, Number::Integer);
    for (metrics, part) in [
        (vec![integer("start_ns")], "\"start_ns\", which is reserved for the times"),
        (vec![integer("")], "no name"),
        (vec![integer("x"), integer("x")], "two metrics are named \"x\""),
        (
            vec![integer("new"), metric("p.counter", Number::Real)],
            "\"p.counter\" switched between integers and doubles",
        ),
    ] {
        let mut rows = Rows::new(metrics.into());
        rows.push(at(0), at(1), &[Value::Integer(1)]);
        let text = said(writer.append(&rows));
        assert!(text.contains("a.parquet") && text.contains(part), "{text}");
    }
    writer.append(&rows(&metrics(), 10, 10)).unwrap();
    assert_eq!(writer.metrics().len(), 3);
    assert!(said(folder.writer("a.parquet")).contains("was already written"));
    assert!(said(folder.writer("b.parquet")).contains("no sampler in the manifest"));
    assert_eq!(writer.finish().unwrap(), 20);
    assert_eq!(checked_rows(&path, "run-1"), 20);
}

#[test]
fn csv_is_exact_and_quoted() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "a.parquet");
    let columns = [metric("a, \"b\"", Number::Integer), metric("p.r", Number::Real)];
    let mut rows = Rows::new(columns.into());
    rows.push(at(0), at(0), &[Value::Integer(i64::MIN), Value::Real(0.1)]);
    rows.push(at(0), at(7), &[Value::Missing, Value::Real(-1e300)]);
    rows.push(at(7), at(9), &[Value::Integer(3), Value::Missing]);
    writer.append(&rows).unwrap();
    let mut text = Vec::new();
    Trace::open(&path).unwrap().write_csv("run-1", "fast", &mut text).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "start_ns,end_ns,\"a, \"\"b\"\"\",p.r\n0,0,-9223372036854775808,0.1\n0,7,,-1e300\n7,9,3,\n"
    );
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let closed = Trace::open(&path).unwrap().write_csv("run-1", "fast", &mut Closed);
    assert!(
        matches!(closed, Err(TraceError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe)
    );
}
