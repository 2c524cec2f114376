//! `check` for real: verdicts and exit codes, values, failures, order, files, several systems.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod answers;
mod files;
mod journals;
mod running;
mod timeouts;
mod usage;

/// A simulator: prints a number from 0 to 99 that follows from the seed.
const DIE: &str = "echo x: $(( {seed} % 100 ))";

/// `check` of that simulator, with a fixed seed.
fn check<'a>(words: &[&'a str], command: &'a str) -> Vec<&'a str> {
    let mut all = vec!["check"];
    all.extend(words);
    all.extend([
        "--metric",
        "x=last-number",
        "--seed",
        "1",
        "--no-save",
        "-S",
        "sh",
        "--",
        command,
    ]);
    all
}

fn stdout_of_output(output: &std::process::Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn stdout_of(words: &[&str]) -> String {
    let text = String::from_utf8(harness::run(words).stdout).unwrap();
    // Where lines break depends on the folder's name.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What an answer says of the executions alone.
fn without_circumstances(mut found: serde_json::Value) -> serde_json::Value {
    for name in ["command_line", "unused", "session", "environment"] {
        found.as_object_mut().unwrap().remove(name);
    }
    found
}
