//! What holds of any input that should be a trace.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod any_input;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use fathom_formats::trace_imports::{
    ImportFormat, ImportOptions, ImportedRun, detect, read_trace_bytes,
};
use fathom_record::trace::Kind;
use proptest::prelude::*;

/// Reads under every format and none.
fn read_every_way(bytes: &[u8]) {
    let _ = detect("fuzz", bytes);
    for format in ImportFormat::ALL.map(Some).into_iter().chain([None]) {
        let options = ImportOptions { format, counters: vec!["a*".into()], ..Default::default() };
        match read_trace_bytes("fuzz", bytes, &options) {
            Ok(run) => is_sound(&run),
            Err(error) => {
                let text = error.to_string();
                assert!(text.starts_with("fuzz") && text.contains(". "), "{text}");
                assert!(!text.contains('\n'), "{text}");
            }
        }
    }
}

/// What readers of runs rely on.
fn is_sound(run: &ImportedRun) {
    assert!(!run.samplers.is_empty());
    let mut names = BTreeSet::new();
    for (sampler, rows) in &run.samplers {
        assert!(!rows.is_empty() && !rows.metrics().is_empty(), "{sampler}");
        assert!(rows.ends().is_sorted(), "{sampler}");
        let mut pairs = rows.starts().iter().zip(rows.ends());
        assert!(pairs.all(|(start, end)| start <= end), "{sampler}");
        for (metric, column) in rows.metrics().iter().zip(rows.columns()) {
            assert!(names.insert(metric.name.clone()), "{} twice", metric.name);
            assert!(!metric.name.is_empty());
            assert_eq!(metric.number, column.number());
            assert_eq!(column.len(), rows.len());
            assert!(column.reals().flatten().all(f64::is_finite));
            if metric.kind == Kind::Gauge {
                let starts = rows.starts().iter().skip(1);
                assert!(
                    starts.zip(rows.ends()).all(|(start, end)| start == end),
                    "{}",
                    metric.name
                );
            }
        }
    }
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/traces");
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    assert!(files.len() > 30);
    files
}

/// The beginnings of the files.
fn beginnings() -> Vec<Vec<u8>> {
    let beginning = |file: &PathBuf| {
        let mut bytes = std::fs::read(file).unwrap();
        bytes.truncate(3000);
        bytes
    };
    files().iter().map(beginning).collect()
}

#[test]
fn every_real_file_is_read_or_refused_whole_and_cut() {
    for file in files() {
        let bytes = std::fs::read(&file).unwrap();
        read_every_way(&bytes);
        let step = (bytes.len() / 40).max(1);
        for end in (0..bytes.len()).step_by(step) {
            read_every_way(&bytes[..end]);
        }
    }
}

/// Nothing is quadratic: these take minutes if it is, and about a second each if not.
#[test]
fn large_files() {
    let (mut table, mut perf, mut log) = ("time,a,b\n".to_string(), String::new(), String::new());
    let (mut wide, mut row) = ("time".to_string(), "0".to_string());
    let mut series = String::new();
    for i in 0..100_000 {
        writeln!(table, "{i},{i},{}.5", i % 7).unwrap();
        writeln!(perf, "{}.000000000,5,,faults,1,100.00,,", i + 1).unwrap();
        writeln!(
            log,
            "[{i}.0s] GC({i}) Eden regions: 6->0(4)\n[{i}.1s] GC({i}) Pause Remark 0.1ms"
        )
        .unwrap();
        write!(wide, ",m{i}").unwrap();
        write!(row, ",{i}").unwrap();
        if i < 20_000 {
            let comma = if i == 0 { "" } else { "," };
            write!(series, r#"{comma}{{"metric":{{"i":"{i}"}},"values":[[{},"1"]]}}"#, i % 300)
                .unwrap();
        }
    }
    let wide = format!("{wide}\n{row}\n");
    let series =
        format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{series}]}}}}"#);
    for text in [table, perf, log, wide, series] {
        is_sound(&read_trace_bytes("large", text.as_bytes(), &ImportOptions::default()).unwrap());
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes(bytes in any_input::bytes()) {
        read_every_way(&bytes);
    }

    #[test]
    fn arbitrary_text_of_their_letters(
        text in "(time|start|end|[,;\t\n]|[0-9.e-]{1,4}|\\[0\\.1s\\]|GC\\(1\\)| Pause Young|ms|->|K|\"|\\{|\\}|:|NaN| |1\\.000000000,|faults){0,40}",
    ) {
        read_every_way(text.as_bytes());
    }

    #[test]
    fn changed_real_files(bytes in any_input::changed(beginnings())) {
        read_every_way(&bytes);
    }
}
