//! Every JSON says where its numbers come from, and what failed is listed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn told_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_string()
}

fn sha256(file: &Path) -> String {
    let line = told_by("sha256sum", &[file.to_str().unwrap()]);
    format!("sha256:{}", line.split_whitespace().next().unwrap())
}

/// A script that counts as a program, and where sessions are.
fn script(name: &str, text: &str) -> (std::path::PathBuf, String) {
    let folder = scratch(name);
    let script = folder.join("sim.sh");
    std::fs::write(&script, text).unwrap();
    let shown = script.to_str().unwrap().to_string();
    (folder, shown)
}

/// Checks what is said of a measurement on this machine that executes a script.
fn is_of_here(measured: &Value, script: &str) {
    assert_eq!(measured["host"], told_by("uname", &["-n"]), "{measured}");
    assert_eq!(measured["kernel"], told_by("uname", &["-r"]));
    assert_eq!(measured["folder"], top().canonicalize().unwrap().to_str().unwrap());
    assert_eq!(measured["fathom"], env!("CARGO_PKG_VERSION"));
    let at = measured["at"].as_str().unwrap();
    assert_eq!((at.len(), &at[..2], &at[19..]), (20, "20", "Z"), "{at}");
    let programs = measured["programs"].as_array().unwrap();
    let of_script = programs.iter().find(|one| one["name"] == script).unwrap();
    assert_eq!(of_script["hash"], sha256(Path::new(script)));
    assert_eq!(of_script["path"], script);
}

#[test]
fn what_was_measured_says_when_where_and_with_what() {
    let (folder, script) = script("provenance-measured", "echo 1\n");
    let sessions = folder.join("sessions");
    let command = format!("sh {script}");
    for words in [
        vec!["run", "-r", "2", &command],
        vec!["compare", "-r", "2", &command, "true"],
        vec!["check", "runtime < 100 s", "-r", "2", "--", "sh", &script],
    ] {
        let words =
            in_folder(&sessions, &[&words[..1], &["--format", "json"], &words[1..]].concat());
        let found = document(&run(&words));
        is_of_here(&found["environment"]["measured"], &script);
        // Shown later, and twice: when it was measured, not when it is shown.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let show = in_folder(&sessions, &["show", "last", "--format", "json"]);
        let shown = run(&show);
        assert_eq!(document(&shown)["environment"], found["environment"]);
        assert_eq!(shown.stdout, run(&show).stdout);
        // Saved or not, it is the same.
        let unsaved = [&words[..1], &["--no-save"], &words[3..]].concat();
        is_of_here(&document(&run(&unsaved))["environment"]["measured"], &script);
    }
}

#[test]
fn doctor_is_about_this_machine() {
    let found = document(&run(&["doctor", "--max-time", "0s", "--format", "json"]));
    assert_eq!(found["environment"]["measured"]["host"], told_by("uname", &["-n"]));
}

#[test]
fn data_from_files_say_which_and_nothing_of_this_machine() {
    let environment = |words: &[&str]| document(&run(words))["environment"].clone();
    let of_file =
        |file: &str| serde_json::json!([{ "file": file, "hash": sha256(&top().join(file)) }]);
    let analyzed = ["analyze", RUNTIME, "--format", "json"];
    let found = environment(&analyzed);
    assert_eq!(found["inputs"], of_file(RUNTIME));
    assert!(found.get("measured").is_none(), "{found}");
    assert_eq!(run(&analyzed).stdout, run(&analyzed).stdout);
    let checked = environment(&["check", "value < 1", "--data", RUNTIME, "--format", "json"]);
    assert_eq!(checked["inputs"], of_file(RUNTIME));
    assert!(checked.get("measured").is_none(), "{checked}");
    let input = run_with_input(&["analyze", "-", "--format", "json"], "abc,\n");
    assert!(!input.status.success());
    let input = run_with_input(&["analyze", "-", "--format", "json"], "1\n2\n3\n");
    let input = &document(&input)["environment"]["inputs"][0];
    assert_eq!(input["file"], "-");
    let (folder, _) = script("provenance-input", "");
    std::fs::write(folder.join("numbers"), "1\n2\n3\n").unwrap();
    assert_eq!(input["hash"], sha256(&folder.join("numbers")));
}

#[test]
fn recordings_and_what_explains_them_agree() {
    let (folder, script) =
        script("provenance-recorded", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\n");
    let traces = folder.join("traces");
    let traces = traces.to_str().unwrap();
    let words =
        ["record", "-o", traces, "--runs", "1", "--every", "2ms", "-q", "--", "sh", &script];
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    let manifest = std::fs::read_to_string(folder.join("traces/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    is_of_here(&manifest["environment"]["measured"], &script);
    let target = "perf.software.task_clock";
    let has_it = manifest["metrics"].as_array().unwrap().iter().any(|one| one["name"] == target);
    let target = if has_it { target } else { manifest["metrics"][0]["name"].as_str().unwrap() };
    for more in [&["--window", "all"][..], &["--suggest"]] {
        let words = [&["explain", traces, "--target", target, "--format", "json"], more].concat();
        let found = document(&run(&words));
        assert_eq!(found["environment"]["measured"], manifest["environment"]["measured"]);
        let inputs = found["environment"]["inputs"].as_array().unwrap();
        let first = inputs.first().unwrap();
        assert_eq!(first["file"], format!("{traces}/manifest.json"));
        assert_eq!(first["hash"], sha256(&folder.join("traces/manifest.json")));
        assert!(inputs.len() >= 2, "{inputs:?}");
    }
}

/// Executions that fail or are cut short are counted and listed, with what repeats each.
#[test]
fn what_failed_or_was_cut_is_listed() {
    let (_, script) = script(
        "provenance-abnormal",
        "case $(( $1 % 5 )) in 0) exit 3;; 1) kill -9 $$;; 2) sleep 60;; esac; echo x: 1\n",
    );
    let words = [
        "check",
        "x > 0",
        "--metric",
        "x=last-number",
        "--seed",
        "1",
        "-r",
        "12",
        "--no-save",
        "--on-failure",
        "count-as-false",
        "--timeout",
        "300ms",
    ];
    let with = |more: &[&'static str]| {
        let command = ["--", "sh", script.as_str(), "{seed}"];
        run(&[&words[..], more, &command[..]].concat())
    };
    let found = document(&with(&["--format", "json"]));
    let abnormal = found["abnormal"].as_array().unwrap();
    let counts = &found["counts"];
    let of = |kind: &str| abnormal.iter().filter(|one| one["kind"] == kind).count() as u64;
    assert_eq!(of("failed"), counts["failed"].as_u64().unwrap());
    assert_eq!(of("cut"), counts["cut"].as_u64().unwrap());
    assert!(of("failed") > 0 && of("cut") > 0, "{found}");
    assert_eq!(found["abnormal_count"], abnormal.len());
    for one in abnormal {
        let seed = one["seed"].as_u64().unwrap();
        let how = match seed % 5 {
            0 => "exited with status 3",
            1 => "was killed by signal 9",
            _ => "exceeded its time limit of 300ms",
        };
        assert!(one["how"].as_str().unwrap().starts_with(how), "{one}");
        assert_eq!(one["command"], format!("sh {script} {seed}"));
        assert_eq!(one["host"], told_by("uname", &["-n"]));
    }
    let page = String::from_utf8(with(&[]).stdout).unwrap();
    assert!(page.contains("failed or cut short:"), "{page}");
    assert!(page.contains(&format!("and {} more (-v lists them)", abnormal.len() - 3)), "{page}");
    let page = String::from_utf8(with(&["-v"]).stdout).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for one in abnormal {
        let line =
            format!("run {} (seed {}) {}", one["run"], one["seed"], one["how"].as_str().unwrap());
        assert!(page.contains(&line), "no {line} in {page}");
    }
    assert!(!String::from_utf8(with(&["-q"]).stdout).unwrap().contains("cut short:"));
}
