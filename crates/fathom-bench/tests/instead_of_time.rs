//! What a bench executable does instead of measuring time: it counts instructions, measures in a unit
//! of its own, and calls functions for a profiler. The program tests itself.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod bench_program;
mod started_bench;

use bench_program::{AS_BENCH, busy};
use fathom_bench::{Measurement, ProcessCpuTime, Suite, ThreadCpuTime, black_box};
use serde_json::Value;
use started_bench::{copy_in_target_folder, err, out};
use std::path::Path;
use std::process::{Command, ExitCode, Output};

fn main() -> ExitCode {
    let tests: &[(&str, fn())] = &[
        ("calls functions for a profiler", calls_functions_for_a_profiler),
        ("measures something else than time", measures_something_else_than_time),
        ("counts instructions", counts_instructions),
        ("compares instructions with a saved build", compares_instructions_with_a_saved_build),
    ];
    bench_program::main("instead_of_time", bench, || {
        for (name, test) in tests {
            println!("test {name}");
            test();
        }
    })
}

/// The bench.
fn bench() -> ExitCode {
    let mut suite = Suite::new();
    suite.bench("work/some", || busy(black_box(300)));
    suite
        .compare("pair")
        .with("short", || steps(black_box(400)))
        .with("long", || steps(black_box(440)))
        .with("same", || steps(black_box(400)));
    let own = u64::from(std::process::id() % 1000);
    suite.bench("counted/differs", move || busy(black_box(own)));
    // A saved executable has another name.
    let program = std::env::current_exe().unwrap();
    let steps = if program.extension().is_some_and(|end| end == "bench") { 300 } else { 330 };
    suite.bench("counted/grown", move || busy(black_box(steps)));
    suite.bench_with_setup("counted/setup", || busy(100_000), |n| busy(black_box(*n % 2 + 100)));
    suite.bench_threads("counted/threads", [2], || busy(black_box(100)));
    suite.bench("counted/allocates", || vec![0_u8; 100]);
    if std::env::var_os("PANIC").is_some() {
        suite.bench("panics", || panic!("out of cheese"));
    }
    suite.bench("last", || busy(black_box(50)));
    match std::env::var("MEASURED").as_deref() {
        Ok("cpu") => suite.with_measurement(ProcessCpuTime).run(),
        Ok("thread") => suite.with_measurement(ThreadCpuTime).run(),
        Ok("steps") => suite.with_measurement(Steps).run(),
        _ => suite.run(),
    }
}

/// How many steps `busy` made of the pair, which is the same every time; others make none.
struct Steps;

thread_local!(static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) });

impl Measurement for Steps {
    type Started = u64;
    fn start(&self) -> u64 {
        STEPS.get()
    }
    fn end(&self, started: u64) -> f64 {
        (STEPS.get() - started) as f64
    }
    fn name(&self) -> &str {
        "steps taken"
    }
    fn unit(&self) -> &str {
        "steps"
    }
}

fn steps(count: u64) -> u64 {
    STEPS.set(STEPS.get() + count);
    busy(count)
}

fn run_at(executable: &Path, words: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(executable)
        .args(words.split_whitespace())
        .env(AS_BENCH, "1")
        .env("NO_COLOR", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn run(words: &str) -> Output {
    run_at(&std::env::current_exe().unwrap(), words, &[])
}

fn calls_functions_for_a_profiler() {
    let (folder, executable) = copy_in_target_folder();
    let output = run_at(&executable, "--bench --profile-time 0.02 pair/long ^last", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = err(&output);
    assert!(text.contains("perf record -g -p ") && text.contains("samply record"), "{text}");
    let running: Vec<&str> = text.lines().filter(|line| line.contains("running for")).collect();
    assert_eq!(running, ["pair/long: running for 0.02 s", "last: running for 0.02 s"]);
    assert_eq!(out(&output), "");
    assert!(!folder.path().join("target/fathom/demo/latest.json").exists());
    let panicking = run_at(&executable, "--bench --profile-time 0.02 panics", &[("PANIC", "1")]);
    assert_eq!(panicking.status.code(), Some(4), "{}", err(&panicking));
    let refused = run("--bench --profile-time 1 --baseline x");
    assert_eq!(refused.status.code(), Some(2));
}

fn measures_something_else_than_time() {
    let this = std::env::current_exe().unwrap();
    let with = |measured: &str, words: &str| {
        let words = format!("--bench --no-results --max-time 100ms {words}");
        run_at(&this, &words, &[("MEASURED", measured)])
    };
    let output = with("steps", "^pair work/some --format json --fail-if-slower 2%");
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let values: Vec<f64> = found["subjects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|subject| {
            assert_eq!(
                (&subject["unit"], &subject["metric"]),
                (&"steps".into(), &"steps taken".into())
            );
            subject["estimates"][0]["value"].as_f64().unwrap()
        })
        .collect();
    assert_eq!(values, [0.0, 400.0, 440.0, 400.0]);
    assert_eq!(found["comparisons"][0]["verdict"], "slower", "{found}");
    assert!((found["comparisons"][0]["ratio"].as_f64().unwrap() - 1.1).abs() < 1e-9);
    assert_ne!(found["comparisons"][1]["verdict"], "slower");
    let page = out(&with("steps", "^pair work/some"));
    assert!(page.contains("higher in steps taken than pair/short"), "{page}");
    assert!(page.contains("measured: steps taken, not wall time"), "{page}");
    let several = with("steps", "work/some --executions 8");
    assert!(err(&several).contains("note: --executions applies to times"), "{}", err(&several));
    assert!(!out(&several).contains("--executions 12"), "{}", out(&several));
    let cpu = with("cpu", "counted/threads work/some --format json");
    assert_eq!(cpu.status.code(), Some(0), "{}", err(&cpu));
    let cpu: Value = serde_json::from_slice(&cpu.stdout).unwrap();
    assert_eq!(cpu["subjects"][0]["unit"], "s", "{cpu}");
    // It does not see the threads.
    let thread = with("thread", "counted/threads work/some");
    assert_eq!(thread.status.code(), Some(4), "{}", err(&thread));
    assert!(err(&thread).contains("ProcessCpuTime"), "{}", err(&thread));
    // In two executables too, and only if both measure the same.
    let (_folder, executable) = copy_in_target_folder();
    let at = |words: &str, measured: &str| {
        let words = format!("--bench ^pair {words}");
        run_at(&executable, &words, &[("MEASURED", measured)])
    };
    assert_eq!(at("--max-time 50ms --save main", "steps").status.code(), Some(0));
    let output = at("--max-time 1200ms --baseline main --format json", "steps");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["subjects"][0]["unit"], "steps", "{found}");
    assert_eq!(found["comparisons"][0]["ratio"], 1.0, "{found}");
}

/// What the counts are, if this machine can count.
fn counted(executable: &Path, words: &str) -> Option<(Option<i32>, Value)> {
    let words = format!("--bench --instructions --format json {words}");
    let output = run_at(executable, &words, &[("PANIC", "1")]);
    if output.status.code() == Some(2) && err(&output).contains("Install valgrind") {
        println!("skipped: neither the processor nor valgrind counts here");
        return None;
    }
    let found =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(&output)));
    Some((output.status.code(), found))
}

fn counts_instructions() {
    let this = std::env::current_exe().unwrap();
    let Some((code, found)) = counted(&this, "^pair ^counted panics last --fail-if-slower 2%")
    else {
        return;
    };
    assert_eq!(code, Some(4), "one panics: {found}");
    let functions = found["instructions"]["functions"].as_array().unwrap();
    let of = |name: &str| functions.iter().find(|one| one["name"] == name).unwrap();
    let count = |name: &str| of(name)["per_call"].as_f64().unwrap();
    assert!(functions.iter().all(|one| one["name"] != "panics"), "{found}");
    // Of the steps, and nothing of the set-up with its 100000.
    let each = count("pair/short") / 400.0;
    assert!((2.0..30.0).contains(&each), "{each}");
    let setup = count("counted/setup") / count("last");
    assert!((1.2..3.0).contains(&setup), "{setup}");
    // Two threads.
    let threads = count("counted/threads/2 threads") / count("last");
    assert!((2.5..8.0).contains(&threads), "{threads}");
    assert_eq!(of("counted/differs")["repeated"], false, "{found}");
    let comparisons = found["instructions"]["comparisons"].as_array().unwrap();
    assert_eq!(comparisons[0]["verdict"], "more", "{found}");
    assert_eq!(comparisons[0]["gates"][0]["outcome"], "failed", "{found}");
    let ratio = comparisons[0]["ratio"].as_f64().unwrap();
    assert!((1.08..1.11).contains(&ratio), "{ratio}");
    if found["instructions"]["counter"] == "valgrind" {
        assert_eq!(of("last")["repeated"], true, "{found}");
        assert_eq!(comparisons[1]["verdict"], "same", "{found}");
        // Nothing else on the machine matters: a second time gives the same.
        let Some((_, again)) = counted(&this, "last") else { return };
        assert_eq!(again["instructions"]["functions"][0]["counts"], of("last")["counts"]);
    }
}

fn compares_instructions_with_a_saved_build() {
    let (folder, executable) = copy_in_target_folder();
    let Some((code, _)) = counted(&executable, "last counted/grown --save main") else { return };
    assert_eq!(code, Some(0));
    let results = folder.path().join("target/fathom/demo");
    assert!(!results.join("latest.json").exists(), "the last results are times");
    let saved = std::fs::read_to_string(results.join("main.json")).unwrap();
    let saved = fathom_analyze::Document::read(&saved).unwrap();
    assert_eq!(saved.instructions.unwrap().functions.len(), 2);
    let gated = |words: &str| {
        counted(&executable, &format!("{words} --baseline main --fail-if-slower 2%")).unwrap()
    };
    let (code, found) = gated("last");
    assert_eq!(code, Some(0), "{found}");
    let names = ["last (main)", "last (now)"];
    let functions = found["instructions"]["functions"].as_array().unwrap();
    assert!(functions.iter().map(|one| one["name"].as_str().unwrap()).eq(names), "{found}");
    assert_eq!(gated("last counted/grown").0, Some(1), "grown by a tenth");
    let (code, _) = gated("counted/differs");
    // Two processes of each build have numbers of their own; what they say is a range.
    assert_ne!(code, Some(2));
}
