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
    // When it was measured, and on which node.
    found["environment"]["measured"]["at"].take();
    for one in found["abnormal"].as_array_mut().into_iter().flatten() {
        one["host"].take();
    }
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
    a_study_is_that_of_this_machine();
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

/// A simulator with two benchmarks, of which one crashes now and then.
const SIMULATOR: &str = "\
sleep 0.1
[ \"$1\" = crashing ] && [ $(( $3 % 5 )) = 0 ] && exit 3
echo $(( $3 % 100 / $2 ))
";

fn a_study_is_that_of_this_machine() {
    let folder = scratch("slurm-study");
    let simulator = folder.join("sim.sh");
    std::fs::write(&simulator, SIMULATOR).unwrap();
    let file = folder.join("study.toml");
    let study = |widths: &str| {
        let text = format!(
            "command = \"sh {} {{benchmark}} {{width}} {{seed}}\"\n\n[parameters]\n\
             benchmark = [\"ferret\", \"crashing\"]\nwidth = {widths}\n\n[metrics]\n\
             x = \"last-number\"\n\n[properties]\nfast = \"x < 80\"\n",
            simulator.display()
        );
        std::fs::write(&file, text).unwrap();
    };
    let told = |place: &[&str], sessions: &str| {
        let sessions = folder.join(sessions);
        let mut words = vec!["check", "--study", file.to_str().unwrap(), "--seed", "1"];
        words.extend(["--runs", "12", "--format", "json", "--include-values", "--session-dir"]);
        words.push(sessions.to_str().unwrap());
        words.extend(place);
        let output = run(&words);
        assert!(
            matches!(output.status.code(), Some(1 | 3)),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        document(&output)
    };
    let of_cells = |found: &Value, what: &str| -> Vec<u64> {
        let cells = found["study"]["cells"].as_array().unwrap().iter();
        cells.map(|cell| cell["systems"][0][what].as_u64().unwrap()).collect()
    };
    study("[1, 2]");
    let here = told(&["-j", "8"], "here");
    let there = told(&ON_SLURM, "there");
    let failed = of_cells(&there, "failed");
    assert!(failed[..2] == [0, 0] && failed[2] > 0 && failed[3] > 0, "{failed:?}");
    assert_eq!(there["abnormal"].as_array().unwrap().len() as u64, failed.iter().sum::<u64>());
    assert_eq!(answer(there), answer(here));
    assert_eq!(jobs_left(), "");
    // One more configuration: only that runs.
    study("[1, 2, 4]");
    let more = told(&ON_SLURM, "there");
    assert_eq!(of_cells(&more, "executions"), [12; 6]);
    assert_eq!(of_cells(&more, "kept"), [12, 12, 0, 12, 12, 0]);
    assert_eq!(answer(more), answer(told(&["-j", "8"], "here")));
}

fn wait_for_results(folder: &Path, wanted: usize) {
    let journal = folder.join("check-1/observations.jsonl");
    let is_execution = |line: &&str| line.contains("\"ticket\"");
    let read = || std::fs::read_to_string(&journal).unwrap_or_default();
    while read().lines().filter(is_execution).count() < wanted {
        std::thread::sleep(Duration::from_millis(20));
    }
}
