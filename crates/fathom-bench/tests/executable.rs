//! A bench executable as cargo, nextest and people use it. The program tests itself: with a
//! variable set it is a bench, without it is the test of that bench.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod bench_program;
mod started_bench;

use bench_program::{AS_BENCH, busy};
use fathom_bench::{Suite, Throughput, black_box};
use serde_json::Value;
use started_bench::{copy_in_target_folder, err, out};
use std::path::Path;
use std::process::{Command, ExitCode, Output};

fn main() -> ExitCode {
    let tests: &[(&str, fn())] = &[
        ("lists as the test harness does", lists_as_the_test_harness_does),
        ("calls everything once as a test", calls_everything_once_as_a_test),
        ("finds what differs", finds_what_differs),
        ("recognises what was optimised away", recognises_what_was_optimised_away),
        ("goes on after a panic", goes_on_after_a_panic),
        ("refuses what it does not understand", refuses_what_it_does_not_understand),
        ("measures nothing where nothing matches", measures_nothing_where_nothing_matches),
        ("holds few large inputs at once", holds_few_large_inputs_at_once),
        ("advises only what it can do", advises_only_what_it_can_do),
        ("goes on where interrupts are ignored", goes_on_where_interrupts_are_ignored),
        ("keeps results and baselines", keeps_results_and_baselines),
        ("looks at files first and always answers", looks_at_files_first_and_always_answers),
        ("has a report made and says where", has_a_report_made_and_says_where),
        ("keeps results that nothing can report", keeps_results_that_nothing_can_report),
        ("is decided by gates", is_decided_by_gates),
        ("writes tables", writes_tables),
        ("writes for bencher and in lines of tests", writes_for_bencher_and_in_lines_of_tests),
        ("keeps what benches print apart", keeps_what_benches_print_apart),
        ("shows what it has when interrupted", shows_what_it_has_when_interrupted),
    ];
    bench_program::main("executable", bench, || {
        for (name, test) in tests {
            println!("test {name}");
            test();
        }
    })
}

/// The bench.
fn bench() -> ExitCode {
    let mut suite = Suite::new();
    suite.group("work", |suite| {
        suite.bench("some", || busy(black_box(300)));
        suite.bench("bytes", || busy(black_box(100))).throughput(Throughput::Bytes(1_000_000));
    });
    suite.bench("nothing", || ());
    suite.bench("loud", || println!("printed by a bench"));
    suite.bench("late", || ()).ignore();
    suite
        .bench_with_setup("large", || vec![1_u8; 8 << 20], |input| black_box(input)[0] += 1)
        .ignore();
    suite
        .bench_consuming("large consumed", || vec![1_u8; 8 << 20], |input| black_box(input).len())
        .ignore();
    suite.bench("slow", || std::thread::sleep(std::time::Duration::from_millis(20))).ignore();
    suite
        .compare("pair")
        .with("short", || busy(black_box(400)))
        .with("long", || busy(black_box(440)))
        .with("same", || busy(black_box(400)));
    if std::env::var_os("PANIC").is_some() {
        suite.bench("panics", || panic!("out of cheese"));
    }
    suite.bench("last", || busy(black_box(50)));
    suite.run()
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

fn json(words: &str) -> Value {
    let output = run(&format!("--bench --no-results --format json {words}"));
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn lists_as_the_test_harness_does() {
    let names = "work/some: benchmark\nwork/bytes: benchmark\nnothing: benchmark\n\
                 loud: benchmark\npair: benchmark\nlast: benchmark\n";
    assert_eq!(out(&run("--list --format terse")), names);
    assert_eq!(
        out(&run("--list --format terse --ignored")),
        "late: benchmark\nlarge: benchmark\nlarge consumed: benchmark\nslow: benchmark\n"
    );
    assert_eq!(out(&run("--list ^work --skip bytes")), "work/some: benchmark\n");
    assert_eq!(out(&run("--list pair/long")), "pair: benchmark\n");
    assert_eq!(out(&run("--list --exact work")), "");
}

fn calls_everything_once_as_a_test() {
    let output = run("");
    assert_eq!(output.status.code(), Some(0));
    let text = out(&output);
    assert!(text.contains("test work/some ... ok\n"), "{text}");
    assert_eq!(text.matches("printed by a bench").count(), 1, "{text}");
    assert!(text.contains("test result: ok. 6 called once, 0 failed"), "{text}");
    // As nextest runs one of them.
    let one = out(&run("work/some --exact --nocapture"));
    assert!(one.starts_with("test work/some ... ok\n"), "{one}");
    assert!(!one.contains("last"), "{one}");
    let output = run_at(&std::env::current_exe().unwrap(), "", &[("PANIC", "1")]);
    assert_eq!(output.status.code(), Some(4));
    assert!(out(&output).contains("test panics ... FAILED"), "{}", out(&output));
    assert!(err(&output).contains("error: panics: it panicked: out of cheese"));
}

fn finds_what_differs() {
    // The same loop at two places in memory may differ by a percent, for real.
    let found = json("^pair --max-time 400ms --margin 4% --seed 3");
    assert_eq!(found["schema"], "fathom/1");
    assert_eq!(found["seed"], 3);
    let comparisons = found["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2);
    let [long, same] = &comparisons[..] else { unreachable!() };
    assert_eq!((&long["reference"], &long["subject"]), (&"pair/short".into(), &"pair/long".into()));
    // Ten percent: it would take a very bad day to miss it, or to find it where it is not.
    assert_eq!(long["verdict"], "slower", "{long}");
    assert_ne!(same["verdict"], "slower", "{same}");
    assert_ne!(same["verdict"], "faster", "{same}");
    assert_eq!(long["paired"], "batches");
    let ratio = long["ratio"].as_f64().unwrap();
    assert!((1.05..1.15).contains(&ratio), "{ratio}");
    assert_eq!(found["subjects"].as_array().unwrap().len(), 3);
    assert!(found["harness"]["loop_floor"].as_f64().unwrap() > 0.0);
    let subject = &found["subjects"][0];
    assert!(subject["function"]["calls_per_batch"].as_u64().unwrap() > 1);
    // The blocks follow from the seed: the same values in another order would be another result.
    assert!(subject.get("values").is_none());
    let with_values = json("^pair --max-time 100ms --include-values");
    assert!(!with_values["subjects"][0]["values"].as_array().unwrap().is_empty());
}

fn recognises_what_was_optimised_away() {
    let found = json("^nothing$ work/bytes --max-time 100ms");
    let of = |name: &str| {
        let subjects = found["subjects"].as_array().unwrap();
        subjects.iter().find(|subject| subject["name"] == name).unwrap()["function"].clone()
    };
    if cfg!(debug_assertions) {
        return; // Without optimisation nothing is optimised away.
    }
    assert_eq!(of("nothing")["zero_measurement"], true);
    assert_eq!(of("work/bytes")["zero_measurement"], false);
    assert!(of("work/bytes")["throughput"]["per_second"].as_f64().unwrap() > 1e9);
    let text = out(&run("--bench --no-results ^nothing$ --max-time 100ms"));
    assert!(text.contains("optimized away"), "{text}");
}

fn goes_on_after_a_panic() {
    let words = "--bench --no-results --max-time 50ms panics last";
    let output = run_at(&std::env::current_exe().unwrap(), words, &[("PANIC", "1")]);
    assert_eq!(output.status.code(), Some(4));
    assert!(err(&output).contains("error: panics: it panicked: out of cheese"), "{}", err(&output));
    assert!(out(&output).contains("last"), "{}", out(&output));
}

fn refuses_what_it_does_not_understand() {
    for (words, said) in [
        ("--bench --max-tme 1s", "did you mean --max-time?"),
        ("--bench --margin x", "percentage"),
        ("--bench (", "is not a valid regular expression"),
        ("--bench --baseline nowhere", "has no baseline nowhere"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words}: {}", err(&output));
        let text = err(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{words}: {text}");
        assert_eq!(out(&output), "", "{words}");
    }
}

fn measures_nothing_where_nothing_matches() {
    // Cargo gives all benches of a package the same filter, and stops at the first that fails.
    for (words, said) in [
        (
            "--bench nowhere",
            "note: no bench matches nowhere; the benches are work/some, work/bytes",
        ),
        ("--bench --exact work --fail-if-slower 2%", "note: no bench matches work"),
        ("--bench --skip .", "note: --skip and --ignored exclude all of work/some"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words}: {}", err(&output));
        assert!(err(&output).contains(said), "{words}: {}", err(&output));
        assert_eq!(out(&output), "", "{words}");
    }
    let found = json("nowhere");
    assert_eq!(found["subjects"].as_array().map(Vec::len), Some(0), "{found}");
}

/// 8192 inputs of 8 MiB would be 64 GiB.
fn holds_few_large_inputs_at_once() {
    let found = json("^large --include-ignored --max-time 200ms");
    let subjects = found["subjects"].as_array().unwrap();
    assert_eq!(subjects.len(), 2, "{found}");
    for subject in subjects {
        let calls = subject["function"]["calls_per_batch"].as_u64().unwrap();
        // 128 MiB of them, by how the process grew.
        assert!((1..=20).contains(&calls), "{subject}");
    }
}

fn advises_only_what_it_can_do() {
    // Too short for an interval: that is where other commands have options to name.
    let output =
        run("--bench --no-results ^slow --include-ignored --max-time 1ms -v --margin 0.01%");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let help = out(&run("--help"));
    for text in [out(&output), err(&output)] {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
            let is_option = word.starts_with("--") && word.len() > 2;
            assert!(!is_option || help.contains(word), "{word} in {text}");
        }
    }
}

/// What a script's background job ignores stays ignored.
fn goes_on_where_interrupts_are_ignored() {
    let this = std::env::current_exe().unwrap();
    let child = Command::new("/bin/sh")
        .args(["-c", "trap '' INT; exec \"$0\" --bench --no-results ^last --max-time 1500ms --precision 0.000001%"])
        .arg(this)
        .env(AS_BENCH, "1")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!out(&output).contains("interrupted"), "{}", out(&output));
}

fn keeps_results_and_baselines() {
    let (folder, executable) = copy_in_target_folder();
    let saved = run_at(&executable, "--bench work/some --max-time 100ms --save main", &[]);
    assert_eq!(saved.status.code(), Some(0), "{}", err(&saved));
    let results = folder.path().join("target/fathom/demo");
    let latest = std::fs::read_to_string(results.join("latest.json")).unwrap();
    assert_eq!(std::fs::read_to_string(results.join("main.json")).unwrap(), latest);
    let report = fathom_analyze::Document::read(&latest).unwrap();
    assert_eq!(report.subjects[0].series.name(), "work/some");
    assert!(report.command_line.starts_with("cargo bench --bench demo"), "{}", report.command_line);

    // The saved executable is measured again, alternating with this one, which is the same.
    let words = "--bench work/some --baseline main --max-time 1200ms --format json";
    let output = run_at(&executable, words, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let comparison = &found["comparisons"][0];
    assert_eq!(comparison["reference"], "work/some (main)");
    assert_eq!(comparison["paired"], "executions");
    assert!(comparison["pairs"].as_u64().unwrap() >= 10, "{comparison}");
    let ratio = comparison["ratio"].as_f64().unwrap();
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
    let unknown = run_at(&executable, "--bench --baseline old", &[]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("the saved ones are main"), "{}", err(&unknown));
}

fn looks_at_files_first_and_always_answers() {
    let (folder, executable) = copy_in_target_folder();
    let words = "--bench work/some --max-time 50ms";
    let nowhere = folder.path().join("none/x.json");
    let refused = run_at(&executable, &format!("{words} --export-json {}", nowhere.display()), &[]);
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""));
    assert!(err(&refused).contains("does not exist"), "{}", err(&refused));
    // It can be opened, and takes nothing: a full disk.
    let full = run_at(&executable, &format!("{words} --export-json /dev/full"), &[]);
    assert_eq!(full.status.code(), Some(2));
    assert!(out(&full).contains("some"), "{}", out(&full));
    assert!(err(&full).contains("cannot write /dev/full"), "{}", err(&full));
    // A folder where results should be.
    let results = folder.path().join("target/fathom/demo");
    std::fs::remove_file(results.join("latest.json")).unwrap();
    std::fs::create_dir(results.join("latest.json")).unwrap();
    let kept = run_at(&executable, words, &[]);
    assert_eq!((kept.status.code(), out(&kept).as_str()), (Some(2), ""));
    let said = err(&kept).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("use --no-results to skip saving"), "{said}");
    assert_eq!(run_at(&executable, &format!("{words} --no-results"), &[]).status.code(), Some(0));
}

/// A folder with a program `fathom` that is this script.
fn fake_fathom(script: &str) -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("fathom");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// One that answers to --version, and else does this.
fn fake_of_this_version(otherwise: &str) -> tempfile::TempDir {
    let version = env!("CARGO_PKG_VERSION");
    fake_fathom(&format!("[ \"$1\" = --version ] && echo 'fathom {version}' && exit\n{otherwise}"))
}

/// Measures shortly, with nothing else in PATH.
fn run_with_path(executable: &Path, words: &str, path: &Path) -> Output {
    let words = format!("--bench work/some --max-time 50ms {words}");
    run_at(executable, &words, &[("PATH", path.to_str().unwrap()), ("CI", "1")])
}

/// What it complains of, in one line.
fn complaint(output: &Output) -> String {
    err(output).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_a_report_made_and_says_where() {
    let (folder, executable) = copy_in_target_folder();
    let target = folder.path().join("target").canonicalize().unwrap();
    let fake = fake_of_this_version(
        "echo \"$*\" \"$CARGO_TARGET_DIR\" >\"$4\"; echo 'warning: odd' >&2; echo \"wrote $4\" >&2",
    );
    let chosen = folder.path().join("chosen.html");
    let usual = target.join("fathom/demo/report.html");
    let with_file = format!("--report={}", chosen.display());
    for (words, file) in [("--report", &usual), (with_file.as_str(), &chosen)] {
        let output = run_with_path(&executable, words, fake.path());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(out(&output).contains("some"), "{}", out(&output));
        let said = complaint(&output);
        assert!(said.contains(&format!("report: {}", file.display())), "{said}");
        assert!(said.contains("warning: odd"), "{said}");
        assert!(!said.contains("wrote ") && !said.contains("opened"), "{said}");
        let asked = std::fs::read_to_string(file).unwrap();
        let expected = format!("report demo@latest -o {} {}\n", file.display(), target.display());
        assert_eq!(asked, expected);
    }
    // Where nothing is measured there is nothing to show.
    std::fs::remove_file(&usual).unwrap();
    let none = run_with_path(&executable, "--skip . --report", fake.path());
    assert_eq!(none.status.code(), Some(0), "{}", err(&none));
    assert!(!usual.exists());
    let refused = run_with_path(&executable, "--no-results --report", fake.path());
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""));
    assert!(complaint(&refused).contains("use one of them"), "{}", err(&refused));
}

fn keeps_results_that_nothing_can_report() {
    let none = tempfile::tempdir().unwrap();
    let old = fake_fathom("echo 'fathom 0.0.9'");
    let other = fake_fathom("echo 'Fathom, a game about the sea'");
    let failing = fake_of_this_version("echo 'error: the page has leaves' >&2; exit 2");
    let install = format!(
        "install it with `cargo install --locked fathom-cli --version {}`",
        env!("CARGO_PKG_VERSION")
    );
    let needs = format!(
        "--report needs fathom {} or later, and fathom 0.0.9 is installed; ",
        env!("CARGO_PKG_VERSION")
    );
    for (path, said) in [
        (&none, format!("--report needs the program fathom, which is not in PATH; {install}")),
        (&old, format!("{needs}{install}")),
        (&other, format!("the program fathom in PATH is not Fathom; {install}")),
        (&failing, "`fathom report` failed: the page has leaves".to_string()),
    ] {
        let (folder, executable) = copy_in_target_folder();
        let output = run_with_path(&executable, "--report", path.path());
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(out(&output).contains("some"), "{}", out(&output));
        let results = folder.path().join("target/fathom/demo").canonicalize().unwrap();
        let page = results.join("report.html");
        let kept = results.join("latest.json");
        let expected = format!(
            "error: {said}; then run `fathom report demo@latest -o {}`. The results are kept in {}.",
            page.display(),
            kept.display()
        );
        let complaint = complaint(&output);
        assert!(complaint.ends_with(&expected), "{complaint}\nis not\n{expected}");
        assert!(!page.exists());
        fathom_analyze::Document::read(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    }
}

fn is_decided_by_gates() {
    let with = |gate: &str| {
        let output = run(&format!("--bench --no-results ^pair --max-time 400ms {gate}"));
        (
            output.status.code().unwrap(),
            out(&output).split_whitespace().collect::<Vec<_>>().join(" "),
        )
    };
    let (code, text) = with("--fail-if-slower 2%");
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("gate --fail-if-slower 2%: FAILED, pair/long is slower by more than 2%"),
        "{text}"
    );
    assert_eq!(with("--fail-if-slower 50%").0, 0);
    assert_eq!(with("--require-equivalent 2%").0, 1);
    // Without a comparison no gate could fail, so none passes.
    let alone = "--bench --no-results work/bytes --max-time 100ms --fail-if-slower 2%";
    let output = run(alone);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(err(&output).contains("because nothing was compared"), "{}", err(&output));
    assert_eq!(run(&format!("{alone} --allow-inconclusive")).status.code(), Some(0));
    let output = run("--bench --profile-time 1 --fail-if-slower 2%");
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
}

fn writes_tables() {
    let csv = out(&run("--bench --no-results work/bytes ^pair --max-time 100ms --format csv"));
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().starts_with("name,seconds,lower,upper,"), "{csv}");
    assert!(lines.next().unwrap().starts_with("work/bytes,"), "{csv}");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let markdown = out(&run("--bench --no-results ^last --max-time 100ms --format markdown"));
    assert!(markdown.starts_with("| name"), "{markdown}");
    assert!(markdown.contains("| last"), "{markdown}");
}

fn writes_for_bencher_and_in_lines_of_tests() {
    let words = "--bench --no-results work/bytes ^pair --max-time 100ms --format";
    let output = run(&format!("{words} bencher"));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["pair/long"]["latency"]["value"].as_f64().unwrap() > 10.0, "{found}");
    assert_eq!(found.as_object().unwrap().len(), 4, "{found}");
    let lines = out(&run(&format!("{words} libtest")));
    assert!(lines.starts_with("test work/bytes ... bench: "), "{lines}");
    assert_eq!(lines.matches(" ns/iter (+/- ").count(), 4, "{lines}");
}

fn keeps_what_benches_print_apart() {
    let output = run("--bench --no-results ^loud --max-time 20ms --format json");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["subjects"][0]["name"], "loud");
    assert!(err(&output).contains("printed by a bench"));
}

fn shows_what_it_has_when_interrupted() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // The test may run in a script's background, where SIGINT is ignored.
    let child = fathom_sys::signals::at_default(&mut command)
        .args(["--bench", "--no-results", "work/some", "--max-time", "100s"])
        .args(["--precision", "0.000001%"])
        .env(AS_BENCH, "1")
        .env("NO_COLOR", "1")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // It warms up for a twentieth of the time; before it measures there is nothing to show.
    std::thread::sleep(std::time::Duration::from_millis(700));
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("some") && text.contains("interrupted"), "{text}");
}
