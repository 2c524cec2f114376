//! A worker that speaks over its standard streams while other code in it prints and reads.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]
#![allow(unsafe_code, reason = "std cannot close a standard stream")]

mod harness;

use fathom_sys::standard_streams::claim;
use harness::{Case, this_program};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};

fn main() {
    let cases: &[Case] = &[
        ("what_code_prints_goes_to_standard_error", prints),
        ("what_code_reads_is_empty", reads),
        ("the_protocol_ends_with_its_files", ends),
        ("programs_started_get_the_substitutes_alone", started),
        ("a_second_claim_is_refused", second_claim),
        ("streams_that_are_closed_are_named", closed),
    ];
    harness::main(cases, play);
}

/// The worker: answers every line, with something disorderly in between.
fn play(name: &str, _: &[String]) {
    if name == "closed" {
        // SAFETY: nobody else uses it meanwhile. Std opens it if it is closed at the start.
        drop(unsafe { OwnedFd::from_raw_fd(2) });
        let error = claim().unwrap_err();
        let line = std::io::stdin().lines().next().unwrap().unwrap();
        println!("{line}: {error}");
        return;
    }
    // Without the end of a line it waits in std's buffer.
    print!("before, ");
    let (input, mut output) = claim().unwrap();
    for line in BufReader::new(input).lines() {
        let line = line.unwrap();
        let answer = match name {
            "prints" => {
                println!("printed {line}");
                run("echo from a shell; echo and its errors >&2");
                String::new()
            }
            "reads" => {
                let mut text = String::new();
                let read = std::io::stdin().read_line(&mut text).unwrap();
                run("cat >&2");
                format!(" {read} {text:?}")
            }
            "started" => {
                run("ls /proc/self/fd");
                String::new()
            }
            "twice" => format!(" {}", claim().unwrap_err()),
            _ => String::new(),
        };
        output.write_all(format!("answer to {line}:{answer}\n").as_bytes()).unwrap();
        if name == "ends" && line == "last" {
            break;
        }
    }
    if name == "ends" {
        drop(output);
        println!("on its own");
        // Until the test ends it; the end of the protocol is seen before.
        loop {
            std::thread::park();
        }
    }
}

/// Runs a script with the worker's streams.
fn run(script: &str) {
    assert!(Command::new("/bin/sh").args(["-c", script]).status().unwrap().success());
}

fn worker(name: &str) -> Child {
    Command::new(this_program())
        .args(["__play", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a worker answers, and what it says on standard error.
fn told(name: &str, lines: &str) -> (String, String) {
    let mut child = worker(name);
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (answers, errors) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{answers}{errors}");
    (answers, errors)
}

fn prints() {
    let (answers, errors) = told("prints", "one\ntwo\n");
    assert_eq!(answers, "answer to one:\nanswer to two:\n");
    let shell = "from a shell\nand its errors\n";
    assert_eq!(errors, format!("before, printed one\n{shell}printed two\n{shell}"));
}

fn reads() {
    // More than a buffer holds, so that there is something left to take away.
    let long = "x".repeat(30_000);
    let (answers, errors) = told("reads", &format!("one\n{long}\n"));
    assert_eq!(answers, format!("answer to one: 0 \"\"\nanswer to {long}: 0 \"\"\n"));
    // The text from before the claim comes when std flushes at the end.
    assert_eq!(errors, "before, ");
}

fn ends() {
    let mut child = worker("ends");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"first\nlast\n").unwrap();
    // This ends though the worker lives, because nobody else has the file.
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert_eq!(answers, "answer to first:\nanswer to last:\n");
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "before, on its own\n");
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

fn started() {
    let (answers, errors) = told("started", "one\n");
    assert_eq!(answers, "answer to one:\n");
    // What the test's own caller left open is passed on; the two files are not.
    let inherited = std::fs::read_dir("/proc/self/fd").unwrap();
    let ours = inherited
        .filter_map(|entry| entry.unwrap().file_name().into_string().unwrap().parse::<i32>().ok())
        .filter(|fd| *fd > 2 && is_passed_on(*fd))
        .count();
    // Standard streams, what was inherited, and the folder itself.
    let theirs = errors.lines().filter(|line| line.parse::<i32>().is_ok()).count();
    assert_eq!(theirs, 3 + ours + 1, "{errors}");
}

/// Whether a descriptor stays open in programs that are started.
fn is_passed_on(fd: i32) -> bool {
    let Ok(info) = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")) else { return false };
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap().trim();
    i32::from_str_radix(flags, 8).unwrap() & libc::O_CLOEXEC == 0
}

fn second_claim() {
    let (answers, _) = told("twice", "one\n");
    assert!(answers.starts_with("answer to one: standard input and output were already claimed"));
}

fn closed() {
    let (answers, _) = told("closed", "one\n");
    // Nothing has changed: it reads and prints as before.
    assert!(answers.starts_with("one: cannot use standard error: "), "{answers}");
}
