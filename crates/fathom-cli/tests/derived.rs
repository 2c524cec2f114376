//! Derived metrics and rows that count, from the command line to the folder and the answer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::path::Path;

const SHOP: &str = "testdata/traces/shop";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn manifest(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// An exported table: its columns by name, missing values as `None`.
fn column(table: &str, name: &str) -> Vec<Option<f64>> {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|one| *one == name).unwrap();
    lines.map(|line| line[place].parse().ok()).collect()
}

#[test]
fn a_recording_keeps_the_ratio_and_its_definition() {
    let folder = scratch("derived-recorded").join("traces");
    let work = "for i in 1 2 3 4 5 6; do sleep 0.03; done";
    let words = [
        "record",
        "-o",
        text(&folder),
        "--every",
        "10ms",
        "--runs",
        "1",
        "--probe",
        "process.stat",
        "--derive",
        "cpu=(utime+stime)/delta(wall)",
        "--derive",
        "wall=process.stat.minflt",
        "--",
        "sh",
        "-c",
        work,
    ];
    // A metric may use those before it, not those after it; nothing is recorded.
    let (code, why) = errors(&words);
    assert_eq!(code, Some(2));
    assert!(why.contains("cpu: there is no metric `wall`"), "{why}");
    assert!(!folder.exists());
    let words = [
        "record",
        "-o",
        text(&folder),
        "--every",
        "10ms",
        "--runs",
        "1",
        "--probe",
        "process.stat",
        "--derive",
        "per_fault=(utime+stime)/minflt",
        "--derive",
        "twice=2*per_fault",
        "--derive",
        "late=nothing_yet*2",
        "--app-json",
        "--",
        "sh",
        "-c",
        work,
    ];
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    let warning = "late was not computed: no run has all of nothing_yet";
    assert!(String::from_utf8_lossy(&output.stderr).contains(warning), "{output:?}");
    let manifest = manifest(&folder);
    let definition = &manifest["derived"][0];
    assert_eq!(definition["name"], "per_fault");
    assert_eq!(definition["expression"], "(utime+stime)/minflt");
    let metrics = manifest["metrics"].as_array().unwrap();
    let metric = metrics.iter().find(|one| one["name"] == "per_fault").unwrap();
    assert_eq!((&metric["kind"], &metric["probe"]), (&"gauge".into(), &"derived".into()));
    assert_eq!(metric["about"], "per_fault = (utime+stime)/minflt");
    let raw = stdout(&["export", text(&folder), "--sampler", "fast"]);
    let derived = stdout(&["export", text(&folder), "--sampler", "derived"]);
    let growth = |name: &str| {
        let totals = column(&raw, name);
        let before = std::iter::once(None).chain(totals.clone());
        totals.iter().zip(before).map(|(now, before)| Some((*now)? - before?)).collect::<Vec<_>>()
    };
    let (user, system) = (growth("process.stat.utime"), growth("process.stat.stime"));
    let faults = growth("process.stat.minflt");
    let found = column(&derived, "per_fault");
    assert_eq!(found.len(), faults.len());
    for (row, found) in found.iter().enumerate() {
        let expected = || Some((user[row]? + system[row]?) / faults[row]?);
        assert_eq!(*found, expected().filter(|ratio: &f64| ratio.is_finite()), "row {row}");
    }
    let twice: Vec<Option<f64>> = found.iter().map(|one| one.map(|one| 2.0 * one)).collect();
    assert_eq!(column(&derived, "twice"), twice);
    let shown = stdout(&["show", text(&folder), "-v"]);
    assert!(shown.contains("derived (os)"), "{shown}");
}

/// The definition in the manifest is enough: what a kill kept from being computed is computed when the
/// folder is opened.
#[test]
fn what_a_kill_left_out_is_computed_when_it_is_opened() {
    let folder = scratch("derived-killed").join("traces");
    let table = scratch("derived-killed-table").join("run.csv");
    let rows = (0..60).map(|n| format!("{n},{},{}\n", 10 + n % 7, 5 + n % 3));
    std::fs::write(&table, format!("time,a,b\n{}", rows.collect::<String>())).unwrap();
    let words = ["import", text(&table), "-o", text(&folder), "--derive", "x=a/b", "-q"];
    assert!(run(&words).status.success());
    let question = ["explain", text(&folder), "--target", "x", "--window", "40..50"];
    let before = json(&question);
    let mut manifest = manifest(&folder);
    let samplers = manifest["runs"][0]["samplers"].as_array_mut().unwrap();
    samplers.retain(|one| one["name"] != "derived");
    std::fs::remove_file(folder.join("run.derived.parquet")).unwrap();
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let after = json(&question);
    assert_eq!(before["ranking"], after["ranking"]);
    // A promise can be made of it, as of every signal.
    assert!(run(&words[..5]).status.code() == Some(2), "the folder is not empty");
    let again = ["import", text(&table), "-o", text(&folder), "--derive", "x=a/b", "-q", "--force"];
    assert!(run(&again).status.success());
    let checked = ["check", "max(x) < 4", "--data", text(&folder), "--format", "json"];
    assert_eq!(document(&run(&checked))["satisfied"], 1);
}

#[test]
fn a_question_carries_its_definitions() {
    let asked = [
        "explain",
        SHOP,
        "--derive",
        "load=queue/cpu.user",
        "--target",
        "load",
        "--window",
        "260..276",
        "--common",
        "requests",
    ];
    let answer = json(&asked);
    assert_eq!(answer["request"]["traces"]["derived"][0], "load=queue/cpu.user");
    let notes = answer["notes"].to_string();
    assert!(notes.contains("load is computed in 1 of 3 runs"), "{notes}");
    let suggested =
        stdout(&["explain", SHOP, "--derive", "load=queue*2", "--target", "load", "--suggest"]);
    assert!(
        suggested.contains("--derive load=queue*2") || suggested.contains("'load=queue*2'"),
        "{suggested}"
    );
    for (definition, part) in [
        ("latency_ms=queue", "run run-1 has a metric latency_ms already"),
        ("x=queue/disk.reads", "no run has all the metrics that it needs: queue is in run-1"),
        ("x=queue/", "the expression ends too early"),
    ] {
        let (code, why) = errors(&["explain", SHOP, "--derive", definition, "--target", "x"]);
        assert_eq!(code, Some(2));
        assert!(why.contains(part), "{definition}: {why}");
    }
}

#[test]
fn rows_that_do_not_count_are_said() {
    let asked = |more: &[&str]| {
        let base = [
            "explain",
            SHOP,
            "--target",
            "latency_ms",
            "--window",
            "260..276",
            "--common",
            "requests",
        ];
        json(&[&base[..], more].concat())
    };
    let all = asked(&[]);
    assert!(all.get("mask").is_none());
    let except = asked(&["--except", "262..265", "--except", "10..29"]);
    assert_eq!(except["mask"]["rows"], 400);
    assert_eq!(except["mask"]["rows_kept"], 376);
    assert_eq!(except["mask"]["window_rows_kept"], 13);
    assert_eq!(except["request"]["traces"]["except"][1], "10..29");
    assert!(except["notes"].to_string().contains("376 of 400 rows"), "{}", except["notes"]);
    // A condition that always holds changes nothing but the statement.
    let held = asked(&["--while", "queue >= 0"]);
    assert_eq!(held["ranking"], all["ranking"]);
    assert_eq!(held["mask"]["rows_kept"], 400);
    // Only another run has the metric.
    let carried = asked(&["--while", "gc.pause_ms < 50"]);
    let notes = carried["notes"].to_string();
    assert!(notes.contains("which of its rows count is carried over from"), "{notes}");
    assert!(carried["mask"]["rows_kept"].as_u64().unwrap() < 400);
    for (more, part) in [
        (&["--while", "queue < 0"][..], "leave 0 of 400 rows"),
        (&["--while", "nothing == 0"], "there is no metric `nothing`"),
        (&["--except", "1000..2000"], "the exception from 1000 s to 2000 s"),
        (&["--layer", "queue=kernel"], "write NAME=LAYER"),
        (&["--counter", "nothing"], "no metric has this name"),
    ] {
        let base = ["explain", SHOP, "--target", "latency_ms", "--window", "260..276"];
        let (code, why) = errors(&[&base[..], more].concat());
        assert_eq!(code, Some(2), "{more:?}");
        assert!(why.contains(part), "{more:?}: {why}");
    }
    let layered = asked(&["--layer", "gc.*=hardware"]);
    let ranking = layered["ranking"].as_array().unwrap();
    let pause = ranking.iter().find(|one| one["metric"] == "gc.pause_ms").unwrap();
    assert_eq!(pause["layer"], "hardware");
}
