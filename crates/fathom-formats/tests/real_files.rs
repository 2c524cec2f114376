//! Every file under testdata/formats, read as a user would.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fathom_formats::{Format, ReadOptions, read_path};
use fathom_record::Series;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/formats")
}

/// Files below a folder, sorted, as paths relative to the test data.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn options(columns: &[&str]) -> ReadOptions {
    let columns = columns.iter().map(ToString::to_string).collect();
    ReadOptions { columns, ..ReadOptions::default() }
}

fn describe(series: &Series) -> String {
    let first: Vec<String> =
        series.values().iter().take(3).map(|value| format!("{value:?}")).collect();
    let mut text = format!("  {:?}", series.name());
    if let Some(metric) = series.metric() {
        write!(text, " metric {metric}").unwrap();
    }
    write!(text, " unit {:?} n {} [{}", series.unit().symbol(), series.len(), first.join(", "))
        .unwrap();
    text.push_str(if series.len() > 3 { ", ...]" } else { "]" });
    if let Some(sizes) = series.execution_sizes() {
        write!(text, " executions {sizes:?}").unwrap();
    }
    text
}

/// What a path gives: its series or its error, without the place where the repository is.
fn outcome(path: &Path, options: &ReadOptions) -> String {
    let root = testdata().display().to_string();
    match read_path(path, options) {
        Ok(contents) => {
            let series = contents.series.iter().map(|series| describe(series) + "\n");
            let notes = contents.notes.iter().map(|note| format!("  note: {note}\n"));
            series.chain(notes).collect()
        }
        Err(error) => format!("  error: {error}\n").replace(&format!("{root}/"), ""),
    }
}

#[test]
fn every_file() {
    let root = testdata();
    let mut found = Vec::new();
    for folder in std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            files(&folder, &mut found);
        }
    }
    found.sort();
    assert!(found.len() > 30, "only {} files", found.len());
    let mut report = String::new();
    for path in &found {
        let shown = path.strip_prefix(&root).unwrap().display().to_string();
        write!(report, "{shown}\n{}", outcome(path, &options(&[]))).unwrap();
    }
    insta::assert_snapshot!("every_file", report);
}

#[test]
fn picked_columns_and_metrics() {
    let table: &[(&str, &[&str])] = &[
        ("hyperfine/v1-two-commands.json", &["memory_usage_byte"]),
        ("hyperfine/v2-two-commands.json", &["time_user", "memory_peak_resident"]),
        ("google-benchmark/repetitions.json", &["cpu_time"]),
        ("google-benchmark/counter.json", &["rounds", "bytes_per_second"]),
        ("csv/text-column.csv", &["time, wall_s", "3"]),
        ("csv/semicolon-bom-crlf.csv", &["after [ms]"]),
        ("fathom/analyze.json", &["time"]),
        ("gem5/stats.txt", &["simSeconds", "system.cpu.ipc", "hostMemory"]),
        (
            "gem5/stats.txt",
            &["system.cpu.dcache.overallMisses::total", "system.ruby.outstandingReqs::1"],
        ),
        ("gem5/stats.txt", &["system.cpu.dcache.overallAvgMissLatency::total"]),
        ("gem5/stats.txt", &["system.mem_ctrls.dram.bwTotal"]),
    ];
    let mut report = String::new();
    for (file, columns) in table {
        let text = outcome(&testdata().join(file), &options(columns));
        write!(report, "{file} --column {}\n{text}", columns.join(" --column ")).unwrap();
    }
    insta::assert_snapshot!("picked", report);
}

#[test]
fn criterions_folders() {
    let mut report = String::new();
    for folder in
        ["0.8", "0.8/sum", "0.8/sum/loop/100", "0.8/sum/flat/new", "0.8/alone/base", "0.2", ""]
    {
        let path = testdata().join("criterion").join(folder);
        write!(report, "criterion/{folder}\n{}", outcome(&path, &options(&[]))).unwrap();
    }
    let csv = testdata().join("csv");
    write!(report, "csv\n{}", outcome(&csv, &options(&[]))).unwrap();
    let forced = ReadOptions { format: Some(Format::Pyperf), ..ReadOptions::default() };
    write!(report, "csv, forced\n{}", outcome(&csv, &forced)).unwrap();
    let missing = testdata().join("no-such-file.csv");
    write!(report, "no-such-file\n{}", outcome(&missing, &options(&[]))).unwrap();
    insta::assert_snapshot!("folders", report);
}

/// Folders with names that mislead: a benchmark called "new", one called "base", a report.
#[test]
fn criterions_folders_are_told_by_their_samples() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("misleading");
    drop(std::fs::remove_dir_all(&root));
    for folder in ["new/new", "new/base", "base/new", "base/report", "report", "saved/mine"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    for folder in ["new/new", "new/base", "base/new", "saved/mine"] {
        std::fs::write(root.join(folder).join("sample.json"), "[[1.0],[2.0]]").unwrap();
    }
    let names = |folder: &Path| -> Vec<String> {
        let series = read_path(folder, &options(&[])).unwrap().series;
        series.iter().map(|series| series.name().to_string()).collect()
    };
    assert_eq!(names(&root), ["base", "new"]);
    assert_eq!(names(&root.join("saved/mine")), ["saved"]);
    assert_eq!(names(&root.join("base/new")), ["base"]);
    let error = read_path(&root.join("saved"), &options(&[])).unwrap_err().to_string();
    assert!(error.contains("saved criterion baselines"), "{error}");

    std::fs::write(root.join("base/new/sample.json"), "[[1.0],[2.0,3.0]]").unwrap();
    let error = read_path(&root, &options(&[])).unwrap_err().to_string();
    assert!(error.contains("base/new/sample.json: the file has 1 iters but 2 times"), "{error}");
    assert!(!error.contains("forced"), "{error}");
}
