//! Benches over several executions of their program. The program tests itself: with a variable set
//! it is a bench, without it is the test of that bench.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod bench_program;
mod started_bench;

use bench_program::{AS_BENCH, busy};
use fathom_analyze::{Document, EstimateRequest, Levels, analyze};
use fathom_bench::{Executor, Suite, black_box};
use serde_json::Value;
use started_bench::{copy_in_target_folder, err, out};
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

/// A file that grows by a byte with every process of the bench.
const STARTS: &str = "FATHOM_TEST_STARTS";
/// What a process does wrong, and the number of that process: the first is the one that asks.
const FAULT: &str = "FATHOM_TEST_FAULT";

fn main() -> ExitCode {
    let tests: &[(&str, fn())] = &[
        ("every kind of bench is measured over executions", every_kind),
        ("results are kept and read back", results_are_kept_and_read_back),
        ("one execution is labelled", one_execution_is_labelled),
        ("a slow set-up means one execution", a_slow_set_up_means_one_execution),
        ("few executions have no interval", few_executions_have_no_interval),
        ("a function that breaks spoils no other", a_function_that_breaks_spoils_no_other),
        ("a function that hangs is given up", a_function_that_hangs_is_given_up),
        ("programs that cannot start again", programs_that_cannot_start_again),
        ("an executable may be deleted", an_executable_may_be_deleted),
        ("shows what it has when interrupted", shows_what_it_has_when_interrupted),
    ];
    bench_program::main("executions", bench, || {
        for (name, test) in tests {
            println!("test {name}");
            test();
        }
    })
}

struct Ready;

impl Executor for Ready {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
        }
    }
}

#[fathom_bench::bench]
fn attributed() -> u64 {
    busy(black_box(70))
}

/// How many processes of the bench there were before this one.
fn starts() -> u64 {
    let Some(path) = std::env::var_os(STARTS) else { return 0 };
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&path).unwrap();
    file.write_all(b".").unwrap();
    std::fs::metadata(path).unwrap().len()
}

/// The bench.
fn bench() -> ExitCode {
    let number = starts();
    let fault = std::env::var(FAULT).unwrap_or_default();
    let has = |name: &str| fault.split_once(':') == Some((name, &number.to_string()));
    let is_later = number > 1;
    if has("exit") || (fault == "exit always" && is_later) {
        return ExitCode::from(7);
    }
    if fault == "chatty" {
        println!("this program prints before its suite runs");
    }
    if fault == "delete" && is_later {
        let _ = std::fs::remove_file(std::env::current_exe().unwrap());
    }
    let (panics, aborts, hangs) = (has("panic"), has("abort"), has("hang"));
    let mut suite = Suite::of_attributes();
    suite.group("kinds", |suite| {
        suite.bench("closure", || busy(black_box(60)));
        suite.bench_with_setup("set-up", || 60_u64, |steps| busy(black_box(*steps)));
        suite.bench_consuming("consumed", || 60_u64, |steps| busy(black_box(steps)));
        suite.bench_threads("threads", [2], || busy(black_box(500)));
        suite.bench_async("async", Ready, || async { busy(black_box(60)) });
        suite.bench_args("args", [60_u64], |steps| busy(*steps));
        suite.bench_chained("chained", 60_u64, |steps| 60 + (busy(steps) & 1));
    });
    suite.group("faulty", |suite| {
        suite.bench("before", || busy(black_box(60)));
        suite.bench("faulty", move || {
            assert!(!panics, "out of cheese");
            if aborts {
                std::process::abort();
            }
            if hangs {
                std::thread::sleep(Duration::from_secs(3600));
            }
            busy(black_box(60))
        });
        suite.bench("after", || busy(black_box(60)));
    });
    suite.bench_with("slow set-up", |bencher| {
        std::thread::sleep(Duration::from_millis(300));
        bencher.iter(|| busy(black_box(60)));
    });
    suite
        .compare("pair")
        .with("a", || busy(black_box(60)))
        .with_chained("b", 60_u64, |steps| 60 + (busy(steps) & 1));
    suite.run()
}

fn command(executable: &Path, words: &str, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(executable);
    command
        .arg("--bench")
        .args(words.split_whitespace())
        .env(AS_BENCH, "1")
        .env("NO_COLOR", "1")
        .envs(variables.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(words: &str, variables: &[(&str, &str)]) -> Output {
    let words = format!("--no-results {words}");
    command(&std::env::current_exe().unwrap(), &words, variables).output().unwrap()
}

/// The same with a fault in the process of a number.
fn with_fault(words: &str, fault: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    run(words, &[(FAULT, fault), (STARTS, starts.to_str().unwrap())])
}

/// In one line, however it was wrapped.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(output)))
}

fn executions_of(found: &Value, name: &str) -> Option<u64> {
    let subjects = found["subjects"].as_array().unwrap();
    let subject = subjects.iter().find(|subject| subject["name"] == name)?;
    subject["function"]["executions"].as_u64()
}

fn every_kind() {
    let words = "^kinds attributed --executions 7 --max-time 70ms --format json --include-values";
    let output = run(words, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let found = json(&output);
    let subjects = found["subjects"].as_array().unwrap();
    assert_eq!(subjects.len(), 8, "{found}");
    for subject in subjects {
        assert_eq!(subject["function"]["executions"], 7, "{subject}");
        assert_eq!(subject["sample"], "execution", "{subject}");
        assert_eq!(subject["stopped"], "fixed");
        let sizes: Vec<usize> = serde_json::from_value(subject["executions"].clone()).unwrap();
        let values: Vec<f64> = serde_json::from_value(subject["values"].clone()).unwrap();
        assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (7, values.len()));
        // The ends of the interval are medians of executions.
        let mut rest = values.as_slice();
        let mut medians: Vec<f64> = Vec::new();
        for size in sizes {
            let (mut execution, others) = (rest[..size].to_vec(), &rest[size..]);
            execution.sort_by(f64::total_cmp);
            medians.push(0.5 * (execution[(size - 1) / 2] + execution[size / 2]));
            rest = others;
        }
        medians.sort_by(f64::total_cmp);
        let estimate = &subject["estimates"][0];
        assert_eq!(estimate["n_used"], 7, "{estimate}");
        for (end, median) in [(&estimate["lower"], medians[0]), (&estimate["upper"], medians[6])] {
            assert!((end.as_f64().unwrap() / median - 1.0).abs() < 1e-12, "{end} {median}");
        }
        let name = subject["name"].as_str().unwrap();
        let timing = if name == "kinds/chained" { "latency" } else { "throughput" };
        assert_eq!(subject["function"]["timing"], timing, "{subject}");
    }
}

fn results_are_kept_and_read_back() {
    let (folder, executable) = copy_in_target_folder();
    let words = "kinds/c pair --executions 6 --max-time 60ms --save main";
    let output = command(&executable, words, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let kept = folder.path().join("target/fathom/demo/main.json");
    let text = std::fs::read_to_string(kept).unwrap();
    let report = Document::read(&text).unwrap();
    // What shows it again says the same.
    let view = fathom_render::View::default();
    let page = fathom_bench::for_the_program::page(&report, &view, 80);
    let (page, shown) = (flat(&fathom_render::layout::plain(&page)), flat(&out(&output)));
    for part in [
        "95% CIs: over 6 executions of this program, each of which counts once by its median",
        "comparisons: this execution only",
        "latency: each call waits for the one before; the other times are throughput",
    ] {
        assert!(page.contains(part) && shown.contains(part), "{page}\n{shown}");
    }
    for subject in &report.subjects[..3] {
        assert_eq!(subject.levels, Levels::Executions { executions: 6 });
        let again = analyze(subject.series.clone(), &EstimateRequest::default());
        assert_eq!(again.estimates, subject.estimates);
    }
    let row = out(&output).lines().find(|line| line.contains("closure")).map(flat).unwrap();
    assert!(page.contains(&row), "{row}\n{page}");
}

fn one_execution_is_labelled() {
    let output = run("kinds/closure --executions 1 --max-time 30ms", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let page = flat(&out(&output));
    assert!(page.contains("this execution only: another may differ by more"), "{page}");
    let found = json(&run("kinds/closure --executions 1 --max-time 30ms --format json", &[]));
    assert_eq!(executions_of(&found, "kinds/closure"), Some(1), "{found}");
    assert_eq!(found["subjects"][0]["sample"], "value");
    assert!(found["subjects"][0]["function"].get("one_execution_because").is_none());
}

fn a_slow_set_up_means_one_execution() {
    let found = json(&run("slow --max-time 100ms --format json", &[]));
    let function = &found["subjects"][0]["function"];
    assert_eq!(function["executions"], 1, "{found}");
    let why = function["one_execution_because"].as_str().unwrap();
    assert!(why.ends_with("too long for 6 executions in 0.1 s"), "{why}");
    assert_eq!(found["subjects"][0]["sample"], "value");
    // Asked for, they are made.
    let found = json(&run("slow --executions 2 --max-time 20ms --format json", &[]));
    assert_eq!(executions_of(&found, "slow set-up"), Some(2), "{found}");
}

fn few_executions_have_no_interval() {
    let output = run("kinds/closure --executions 3 --max-time 30ms -v", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let page = flat(&out(&output));
    assert!(page.contains("(no interval, range "), "{page}");
    let said = "3 executions are too few: a 95% CI over executions needs at least 6; use \
                --executions 6 or more";
    assert!(page.contains(said), "{page}");
}

fn a_function_that_breaks_spoils_no_other() {
    for (fault, said) in [
        ("panic:2", "error: faulty/faulty: it panicked: out of cheese"),
        ("panic:4", "error: faulty/faulty: in execution 3 it panicked: out of cheese"),
        ("abort:2", "error: faulty/faulty: its process ended with signal: 6"),
        ("abort:3", "error: faulty/faulty: in execution 2 its process ended with signal: 6"),
    ] {
        let output = with_fault("^faulty --executions 4 --max-time 40ms --format json", fault);
        assert_eq!(output.status.code(), Some(4), "{fault}: {}", err(&output));
        assert!(flat(&err(&output)).contains(said), "{fault}: {}", err(&output));
        let found = json(&output);
        for name in ["faulty/before", "faulty/after"] {
            assert_eq!(executions_of(&found, name), Some(4), "{fault}: {found}");
        }
        assert_eq!(executions_of(&found, "faulty/faulty"), None, "{fault}: {found}");
    }
}

fn a_function_that_hangs_is_given_up() {
    let output = with_fault("^faulty --executions 3 --max-time 20ms --format json", "hang:3");
    assert_eq!(output.status.code(), Some(4), "{}", err(&output));
    let said = "error: faulty/faulty: in execution 2 it did not respond for 5 s";
    assert!(flat(&err(&output)).contains(said), "{}", err(&output));
    assert_eq!(executions_of(&json(&output), "faulty/after"), Some(3));
}

fn programs_that_cannot_start_again() {
    // Not even once: this process is the only execution there is.
    let output = with_fault("kinds/closure --max-time 30ms", "exit always");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let said = "this execution only (another could not be started: its process ended with exit \
                status: 7)";
    assert!(flat(&out(&output)).contains(said), "{}", out(&output));
    // Not for the third time.
    let output = with_fault("kinds/closure --executions 4 --max-time 40ms --format json", "exit:4");
    assert_eq!(output.status.code(), Some(4), "{}", err(&output));
    let said = "error: execution 3: its process ended with exit status: 7";
    assert!(flat(&err(&output)).contains(said), "{}", err(&output));
    assert_eq!(executions_of(&json(&output), "kinds/closure"), Some(2));
    // What a program prints before its suite runs is no answer.
    let output = with_fault("kinds/closure --executions 2 --max-time 20ms", "chatty");
    let counted = "2 executions of this program are too few";
    assert!(flat(&out(&output)).contains(counted), "{}", out(&output));
}

/// The program that runs is known to the system, whatever becomes of its file.
fn an_executable_may_be_deleted() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (folder, executable) = copy_in_target_folder();
    let starts = folder.path().join("starts");
    let words = "kinds/closure --executions 3 --max-time 30ms --no-results --format json";
    let variables = [(FAULT, "delete"), (STARTS, starts.to_str().unwrap())];
    let output = command(&executable, words, &variables).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!executable.exists());
    assert_eq!(executions_of(&json(&output), "kinds/closure"), Some(3));
}

fn shows_what_it_has_when_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let words = "kinds/closure --no-results --executions 1000 --max-time 100s";
    let variables = [(STARTS, starts.to_str().unwrap())];
    let mut command = command(&std::env::current_exe().unwrap(), words, &variables);
    // The test may run in a script's background, where SIGINT is ignored.
    let child = fathom_sys::signals::at_default(&mut command).spawn().unwrap();
    let began = Instant::now();
    // Fewer than six have no interval.
    let is_far = || std::fs::metadata(&starts).is_ok_and(|file| file.len() >= 9);
    while !is_far() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    let page = flat(&out(&output));
    assert!(page.contains("closure") && page.contains("interrupted: these are"), "{page}");
    assert!(page.contains("95% CIs: over "), "{page}");
}
