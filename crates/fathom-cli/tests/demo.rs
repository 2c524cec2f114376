//! The tour for real: in a pipe, interrupted, where a step cannot be taken.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::fathom;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A home, a place for temporary files and a working folder, all empty. Short paths, as users have.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        for name in ["home", "tmp", "here"] {
            std::fs::create_dir(place.folder(name)).unwrap();
        }
        place
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `fathom demo` here. There is no other program: not even a shell.
    fn demo(&self, options: &[&str]) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_fathom"));
        let mut command = fathom(&[&["demo"], options].concat());
        command
            .current_dir(self.folder("here"))
            .env("HOME", self.folder("home"))
            .env_remove("XDG_DATA_HOME")
            .env("TMPDIR", self.folder("tmp"))
            .env("PATH", binary.parent().unwrap())
            .stdin(Stdio::null());
        command
    }

    /// What is in the folders now.
    fn left(&self) -> Vec<PathBuf> {
        let entries = |name| std::fs::read_dir(self.folder(name)).unwrap();
        let all = ["home", "tmp", "here"].into_iter().flat_map(entries);
        all.map(|entry| entry.unwrap().path()).collect()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Lines without the breaks that make commands fit.
fn unbroken(text: &str) -> String {
    text.replace(" \\\n    ", " ")
}

#[test]
fn the_tour_works_in_a_pipe_and_leaves_nothing_behind() {
    let place = Place::new();
    let output = place.demo(&[]).output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for heading in [
        "1 of 5  Measure: how fast is it?",
        "2 of 5  Clean: which runs count?",
        "3 of 5  Decide: did it change?",
        "4 of 5  Check: does it keep its promise?",
        "5 of 5  Record and explain: why was it slow?",
    ] {
        assert!(text.lines().any(|line| line == heading), "{heading}: {text}");
    }
    let unbroken = unbroken(&text);
    for command in [
        "$ fathom run --max-time 8s 'fathom demo-work --work 50'",
        "$ fathom run --runs 200 --on cpu-time 'fathom demo-work --work 50 --slow-start 15",
        "$ fathom compare --max-time 15s 'fathom demo-work --work 100' 'fathom demo-work --work 105'",
        "$ fathom compare --max-time 10s 'fathom demo-work --work 100' 'fathom demo-work --work 100'",
        "$ fathom check 'work < 65' --probability 80%",
        "$ fathom record -o ",
        "$ fathom explain ",
    ] {
        assert!(unbroken.contains(command), "{command}: {unbroken}");
    }
    assert_eq!(text.matches("\nNotice:\n").count(), 7, "{text}");
    assert!(!text.contains("Skipped"), "{text}");
    let (_, last) = text.split_once("Three things to try:\n").unwrap();
    for command in ["fathom compare ", "fathom doctor", "fathom record "] {
        assert!(last.contains(command), "{command}: {last}");
    }
    assert!(!text.contains('\x1b'), "{text}");
    let width = |line: &str| line.chars().count();
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    assert!(place.left().is_empty(), "{:?}", place.left());
}

#[test]
fn quiet_is_a_line_for_each_answer() {
    let place = Place::new();
    let options = ["-q", "--step", "check", "--step", "clean"];
    let output = place.demo(&options).output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let names: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
    // In the order of the tour, whatever was typed first.
    assert_eq!(names, ["clean", "check"], "{text}");
}

#[test]
fn an_interrupted_tour_removes_its_files() {
    let place = Place::new();
    let child = place
        .demo(&["--step", "explain"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until it records.
    while !place.left().iter().any(|folder| folder.join("traces/manifest.json").exists()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(said.contains("interrupted; nothing was saved"), "{said}");
    assert!(!text(&output).contains("Three things to try"), "{}", text(&output));
    assert!(place.left().is_empty(), "{:?}", place.left());
}

#[test]
fn a_step_that_cannot_be_taken_is_skipped() {
    let place = Place::new();
    let without_room = |options: &[&str]| {
        place.demo(options).env("TMPDIR", place.folder("missing")).output().unwrap()
    };
    let output = without_room(&["--step", "clean", "--step", "explain"]);
    let both = text(&output);
    assert_eq!(output.status.code(), Some(0), "{both}");
    assert!(both.contains("Skipped: ") && both.contains("Set TMPDIR"), "{both}");
    assert!(both.contains("with 1 step skipped"), "{both}");
    assert!(!both.contains("record -o traces"), "{both}");
    // If nothing is left of the tour, it failed.
    let output = without_room(&["--step", "explain"]);
    assert_ne!(output.status.code(), Some(0), "{}", text(&output));
    assert!(!text(&output).contains("Three things to try"), "{}", text(&output));
}

#[test]
fn a_program_that_is_not_on_the_path_is_called_as_it_was_typed() {
    let place = Place::new();
    let output = place.demo(&["--step", "check"]).env("PATH", "/nowhere").output().unwrap();
    let unbroken = unbroken(&text(&output));
    assert_eq!(output.status.code(), Some(0), "{unbroken}");
    let command = format!("$ {} check ", env!("CARGO_BIN_EXE_fathom"));
    assert!(unbroken.contains(&command), "{command}: {unbroken}");
}
