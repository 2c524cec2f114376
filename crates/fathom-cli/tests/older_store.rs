//! A store that Fathom wrote before it stored requests (version 1, `testdata/store/version-1`): every
//! session is shown with the numbers it had, and goes on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::{document, fathom, in_folder, run, scratch, top, transcript};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A copy of the store: opening it for writing brings it up to date.
fn store(name: &str) -> PathBuf {
    let folder = scratch(name);
    copy(&top().join("testdata/store/version-1"), &folder);
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// The numbers of an answer whose names are part of the contract.
fn numbers(document: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut take = |path: String, object: &Value, names: &[&str]| {
        for name in names {
            if let Some(value) = object.get(name) {
                found.push((format!("{path}{name}"), value.clone()));
            }
        }
    };
    take(String::new(), document, &["verdict", "samples", "satisfied", "lower", "upper", "value"]);
    for subject in document["subjects"].as_array().into_iter().flatten() {
        let name = subject["name"].as_str().unwrap_or_default();
        take(format!("{name}: "), subject, &["n"]);
        for estimate in subject["estimates"].as_array().into_iter().flatten() {
            take(
                format!("{name}: "),
                estimate,
                &["statistic", "value", "lower", "upper", "n_used"],
            );
        }
    }
    for comparison in document["comparisons"].as_array().into_iter().flatten() {
        let names = ["reference", "subject", "ratio", "lower", "upper", "verdict", "pairs"];
        take(String::new(), comparison, &names);
    }
    found
}

#[test]
fn every_session_is_shown_with_its_numbers() {
    let folder = store("older_store_shown");
    for id in 1..=10 {
        let number = id.to_string();
        let words = in_folder(&folder, &["show", &number, "--format", "json"]);
        let output = run(&words);
        assert!(output.status.success(), "{}", transcript(&words, &output));
        let before = std::fs::read_to_string(folder.join(format!("shown/{id}.json"))).unwrap();
        let before: Value = serde_json::from_str(&before).unwrap();
        let expected = numbers(&before);
        assert!(expected.len() > 2, "{before}");
        assert_eq!(numbers(&document(&output)), expected, "session {id}");
        // What was typed is told as it was typed.
        assert_eq!(document(&output)["command_line"], before["command_line"], "session {id}");
        // Older versions noted when, but not on which machine.
        let measured = &document(&output)["environment"]["measured"];
        assert!(measured["at"].as_str().is_some_and(|at| at.ends_with('Z')), "{measured}");
        assert_eq!((&measured["host"], &measured["kernel"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn a_baseline_and_the_page_read_it() {
    let folder = store("older_store_baseline");
    let words = in_folder(&folder, &["compare", "--baseline", "main", "-r", "12", "--no-save"]);
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    let page = folder.join("page.html");
    for session in ["2", "7"] {
        let words = in_folder(&folder, &["report", session, "-o", page.to_str().unwrap()]);
        let output = run(&words);
        assert!(output.status.success(), "{}", transcript(&words, &output));
    }
}

#[test]
fn an_interrupted_check_goes_on() {
    let folder = store("older_store_check");
    let words =
        in_folder(&folder, &["resume", "9", "--max-runs", "150", "--allow-changed-program"]);
    let output = run(&words);
    assert_eq!(output.status.code(), Some(3), "{}", transcript(&words, &output));
    let shown = run(&in_folder(&folder, &["show", "9", "--format", "json"]));
    assert_eq!(document(&shown)["samples"], 150);
}

/// Measuring goes on with more runs; that takes as long as the session allows, so it is interrupted.
#[test]
fn interrupted_measurements_go_on() {
    let folder = store("older_store_resumed");
    let runs = |id: u64| {
        let listed = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
        let sessions = listed["sessions"].as_array().unwrap().clone();
        let session = sessions.iter().find(|session| session["id"] == id).unwrap().clone();
        session["runs"].as_u64().unwrap()
    };
    for id in [8, 10] {
        let before = runs(id);
        let number = id.to_string();
        let words = in_folder(&folder, &["resume", &number, "--allow-changed-program"]);
        let child = fathom(&words)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id();
        while runs(id) < before + 4 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let status = std::process::Command::new("kill").args(["-INT", &pid.to_string()]).status();
        assert!(status.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", transcript(&words, &output));
        assert!(!output.stdout.is_empty(), "what was measured is shown");
        assert!(runs(id) >= before + 4);
    }
}
