//! Two groups of whole runs, several folders, and short names, as users meet them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::fmt::Write as _;
use std::path::Path;

/// Writes runs of three phases into a folder; `slow` runs pause longer in the second one.
fn runs(folder: &Path, count: usize, slow: bool) -> String {
    std::fs::create_dir_all(folder).unwrap();
    for run in 0..count {
        let mut text = "time,work,gc.pause_ms,gc.count,load\n".to_string();
        let lengths = [20 + run % 3, 25 + (run * 2) % 5, 20];
        let mut row = 0;
        for (phase, length) in lengths.into_iter().enumerate() {
            for _ in 0..length {
                let noise = |factor: usize| (row * factor + run * 3) % 5;
                let pause = 30 + noise(7) + if slow && phase == 1 { 20 } else { 0 };
                let _ = writeln!(
                    text,
                    "{row},{},{pause},{},{}",
                    [1, 9, 4][phase] * 10 + noise(3),
                    noise(2),
                    50 + noise(11)
                );
                row += 1;
            }
        }
        std::fs::write(folder.join(format!("job-{run}.csv")), text).unwrap();
    }
    folder.to_str().unwrap().to_string()
}

fn refused(words: &[&str]) -> String {
    let all: Vec<&str> = ["explain"].into_iter().chain(words.iter().copied()).collect();
    let (code, message) = errors(&all);
    assert_eq!(code, Some(2), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

#[test]
fn bad_runs_differ_from_good_ones() {
    let folder = scratch("contrast-two");
    let (good, bad) = (runs(&folder.join("good"), 5, false), runs(&folder.join("bad"), 5, true));
    let said = shown(&["explain", &good, "--against", &bad, "--common", "work"]);
    insta::assert_snapshot!(said.replace(folder.to_str().unwrap(), "DIR"));
    let full =
        shown(&["explain", &good, "--against", &bad, "--common", "work", "-v", "--phases", "off"]);
    assert!(full.contains("job-0 (good): good fit") || full.contains("the reference"), "{full}");
    assert!(!full.contains("phase 1"), "{full}");
    let found = json(&["explain", &good, "--against", &bad, "--common", "work"]);
    assert_eq!(found["metrics"][0]["metric"], "gc.pause_ms");
    assert_eq!(found["metrics"][0]["most_in_phase"], 2);
    assert_eq!(found["metrics"][0]["is_significant"], true);
    assert_eq!(found["groups"][1]["name"], "bad");
    assert_eq!(found["request"]["question"], "contrast");
    let table =
        shown(&["explain", &good, "--against", &bad, "--common", "work", "--format", "csv"]);
    assert!(table.starts_with("rank,metric,phase,first,second"), "{table}");
    assert!(table.contains("\n1,gc.pause_ms,2,"), "{table}");
}

#[test]
fn too_few_runs_say_how_many_are_needed() {
    let folder = scratch("contrast-few");
    let (good, bad) = (runs(&folder.join("good"), 2, false), runs(&folder.join("bad"), 2, true));
    let said = shown(&["explain", &good, "--against", &bad, "-q"]);
    assert!(said.contains("record at least 3 and 4"), "{said}");
    assert!(said.contains("Largest difference: gc.pause_ms"), "{said}");
}

#[test]
fn a_condition_divides_runs() {
    let folder = scratch("contrast-where");
    let (good, bad) = (runs(&folder.join("good"), 5, false), runs(&folder.join("bad"), 5, true));
    for condition in ["gc.pause_ms > 35ms", "p99(gc.pause_ms) > 45ms", "max(gc.pause_ms) > 45ms"] {
        let found = json(&["explain", &good, &bad, "--runs-where", condition]);
        assert_eq!(found["groups"][0]["runs"], 5, "{condition}");
        let by: Vec<&str> = found["metrics"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["origin"] == "selected_by")
            .map(|one| one["metric"].as_str().unwrap())
            .collect();
        assert_eq!(by, ["gc.pause_ms"], "{condition}");
    }
    let nobody = refused(&[&good, &bad, "--runs-where", "max(load) > 1000"]);
    assert!(nobody.contains("no run is in the group max(load) > 1000"), "{nobody}");
    let unknown = refused(&[&good, &bad, "--runs-where", "max(lod) > 1"]);
    assert!(unknown.contains("load"), "{unknown}");
    let broken = refused(&[&good, &bad, "--runs-where", "broken"]);
    assert!(broken.contains("only executions of a check do"), "{broken}");
}

#[test]
fn executions_that_broke_a_promise_are_contrasted() {
    let folder = scratch("contrast-broken");
    let script = folder.join("sim.sh");
    std::fs::write(
        &script,
        "i=0; echo time,temp,load\nwhile [ $i -lt 40 ]; do\n\
         echo $i,$((50 + ($1 % 2) * 40 * (i / 20) + i % 3)),$((20 + ($1 % 2) * 9 + (i + $1) % 3))\n\
         i=$((i + 1)); done\n",
    )
    .unwrap();
    let sessions = folder.join("sessions");
    let line = [
        "check",
        "max(temp) < 90",
        "--session-dir",
        sessions.to_str().unwrap(),
        "--seed",
        "1",
        "--runs",
        "10",
        "--read",
        "-",
        "-q",
        "--",
        "sh",
        script.to_str().unwrap(),
        "{seed}",
    ];
    let _ = run(&line);
    let journal = sessions.join("check-1/observations.jsonl");
    let found = json(&["explain", journal.to_str().unwrap(), "--runs-where", "broken"]);
    assert_eq!(found["groups"][1]["name"], "broken");
    let names: Vec<&str> = found["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["metric"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"load") && names.contains(&"temp"), "{names:?}");
}

#[test]
fn what_has_no_meaning_for_two_groups_is_refused() {
    let folder = scratch("contrast-refused");
    let good = runs(&folder.join("good"), 2, false);
    let refused_with = |more: &[&str]| {
        let words: Vec<&str> = [good.as_str(), "--against", good.as_str()]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        refused(&words)
    };
    for (more, option) in [
        (vec!["--target", "load"], "--target"),
        (vec!["--window", "1..2"], "--window"),
        (vec!["--correlator", "dtw"], "--correlator"),
    ] {
        let message = refused_with(&more);
        assert!(message.contains(&format!("{option} has no meaning")), "{message}");
    }
    assert!(refused_with(&["--runs-where", "load > 1"]).contains("leave out one of them"));
    assert!(refused(&[&good]).contains("name a metric with --target"));
    assert!(
        refused(&[&good, "--phases", "3", "-t", "load"]).contains("--phases divides two groups")
    );
    let missing = refused(&[&good, "--against", "nowhere"]);
    assert!(missing.contains("there is no such file or folder"), "{missing}");
}

#[test]
fn several_folders_are_one_question_and_names_are_short() {
    let folder = scratch("contrast-folders");
    let (one, two) = (runs(&folder.join("one"), 2, false), runs(&folder.join("two"), 2, true));
    for (name, source) in [("a", &one), ("b", &two)] {
        let into = folder.join(name);
        let (code, said) = errors(&["import", source, "-o", into.to_str().unwrap()]);
        assert_eq!(code, Some(0), "{said}");
    }
    let [a, b] = ["a", "b"].map(|name| folder.join(name).to_str().unwrap().to_string());
    let found = json(&["explain", &a, &b, "-t", "pause_ms", "-w", "30..40", "--common", "work"]);
    assert_eq!(found["target"], "gc.pause_ms");
    assert_eq!(found["runs"].as_array().unwrap().len(), 4);
    assert_eq!(found["runs"][0], "a/job-0");
    let of_run = json(&["explain", &a, &b, "-t", "pause_ms", "-w", "30..40", "-r", "b/job-1"]);
    assert_eq!(of_run["target_run"], "b/job-1");
    let ambiguous = refused(&[&a, &b, "-t", "gc", "-w", "30..40"]);
    assert!(ambiguous.contains("gc.count, gc.pause_ms"), "{ambiguous}");
    let ambiguous = refused(&[&a, &b, "-t", "load", "-w", "30..40", "-r", "job-1"]);
    assert!(ambiguous.contains("a/job-1, b/job-1"), "{ambiguous}");
}

#[test]
fn windows_may_name_their_run() {
    let folder = scratch("contrast-windows");
    let all = runs(&folder.join("all"), 3, true);
    let ask = |more: &[&str]| {
        let words: Vec<&str> = ["explain", all.as_str(), "-t", "pause_ms"]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        json(&words)
    };
    let found = ask(&["-w", "30..40", "-w", "2:5..12", "--against", "2:20..40"]);
    let entry = |run: usize| found["alignment"][run].clone();
    assert_eq!(found["target_run"], "job-0");
    assert_eq!(entry(2)["windows"][0]["end"], 12.0);
    assert!(entry(2)["quality"].is_null() && !entry(1)["quality"].is_null());
    // Without another, the run that has a window is asked about.
    assert_eq!(ask(&["-w", "job-1:5..12"])["target_run"], "job-1");
    let refused_window = refused(&[&all, "-t", "load", "-w", "job-9:1..2"]);
    assert!(refused_window.contains("no run is called \"job-9\""), "{refused_window}");
    let lone = refused(&[&all, "-t", "load", "-w", "1..9", "--against", "job-1:1..2"]);
    assert!(lone.contains("no --window does"), "{lone}");
}

#[test]
fn times_of_day_are_times_of_the_run() {
    let folder = scratch("contrast-clock");
    // 2026-11-19T23:59:00Z.
    let start = 1_795_132_740_u64;
    let mut text = "unix_timestamp,latency,load\n".to_string();
    for row in 0..120_u64 {
        let _ = writeln!(
            text,
            "{},{},{}",
            start + row,
            10 + (row * 7) % 5 + if (70..80).contains(&row) { 30 } else { 0 },
            (row * 3) % 7
        );
    }
    let file = folder.join("run.csv");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let window = |typed: &str| {
        let found = json(&["explain", file, "-t", "latency", "-w", typed]);
        [
            found["windows"][0]["start"].as_f64().unwrap(),
            found["windows"][0]["end"].as_f64().unwrap(),
        ]
    };
    let known = window("1795132810..1795132820");
    assert_eq!(window("2026-11-20T00:00:10Z..2026-11-20T00:00:20Z"), known);
    assert_eq!(window("00:00:10Z..00:00:20Z"), known);
    assert_eq!(window("01:00:10+01:00..01:00:20+01:00"), known);
    let over_midnight = window("23:59:50Z..00:00:20Z");
    assert_eq!(over_midnight[1], known[1]);
    let untimed = refused(&["testdata/traces/shop", "-t", "latency_ms", "-w", "14:02..14:05"]);
    assert!(untimed.contains("do not say when they were recorded"), "{untimed}");
}
