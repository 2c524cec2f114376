//! `check --executor slurm` against a real Slurm, which `scripts/slurm-loopback` starts: the answer is
//! that of this machine, also if a node dies or Fathom itself.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test that does not run says so")]

mod harness;

use harness::*;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where the Slurm of `scripts/slurm-loopback` lives; `None`, loudly, if there is none.
fn cluster() -> Option<String> {
    let folder = std::env::var("FATHOM_SLURM").ok();
    if folder.is_none() {
        eprintln!("SKIPPED: there is no Slurm here; scripts/slurm-loopback run cargo test ...");
    }
    folder
}

const COMMAND: &str = "sleep 0.3; echo $(( {seed} % 100 ))";

fn words<'a>(place: &[&'a str], folder: &'a Path) -> Vec<&'a str> {
    let mut all = vec!["check", "x < 80", "--metric", "x=last-number", "--seed", "1"];
    all.extend(["--format", "json", "--include-values", "--session-dir"]);
    all.push(folder.to_str().unwrap());
    all.extend(place);
    all.extend(["-S", "sh", "--", COMMAND]);
    all
}

const ON_SLURM: [&str; 8] = [
    "--executor",
    "slurm",
    "--slurm-width",
    "6",
    "--slurm-time",
    "5",
    "--slurm-option=--comment=fathom-test",
    "--slurm-memory=50M",
];

fn answer(mut found: Value) -> Value {
    for name in ["command_line", "unused", "session", "warnings"] {
        found.as_object_mut().unwrap().remove(name);
    }
    // When it was measured.
    found["environment"]["measured"]["at"].take();
    found
}

fn jobs_left() -> String {
    let output = Command::new("squeue").args(["-h", "-o", "%k"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| line.contains("fathom-test")).collect()
}

/// One after the other: they share a small cluster.
#[test]
fn on_slurm() {
    let Some(cluster) = cluster() else { return };
    let local = scratch("slurm-local");
    let here = answer(document(&run(&words(&["-j", "8"], &local))));
    assert_eq!(here["verdict"], "false", "{here}");
    the_answer_is_that_of_this_machine(&here);
    a_lost_node_changes_nothing(&here, &cluster);
    a_killed_fathom_is_resumed(&here);
}

fn the_answer_is_that_of_this_machine(here: &Value) {
    let folder = scratch("slurm-plain");
    let output = run(&words(&ON_SLURM, &folder));
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(&answer(document(&output)), here);
    assert_eq!(jobs_left(), "", "what is no longer needed is cancelled");
}

fn a_lost_node_changes_nothing(here: &Value, cluster: &str) {
    let folder = scratch("slurm-lost-node");
    let script = top().join("scripts/slurm-loopback");
    let node = |verb: &str| {
        let done = Command::new(&script).args([verb, cluster, "node1"]).status().unwrap();
        assert!(done.success(), "{verb}");
    };
    let child = fathom(&words(&ON_SLURM, &folder)).stdout(Stdio::piped()).spawn().unwrap();
    wait_for_results(&folder, 2);
    node("kill-node");
    let output = child.wait_with_output().unwrap();
    node("start-node");
    assert_eq!(&answer(document(&output)), here, "nothing is lost and nothing counts twice");
}

fn a_killed_fathom_is_resumed(here: &Value) {
    let folder = scratch("slurm-resumed");
    let mut child = fathom(&words(&ON_SLURM, &folder)).stdout(Stdio::null()).spawn().unwrap();
    wait_for_results(&folder, 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let words = in_folder(&folder, &["resume", "1", "--format", "json", "--include-values"]);
    let output = run(&words);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(&answer(document(&output)), here);
    assert_eq!(jobs_left(), "");
}

fn wait_for_results(folder: &Path, wanted: usize) {
    let journal = folder.join("check-1/observations.jsonl");
    let is_execution = |line: &&str| line.contains("\"ticket\"");
    let read = || std::fs::read_to_string(&journal).unwrap_or_default();
    while read().lines().filter(is_execution).count() < wanted {
        std::thread::sleep(Duration::from_millis(20));
    }
}
