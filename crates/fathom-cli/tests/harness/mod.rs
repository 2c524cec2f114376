//! Runs the real binary in the top folder of the checkout and shows what it says.
#![allow(dead_code, reason = "each test file uses its part")]

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn top() -> PathBuf {
    fathom_testkit::repository::top()
}

/// The binary, run in the top folder. What the tests inherit does not reach it: neither colours and
/// columns from the environment, nor signals that a script's background job ignores.
pub(crate) fn fathom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(arguments).current_dir(top());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"] {
        command.env_remove(name);
    }
    fathom_sys::signals::at_default(&mut command);
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    fathom(arguments).output().unwrap()
}

pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = fathom(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Command, exit code and both outputs, as a transcript.
pub(crate) fn transcript(arguments: &[&str], output: &Output) -> String {
    format!(
        "$ fathom {}\n{}{}[exit {}]\n",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().unwrap()
    )
}

pub(crate) fn shown(arguments: &[&str]) -> String {
    transcript(arguments, &run(arguments))
}

pub(crate) fn shown_with_input(arguments: &[&str], input: &str) -> String {
    transcript(arguments, &run_with_input(arguments, input))
}

pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", transcript(arguments, &output));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&stdout(&arguments)).unwrap()
}

pub(crate) const RUNTIME: &str = "testdata/spa/ferret_3mb_runtime.csv";
pub(crate) const MAXLOAD: &str = "testdata/spa/ferret_3mb_maxload.csv";
pub(crate) const HYPERFINE: &str = "testdata/formats/hyperfine/v1-two-commands.json";
pub(crate) const WARMUP: &str = "testdata/series/warmup.csv";
pub(crate) const WORK: &str = "testdata/series/work.csv";
pub(crate) const PYPERF: &str = "testdata/formats/pyperf/sort.json";

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Words before the folder of sessions, and after.
pub(crate) fn in_folder<'a>(folder: &'a Path, words: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![words[0], "--session-dir", folder.to_str().unwrap()];
    all.extend(&words[1..]);
    all
}

pub(crate) fn document(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))
    })
}

pub(crate) fn errors(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
