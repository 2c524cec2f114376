//! A bench in criterion's style as cargo, nextest and people use it. The program tests itself: with a
//! variable set it is a bench, without it is the test of that bench.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod bench_program;
mod criterion_benches;
mod started_bench;

use bench_program::{AS_BENCH, busy};
use serde_json::Value;
use started_bench::{copy_in_target_folder, err, out};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

fn main() -> ExitCode {
    let tests: &[(&str, fn())] = &[
        ("lists names as criterion makes them", lists_names_as_criterion_makes_them),
        ("calls everything once as a test", calls_everything_once_as_a_test),
        ("measures every form", measures_every_form),
        ("measures what the filter selects", measures_what_the_filter_selects),
        ("has settings of the code and of the command line", has_settings_of_both),
        ("says what has no effect", says_what_has_no_effect),
        ("understands options of criterion", understands_options_of_criterion),
        ("measures with a clock of the bench's own", measures_with_a_clock_of_its_own),
        ("goes on after a panic", goes_on_after_a_panic),
        ("keeps results where the bench panics", keeps_results_where_the_bench_panics),
        ("works with a main function of its own", works_with_a_main_function_of_its_own),
        ("keeps results and baselines", keeps_results_and_baselines),
        ("takes orders in any order", takes_orders_in_any_order),
        ("answers for functions that break", answers_for_functions_that_break),
        ("calls functions for a profiler", calls_functions_for_a_profiler),
        ("shows what it has when interrupted", shows_what_it_has_when_interrupted),
    ];
    bench_program::main("criterion_style", criterion_benches::bench, || {
        // One that fails does not hide what the others say.
        let mut failed = Vec::new();
        for (name, test) in tests {
            println!("test {name}");
            if std::panic::catch_unwind(test).is_err() {
                failed.push(name);
            }
        }
        assert!(failed.is_empty(), "failed: {failed:?}");
    })
}

const NAMES: &[&str] = &[
    "plain",
    "busy",
    "input/200",
    "unsized/text",
    "group/100",
    "group/200",
    "group/bytes",
    "group/owned",
    "group/both/x",
    "group/generic",
    "group/bytes #2",
    "inputs/value/small",
    "inputs/reference/small",
    "inputs/value/large",
    "inputs/reference/large",
    "inputs/value/one by one",
    "inputs/reference/one by one",
    "inputs/value/in batches",
    "inputs/reference/in batches",
    "inputs/value/in parts",
    "inputs/reference/in parts",
    "inputs/setup",
    "inputs/large drop",
    "inputs/slow setup",
    "inputs/custom",
    "inputs/never",
    "futures/iter",
    "futures/large drop",
    "futures/value",
    "futures/reference",
    "futures/setup",
    "futures/custom",
    "clock/iter",
    "clock/value",
    "clock/custom",
    "clock/async",
    "last",
];

fn command(executable: &Path, words: &str, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(executable);
    command
        .args(words.split_whitespace())
        .env(AS_BENCH, "1")
        .env("NO_COLOR", "1")
        .envs(variables.iter().copied());
    command
}

fn run_with(words: &str, variables: &[(&str, &str)]) -> Output {
    command(&std::env::current_exe().unwrap(), words, variables).output().unwrap()
}

fn run(words: &str) -> Output {
    run_with(words, &[])
}

fn json_of(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", err(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn json(words: &str) -> Value {
    json_of(&run(&format!("--bench --no-results --format json {words}")))
}

fn names(found: &Value) -> Vec<&str> {
    let subjects = found["subjects"].as_array().unwrap().iter();
    subjects.map(|subject| subject["name"].as_str().unwrap()).collect()
}

fn median(found: &Value, name: &str) -> f64 {
    let subjects = found["subjects"].as_array().unwrap();
    let subject = subjects.iter().find(|subject| subject["name"] == name).unwrap();
    subject["estimates"][0]["value"].as_f64().unwrap()
}

fn lists_names_as_criterion_makes_them() {
    let listed: String = NAMES.iter().map(|name| format!("{name}: benchmark\n")).collect();
    assert_eq!(out(&run("--list --format terse")), listed);
    assert_eq!(out(&run("--bench --list")), listed);
    assert_eq!(out(&run("--list --ignored")), "");
    assert_eq!(out(&run("--list ^group --skip bytes$ --skip 0")).lines().count(), 4);
    assert_eq!(out(&run("--list --exact group/100")), "group/100: benchmark\n");
    assert!(out(&run("--help")).starts_with("Time functions"));
}

fn calls_everything_once_as_a_test() {
    let output = run("");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    for name in NAMES {
        assert!(text.contains(&format!("test {name} ... ok\n")), "{name} in {text}");
    }
    let result = format!("test result: ok. {} called once, 0 failed", NAMES.len());
    assert!(text.contains(&result), "{text}");
    // As nextest runs one of them, and as criterion's users do.
    let one = out(&run("group/100 --exact --nocapture"));
    assert!(one.starts_with("test group/100 ... ok\n"), "{one}");
    assert!(!one.contains("last"), "{one}");
    assert!(out(&run("--bench --test ^last")).starts_with("test last ... ok\n"));
    for (how, said) in [
        ("call", "error: panics: it panicked: out of cheese"),
        ("setup", "error: panics: it panicked: no file"),
        ("nothing", "error: panics: it timed nothing"),
    ] {
        let output = run_with("", &[("PANIC", how)]);
        assert_eq!(output.status.code(), Some(4), "{how}");
        assert!(out(&output).contains("test panics ... FAILED"), "{}", out(&output));
        assert!(out(&output).contains("test last ... ok"), "{}", out(&output));
        assert!(err(&output).contains(said), "{}", err(&output));
    }
}

fn measures_every_form() {
    let found = json("--max-time 20ms");
    assert_eq!(names(&found), NAMES);
    assert_eq!(found["schema"], "fathom/1");
    // The same work, in every form that calls it a hundred steps.
    let hundred = median(&found, "group/100");
    for name in ["group/bytes", "group/owned", "group/bytes #2", "inputs/custom"] {
        let ratio = median(&found, name) / hundred;
        assert!((0.4..2.5).contains(&ratio), "{name}: {ratio}");
    }
    let of = |name: &str| {
        let subjects = found["subjects"].as_array().unwrap();
        subjects.iter().find(|subject| subject["name"] == name).unwrap()["function"].clone()
    };
    assert_eq!(of("group/200")["throughput"]["per_call"], 200, "{}", of("group/200"));
    assert_eq!(of("group/bytes")["throughput"]["unit"], "bytes");
    // Two milliseconds of set-up for every call: a batch ends in time, not after eight thousand.
    assert!(of("inputs/slow setup")["calls_per_batch"].as_u64().unwrap() <= 32);
    let page = out(&run("--bench --no-results --max-time 20ms ^group"));
    assert!(page.contains("group") && page.contains("seed"), "{page}");
}

fn measures_what_the_filter_selects() {
    let found = json("--max-time 20ms ^plain last$");
    assert_eq!(names(&found), ["plain", "last"]);
    let none = run("--bench --no-results nowhere");
    assert_eq!((none.status.code(), out(&none).as_str()), (Some(0), ""));
    let said = "note: no bench matches nowhere; the benches are plain, busy, input/200";
    assert!(err(&none).contains(said), "{}", err(&none));
    assert_eq!(names(&json("nowhere")), [""; 0]);
    let wrong = run("--bench (");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(err(&wrong).contains("is not a valid regular expression"), "{}", err(&wrong));
}

fn confidence(found: &Value) -> f64 {
    found["subjects"][0]["estimates"][0]["confidence"].as_f64().unwrap()
}

fn has_settings_of_both() {
    let by_default = json("^last --max-time 20ms");
    assert!((confidence(&by_default) - 0.95).abs() < 1e-9, "{by_default}");
    let of_code = json("futures/iter --max-time 20ms");
    assert!((confidence(&of_code) - 0.9).abs() < 1e-9, "{of_code}");
    let of_line = json("futures/iter --max-time 20ms --confidence 99%");
    assert!((confidence(&of_line) - 0.99).abs() < 1e-9, "{of_line}");
    // The code says 200 ms, and the precision is out of reach.
    let began = std::time::Instant::now();
    json("futures/iter --precision 0.00001%");
    let of_code = began.elapsed();
    assert!((0.2..1.0).contains(&of_code.as_secs_f64()), "{of_code:?}");
}

fn says_what_has_no_effect() {
    let words = "--bench --no-results --max-time 20ms group/100 inputs/setup --sample-size 20";
    assert!(!err(&run(words)).contains("without effect"), "{}", err(&run(words)));
    let verbose = err(&run(&format!("{words} -v")));
    let said = "note: accepted from criterion without effect: --sample-size, nresamples, \
                plot_config, plotting_backend, sample_size, sampling_mode, significance_level, \
                warm_up_time, with_output_color";
    assert!(verbose.contains(said), "{verbose}");
}

fn understands_options_of_criterion() {
    let found = json("^last --measurement-time 0.02 --noplot --warm-up-time 1 -c never");
    assert_eq!(names(&found), ["last"]);
    let lines = out(&run("--bench --no-results ^last --max-time 20ms --output-format bencher"));
    assert!(lines.starts_with("test last ... bench: "), "{lines}");
    assert!(lines.contains(" ns/iter (+/- ") && lines.lines().count() == 1, "{lines}");
    for (words, said) in [
        ("--load-baseline x", "a baseline is a program"),
        ("--measurement-time x", "use a number of seconds"),
        ("--mesurement-time 1", "--mesurement-time"),
        ("--output-format x", "use criterion or bencher"),
    ] {
        let output = run(&format!("--bench {words}"));
        assert_eq!((output.status.code(), out(&output).as_str()), (Some(2), ""), "{words}");
        assert!(err(&output).contains(said), "{words}: {}", err(&output));
    }
}

fn measures_with_a_clock_of_its_own() {
    let found = json("^clock ^busy --max-time 50ms");
    let real = median(&found, "busy");
    for name in ["clock/iter", "clock/value", "clock/async"] {
        let ratio = median(&found, name) / real;
        assert!((1.3..3.5).contains(&ratio), "{name}: {ratio}");
    }
    let custom = median(&found, "clock/custom");
    assert!((4.9e-6..5.1e-6).contains(&custom), "{custom}");
    // In a unit that is none of time, values stay as they are.
    let words = "--bench --no-results --max-time 20ms --format json ^cycles last";
    let output = run_with(words, &[("FOREIGN_UNIT", "1")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of =
        |name: &str| found["subjects"].as_array().unwrap().iter().find(|one| one["name"] == name);
    let cycles = of("cycles/custom").unwrap();
    assert_eq!((&cycles["unit"], &cycles["metric"]), (&"cycles".into(), &"cycles".into()));
    assert_eq!(cycles["estimates"][0]["value"], 5000.0, "{cycles}");
    assert_eq!(of("last").unwrap()["unit"], "s");
    let words = "--bench --no-results --max-time 20ms ^cycles/custom";
    let page = out(&run_with(words, &[("FOREIGN_UNIT", "1")]));
    assert!(page.contains("5000") && page.contains("measured: cycles, not wall time"), "{page}");
    assert_eq!(run_with("cycles", &[("FOREIGN_UNIT", "1")]).status.code(), Some(0));
}

fn goes_on_after_a_panic() {
    for (how, said) in [
        ("call", "error: panics: it panicked: out of cheese"),
        ("setup", "error: panics: it panicked: no file"),
        ("nothing", "error: panics: it timed nothing"),
    ] {
        let words = "--bench --no-results --max-time 20ms panics last";
        let output = run_with(words, &[("PANIC", how)]);
        assert_eq!(output.status.code(), Some(4), "{how}");
        assert!(err(&output).contains(said), "{how}: {}", err(&output));
        assert!(out(&output).contains("last"), "{how}: {}", out(&output));
    }
}

fn keeps_results_where_the_bench_panics() {
    let (folder, executable) = copy_in_target_folder();
    let words = "--bench --max-time 20ms ^plain";
    let output = command(&executable, words, &[("PANIC", "between")]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", err(&output));
    assert!(err(&output).contains("the code between the benches: it panicked"), "{}", err(&output));
    let latest = folder.path().join("target/fathom/demo/latest.json");
    let report = fathom_analyze::Document::read(&std::fs::read_to_string(latest).unwrap()).unwrap();
    assert_eq!(report.subjects[0].series.name(), "plain");
}

fn works_with_a_main_function_of_its_own() {
    for main in ["custom", "groups"] {
        let variables = [("MAIN", main)];
        let words = "--bench --no-results --max-time 20ms --format json busy last";
        let found = json_of(&run_with(words, &variables));
        assert_eq!(names(&found), ["busy", "last"], "{main}");
        let page = out(&run_with("--bench --no-results --max-time 20ms ^last", &variables));
        assert!(page.contains("last") && page.contains("seed"), "{main}: {page}");
        let tests = out(&run_with("", &variables));
        assert!(tests.contains("test last ... ok"), "{main}: {tests}");
        assert!(tests.contains("test result: ok."), "{main}: {tests}");
        // Nobody asks for the outcome, and still it is told.
        let variables = [("MAIN", main), ("PANIC", "call")];
        let broken = run_with("--bench --no-results --max-time 20ms busy panics", &variables);
        assert_eq!(broken.status.code(), Some(4), "{main}: {}", err(&broken));
        assert!(err(&broken).contains("panics: it panicked"), "{main}: {}", err(&broken));
    }
    // Words that the program did not ask for are its own.
    let output = run_with("--of-the-program itself", &[("MAIN", "without arguments")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let page = out(&output);
    assert!(page.contains("busy") && !page.contains("plain"), "{page}");
}

fn keeps_results_and_baselines() {
    let (folder, executable) = copy_in_target_folder();
    for main in ["macro", "custom", "groups"] {
        let run = |words: &str| command(&executable, words, &[("MAIN", main)]).output().unwrap();
        let saved = run("--bench ^busy --max-time 50ms --save-baseline main");
        assert_eq!(saved.status.code(), Some(0), "{}", err(&saved));
        let results = folder.path().join("target/fathom/demo");
        let latest = std::fs::read_to_string(results.join("latest.json")).unwrap();
        assert_eq!(std::fs::read_to_string(results.join("main.json")).unwrap(), latest);

        let words = "--bench ^busy last --baseline main --max-time 1200ms --format json";
        let found = json_of(&run(words));
        let comparisons = found["comparisons"].as_array().unwrap();
        assert_eq!(comparisons.len(), 2, "{main}: {found}");
        assert_eq!(comparisons[1]["reference"], "last (main)", "{main}");
        for comparison in comparisons {
            let ratio = comparison["ratio"].as_f64().unwrap();
            assert!((0.7..1.4).contains(&ratio), "{main}: {ratio}");
        }
        let nothing = run("--bench nowhere --baseline main");
        assert_eq!(nothing.status.code(), Some(0), "{}", err(&nothing));
        assert!(err(&nothing).contains("no bench matches nowhere"), "{}", err(&nothing));
        let unknown = run("--bench --baseline old");
        assert_eq!(unknown.status.code(), Some(2));
        assert!(err(&unknown).contains("the saved ones are main"), "{}", err(&unknown));
    }
}

/// A worker and what it says.
struct Worker {
    child: std::process::Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Worker {
    fn start(variables: &[(&str, &str)]) -> (Worker, Value) {
        let program = std::env::current_exe().unwrap();
        let mut child = command(&program, "--fathom-worker", variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut worker = Worker { child, answers };
        let hello = serde_json::from_str(&worker.answer()).unwrap();
        (worker, hello)
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line
    }

    fn ask(&mut self, order: &str) -> String {
        writeln!(self.child.stdin.as_ref().unwrap(), "{order}").unwrap();
        self.answer()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn takes_orders_in_any_order() {
    for main in ["macro", "custom", "groups"] {
        let (mut worker, hello) = Worker::start(&[("MAIN", main)]);
        let functions: Vec<&str> = hello["functions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        let number = |name: &str| functions.iter().position(|other| *other == name).unwrap();
        if main == "macro" {
            assert_eq!(functions, NAMES);
        }
        assert_eq!(worker.ask("pin 0"), "done \n");
        let (busy, last) = (number("busy"), number("last"));
        for function in [busy, last, busy, last, last, busy] {
            let size = worker.ask(&format!("size {function}"));
            assert!(size.starts_with("size "), "{main}: {size}");
            for _ in 0..2 {
                let took = worker.ask(&format!("batch {function} 10"));
                let seconds: f64 = took.trim().strip_prefix("took ").unwrap().parse().unwrap();
                // Three hundred steps, and fifty.
                let per_step = seconds / if function == busy { 300.0 } else { 50.0 };
                assert!((1e-10..1e-6).contains(&per_step), "{main}: {took}");
            }
        }
        let unknown = worker.ask("size 1000");
        assert_eq!(unknown, "broken \"function 1000 does not exist\"\n", "{main}");
        assert!(worker.ask(&format!("batch {busy} 10")).starts_with("took "), "{main}");
        assert!(worker.ask("dance").starts_with("broken \"unknown order"), "{main}");
        drop(worker.child.stdin.take());
        assert!(worker.child.wait().unwrap().success());
    }
}

fn answers_for_functions_that_break() {
    for (how, said) in [
        ("call", "broken \"it panicked: out of cheese\"\n"),
        ("setup", "broken \"it panicked: no file\"\n"),
        ("nothing", "broken \"it timed nothing; call `bencher.iter(...)` in it\"\n"),
    ] {
        let (mut worker, hello) = Worker::start(&[("PANIC", how)]);
        let functions = hello["functions"].as_array().unwrap();
        let broken = functions.iter().position(|name| name == "panics").unwrap();
        assert_eq!(worker.ask(&format!("size {broken}")), said);
        assert_eq!(worker.ask(&format!("size {broken}")), said);
        let next = worker.ask(&format!("size {}", broken + 1));
        assert!(next.starts_with("size "), "{how}: {next}");
    }
}

fn calls_functions_for_a_profiler() {
    let output = run("--bench --profile-time 0.05 inputs/large futures/iter");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let said: Vec<String> = out(&output).lines().map(String::from).collect();
    let expected = [
        "profiling inputs/large drop into inputs_large drop",
        "profiled inputs/large drop",
        "profiling futures/iter into futures_iter",
        "profiled futures/iter",
    ];
    assert_eq!(said, expected);
}

fn shows_what_it_has_when_interrupted() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // The test may run in a script's background, where SIGINT is ignored.
    let child = fathom_sys::signals::at_default(&mut command)
        .args(["--bench", "--no-results", "^busy", "last", "--max-time", "100s"])
        .args(["--precision", "0.000001%"])
        .env(AS_BENCH, "1")
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("busy") && text.contains("interrupted"), "{text}");
    assert!(!text.contains("last"), "{text}");
}
