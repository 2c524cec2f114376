//! From a broken promise to why: executions are recorded, traces are executions, executions are traces.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::path::Path;

/// A program that computes for a while, longer with some seeds, and prints how often it went round.
const WORK: &str = "n=40000; [ $(( {seed} % 3 )) = 0 ] && n=120000; \
                    i=0; while [ $i -lt $n ]; do i=$((i+1)); done; echo rounds: $i";

fn recorded(folder: &Path, more: &[&str]) -> std::process::Output {
    let sessions = folder.join("sessions");
    let words = [
        &["check", "--session-dir", sessions.to_str().unwrap(), "rounds < 100000", "--seed", "1"],
        &["-r", "6", "--record", "--every", "1ms", "--metric", "rounds=last-number"][..],
        more,
        &["-S", "sh", "--", WORK],
    ]
    .concat();
    run(&words)
}

#[test]
fn executions_are_recorded_and_told_apart_by_their_verdict() {
    let folder = scratch("check-recorded");
    let output = recorded(&folder, &["--format", "json", "-j", "2", "--include-values"]);
    let found = document(&output);
    let traces = folder.join("sessions/check-1/traces");
    assert_eq!(found["recorded"]["folder"], traces.to_str().unwrap());
    assert_eq!(found["recorded"]["count"], 6);
    assert!(found["recorded"]["cpu_share"].as_f64().unwrap() > 0.0, "{found}");
    // The same executions, recorded or not.
    let seeds: Vec<u64> = found["executions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["seeds"][0].as_u64().unwrap())
        .collect();
    let traces = traces.to_str().unwrap();
    let words = ["explain", traces, "--target", "process.stat.utime", "--format", "json"];
    let explained = run(&words);
    let explained = match explained.status.success() {
        true => document(&explained),
        // A machine without that metric has the time of the process.
        false => panic!("{}", transcript(&words, &explained)),
    };
    let runs: Vec<&str> =
        explained["runs"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let expected: Vec<String> = seeds
        .iter()
        .enumerate()
        .map(|(place, seed)| {
            let verdict = if seed % 3 == 0 { "broken" } else { "kept" };
            format!("run-{} ({verdict})", place + 1)
        })
        .collect();
    assert_eq!(runs, expected);
    // One by its name without the verdict.
    let words = [
        "explain",
        traces,
        "--target",
        "process.stat.utime",
        "--run",
        "run-2",
        "--window",
        "all",
        "--format",
        "json",
    ];
    let one = document(&run(&words));
    assert_eq!(one["target_run"], expected[1]);
    // Alone, it still knows.
    let alone = format!("{traces}/run-000002");
    let words = ["explain", &alone, "--target", "process.stat.utime", "--format", "json"];
    assert_eq!(document(&run(&words))["runs"][0], expected[1]);
    // Traces are executions: each run of a folder is one, in their order.
    let words =
        ["check", "runtime > 0 s", "--data", traces, "--format", "json", "--include-values"];
    let again = document(&run(&words));
    assert_eq!(again["samples"], 6, "{again}");
    let words =
        ["check", "max(process.statm.resident) > 0 B", "--data", traces, "--format", "json"];
    let output = run(&words);
    let signals = document(&output);
    assert_eq!(signals["satisfied"], 6, "{signals}");
}

#[test]
fn recordings_are_kept_with_the_files_and_refused_without_a_place() {
    let folder = scratch("check-recorded-kept");
    let kept = folder.join("kept");
    let kept = kept.to_str().unwrap();
    let output = recorded(&folder, &["--no-save", "--keep-files", kept]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("6 executions were recorded; sampling took"), "{page}");
    assert!(folder.join("kept/traces/run-000006/manifest.json").is_file());
    assert!(folder.join("kept/verdicts.json").is_file());
    let output = recorded(&folder, &["--no-save"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("--record keeps traces in the session's folder. Leave out --no-save"),
        "{text}"
    );
}

/// Executions that were not recorded but wrote signals: the journal of the check holds them.
#[test]
fn executions_with_signals_are_traces() {
    let folder = scratch("check-signals");
    let sessions = folder.join("sessions");
    let sessions = sessions.to_str().unwrap();
    let simulator = "i=0; echo time,temp,load; while [ $i -lt 40 ]; do \
                     t=$(( 50 + ({seed} % 3 == 0) * (i / 20) * 40 )); echo $i,$t,$(( t / 2 + i % 3 )); i=$((i+1)); done";
    let words = [
        "check",
        "--session-dir",
        sessions,
        "max(temp) < 80",
        "--seed",
        "1",
        "-r",
        "4",
        "--read",
        "-",
        "-q",
        "-S",
        "sh",
        "--",
        simulator,
    ];
    run(&words);
    let journal = format!("{sessions}/check-1/observations.jsonl");
    let words = ["explain", &journal, "--target", "temp", "--format", "json"];
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    let found = document(&output);
    let runs = found["runs"].as_array().unwrap();
    let labels: Vec<&str> = runs.iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(labels.len(), 4);
    assert!(labels.iter().any(|label| label.ends_with(" (broken)")), "{labels:?}");
    assert!(labels.iter().any(|label| label.ends_with(" (kept)")), "{labels:?}");
    let broken = labels.iter().find(|label| label.ends_with(" (broken)")).unwrap();
    let words = [
        "explain",
        &journal,
        "--target",
        "temp",
        "--run",
        broken,
        "--window",
        "20ns..39ns",
        "--format",
        "json",
    ];
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    assert_eq!(document(&output)["ranking"][0]["metric"], "load");
    let report = folder.join("report.html");
    let report = report.to_str().unwrap();
    let words = ["report", &journal, "--target", "temp", "-o", report];
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    assert!(std::fs::read_to_string(report).unwrap().contains(broken));
}

/// gem5's dumps are signals, so its statistics are traces as well as executions.
#[test]
fn dumps_of_gem5_are_executions_and_traces() {
    let folder = scratch("check-gem5");
    for (run, base) in [("run-1", 1.0), ("run-10", 1.5), ("run-2", 2.0)] {
        let dump = |n: u64| {
            format!(
                "\n---------- Begin Simulation Statistics ----------\n\
                 simTicks 1000000000 # (Tick)\nfinalTick {}000000000 # (Tick)\n\
                 simFreq 1000000000000 # ((Tick/Second))\n\
                 system.cpu.ipc {} # ((Count/Cycle))\nsystem.cpu.misses {} # (Count)\n\
                 ---------- End Simulation Statistics   ----------\n",
                n + 1,
                base + 0.1 * (n % 3) as f64,
                10 * (n % 3)
            )
        };
        std::fs::create_dir(folder.join(run)).unwrap();
        let text: String = (0..6).map(dump).collect();
        std::fs::write(folder.join(run).join("stats.txt"), text).unwrap();
    }
    let data = folder.to_str().unwrap();
    let checked = ["check", "max(system.cpu.ipc) > 0", "--data", data, "--format", "json"];
    assert_eq!(document(&run(&checked))["satisfied"], 3);
    let explained = json(&["explain", data, "--target", "system.cpu.ipc"]);
    let runs = explained["runs"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
    assert_eq!(runs.collect::<Vec<_>>(), ["run-1", "run-2", "run-10"]);
}

/// What has nothing over time is no trace, and the error says what is.
#[test]
fn executions_without_times_are_no_traces() {
    let folder = scratch("check-no-signals");
    let file = folder.join("runs.json");
    std::fs::write(&file, "{\"schema\":\"fathom-execution/1\",\"scalars\":{\"ipc\":1.5}}\n")
        .unwrap();
    let (code, text) = errors(&["explain", file.to_str().unwrap(), "--target", "ipc"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("hold nothing over time"), "{text}");
    assert!(text.contains("fathom check --record"), "{text}");
}
