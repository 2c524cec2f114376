//! `fathom analyze` as a user meets it: the real binary, real files, 80 columns.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn top() -> PathBuf {
    fathom_testkit::repository::top()
}

/// The binary, run in the top folder without colours from the environment.
fn fathom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(arguments).current_dir(top()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn run(arguments: &[&str]) -> Output {
    fathom(arguments).output().unwrap()
}

fn run_with_input(arguments: &[&str], input: &str) -> Output {
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
fn transcript(arguments: &[&str], output: &Output) -> String {
    format!(
        "$ fathom {}\n{}{}[exit {}]\n",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().unwrap()
    )
}

fn shown(arguments: &[&str]) -> String {
    transcript(arguments, &run(arguments))
}

fn shown_with_input(arguments: &[&str], input: &str) -> String {
    transcript(arguments, &run_with_input(arguments, input))
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", transcript(arguments, &output));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&stdout(&arguments)).unwrap()
}

const RUNTIME: &str = "testdata/spa/ferret_3mb_runtime.csv";
const MAXLOAD: &str = "testdata/spa/ferret_3mb_maxload.csv";
const HYPERFINE: &str = "testdata/formats/hyperfine/v1-two-commands.json";
const WARMUP: &str = "testdata/series/warmup.csv";
const WORK: &str = "testdata/series/work.csv";
const PYPERF: &str = "testdata/formats/pyperf/sort.json";

#[test]
fn one_subject() {
    insta::assert_snapshot!(shown(&["analyze", RUNTIME, "--unit", "s"]));
}

#[test]
fn one_subject_verbose_with_several_statistics() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        RUNTIME,
        "--unit",
        "s",
        "--statistic",
        "median",
        "--statistic",
        "mean",
        "--statistic",
        "p99.9",
        "-v",
    ]));
}

#[test]
fn several_subjects() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        HYPERFINE,
        "--statistic",
        "median",
        "--statistic",
        "p90"
    ]));
}

#[test]
fn quiet() {
    insta::assert_snapshot!(
        shown(&["analyze", RUNTIME, "-q"]) + &shown(&["analyze", HYPERFINE, "-q"])
    );
}

#[test]
fn every_method() {
    let mut text = String::new();
    for (method, statistic) in [
        ("exact", "p90"),
        ("sequence", "p90"),
        ("spa", "p90"),
        ("bca", "p90"),
        ("sign", "median"),
        ("t", "mean"),
        ("z", "mean"),
        ("bca", "mean"),
    ] {
        text += &shown(&["analyze", RUNTIME, "--method", method, "--statistic", statistic]);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn one_sided_bounds() {
    insta::assert_snapshot!(
        shown(&["analyze", RUNTIME, "--sides", "upper", "--statistic", "p99"])
            + &shown(&["analyze", RUNTIME, "--sides", "lower", "--statistic", "mean"])
    );
}

#[test]
fn the_papers_question_in_all_four_directions() {
    let mut text = String::new();
    for direction in ["lt", "le", "gt", "ge"] {
        text += &shown(&[
            "analyze",
            MAXLOAD,
            "--method",
            "spa",
            "--proportion",
            "0.9",
            "--direction",
            direction,
            "--confidence",
            "90%",
            "-q",
        ]);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn too_few_samples() {
    let mut text = String::new();
    for n in [1, 2, 5] {
        let input: String = (1..=n).map(|i| format!("{i}\n")).collect();
        text += &shown_with_input(&["analyze", "-"], &input);
    }
    text +=
        &shown_with_input(&["analyze", "-", "--statistic", "mean", "--statistic", "p99"], "3\n");
    insta::assert_snapshot!(text);
}

#[test]
fn cleaning_is_shown() {
    insta::assert_snapshot!(shown(&["analyze", WARMUP]));
}

#[test]
fn cleaning_is_shown_in_full() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        WARMUP,
        "-v",
        "--statistic",
        "mean",
        "--statistic",
        "median"
    ]));
}

#[test]
fn cleaning_follows_its_options() {
    let mut text = String::new();
    for option in [
        &["--steady-state", "off"][..],
        &["--steady-state", "300"],
        &["--steady-state", "2000"],
        &["--outliers", "remove"],
        &["--outliers", "keep"],
        &["--outlier-method", "full"],
        &["--outlier-method", "tukey"],
        &["--outlier-method", "mad"],
        &["--outlier-grid", "off"],
        &["--outlier-grid", "30"],
        &["--assume-independent"],
        &["--method", "sequence"],
    ] {
        let arguments: Vec<&str> =
            ["analyze", WARMUP, "--statistic", "median"].iter().chain(option).copied().collect();
        text += &shown(&arguments);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn series_that_are_not_steady_say_so() {
    let noise = |i: u32| f64::from((31 * i * i + 37 * i) % 101) / 10.0;
    let series = |extra: &dyn Fn(u32) -> f64| -> String {
        (0..120).map(|i| format!("{}\n", 1000.0 + noise(i) + extra(i))).collect()
    };
    let slower = series(&|i| if i >= 60 { 50.0 } else { 0.0 });
    let late = series(&|i| if i >= 110 { 50.0 } else { 0.0 });
    let wandering: String =
        (0..60).map(|i| format!("{}\n", 100.0 + 20.0 * (f64::from(i) / 19.0).sin())).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-"], &slower)
            + &shown_with_input(&["analyze", "-"], &late)
            + &shown_with_input(
                &["analyze", "-", "--steady-state", "off", "--statistic", "mean"],
                &wandering
            )
    );
}

#[test]
fn rates_are_averaged_harmonically() {
    let rates: String = (0..30).map(|i| format!("{}\n", 100 + (7 * i) % 13)).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--unit", "req/s", "--statistic", "mean"], &rates)
            + &shown_with_input(
                &["analyze", "-", "--unit", "req/s", "--statistic", "harmonic-mean"],
                &rates
            )
    );
}

#[test]
fn outcomes_are_proportions() {
    let mixed: String = (0..60).map(|i| format!("{}\n", i32::from((7 * i) % 5 != 0))).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--statistic", "mean"], &"1\n".repeat(30))
            + &shown_with_input(&["analyze", "-", "--statistic", "mean"], &mixed)
    );
}

#[test]
fn work_per_second() {
    let bent: String = (1..=20).map(|i| format!("{i},{}\n", i * i)).collect();
    let mut text = shown(&["analyze", WORK, "--work-column", "blocks", "--unit", "s"]);
    text +=
        &shown(&["analyze", WORK, "--work-column", "1", "--column", "2", "--format", "markdown"]);
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], &bent);
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], "5,1\n5,2\n5,3\n");
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], "1,2,3\n4,5,6\n7,8,9\n");
    text += &shown_with_input(&["analyze", "-", "--work-column", "size"], "1,2\n4,5\n7,8\n");
    insta::assert_snapshot!(text);
    let document = json(&["analyze", WORK, "--work-column", "blocks"]);
    let work = &document["subjects"][0]["work"];
    assert!((work["rate"].as_f64().unwrap() - 250.0).abs() < 5.0, "{work}");
    assert!((work["setup"].as_f64().unwrap() - 0.8).abs() < 0.1, "{work}");
}

#[test]
fn the_json_of_cleaning() {
    let mut document = json(&["analyze", WARMUP, "--correlogram"]);
    let subject = &mut document["subjects"][0];
    let correlogram = subject["autocorrelation"]["correlogram"].as_array_mut().unwrap();
    assert_eq!(correlogram.len(), 838);
    correlogram.truncate(3);
    insta::assert_snapshot!(serde_json::to_string_pretty(subject).unwrap());
}

#[test]
fn constant_data_is_resolution_limited() {
    insta::assert_snapshot!(shown_with_input(
        &["analyze", "-", "--unit", "ns", "--statistic", "median", "--statistic", "mean"],
        &"12\n".repeat(40)
    ));
}

#[test]
fn skewed_means_and_broken_bootstraps_are_warned_of() {
    let heavy: String =
        (1..=60).map(|i| format!("{}\n", 1.0 / f64::from(61 - i).powf(1.5))).collect();
    let tied = "1\n2\n2\n2\n2\n2\n2\n2\n3\n";
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--statistic", "mean"], &heavy)
            + &shown_with_input(&["analyze", "-", "--method", "bca"], tied)
    );
}

#[test]
fn executions_count_once_unless_told_otherwise() {
    insta::assert_snapshot!(
        shown(&["analyze", PYPERF, "--confidence", "0.8", "--statistic", "p90"])
            + &shown(&["analyze", PYPERF, "--confidence", "0.8", "--assume-independent"])
    );
}

#[test]
fn tables() {
    insta::assert_snapshot!(
        shown(&["analyze", HYPERFINE, "--format", "csv", "--statistic", "p99"])
            + &shown(&["analyze", HYPERFINE, "--format", "markdown"])
    );
}

#[test]
fn the_json_contract() {
    let text = stdout(&[
        "analyze",
        HYPERFINE,
        "--format",
        "json",
        "--include-values",
        "--statistic",
        "p90",
        "--statistic",
        "mean",
    ]);
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn wrong_usage() {
    let mut text = String::new();
    for arguments in [
        &["analyze"][..],
        &["analyze", RUNTIME, "--confidence", "95"],
        &["analyze", RUNTIME, "--confidence", "0.3"],
        &["analyze", RUNTIME, "--statistic", "99"],
        &["analyze", RUNTIME, "--statistic", "p100"],
        &["analyze", RUNTIME, "--statistic", "max"],
        &["analyze", RUNTIME, "--statistic", "mean", "--method", "exact"],
        &["analyze", RUNTIME, "--method", "t"],
        &["analyze", RUNTIME, "--statistic", "p90", "--method", "sign"],
        &["analyze", RUNTIME, "--method", "spa", "--sides", "upper"],
        &["analyze", RUNTIME, "--method", "magic"],
        &["analyze", RUNTIME, "--direction", "ge"],
        &["analyze", RUNTIME, "--proportion", "0.9", "--statistic", "mean"],
        &["analyze", RUNTIME, "--input-format", "xml"],
        &["analyze", RUNTIME, "--unit", ""],
        &["analyze", RUNTIME, "-u", "fortnight"],
        &["analyze", "-", "-"],
        &["analyze", "no such file"],
        &["analyze", "crates"],
        &["analyze", RUNTIME, "--column", "time"],
        &["analyze", RUNTIME, "--export-json", "no such folder/out.json"],
        &["man", "analyse"],
        &["analyse"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        text += &transcript(arguments, &output);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn same_data_and_seed_give_the_same_bytes() {
    let bytes = |seed: &str| {
        run(&[
            "analyze",
            RUNTIME,
            "--format",
            "json",
            "--include-values",
            "--method",
            "bca",
            "--statistic",
            "mean",
            "--seed",
            seed,
        ])
        .stdout
    };
    assert_eq!(bytes("42"), bytes("42"));
    let ends = |seed: &str| {
        json(&[
        "analyze", RUNTIME, "--method", "bca", "--statistic", "mean", "--seed", seed,
    ])["subjects"][0]["estimates"][0]["lower"].clone()
    };
    assert_ne!(ends("42"), ends("43"));
}

/// Every option changes what comes out.
#[test]
fn every_option_changes_the_result() {
    let plain = stdout(&["analyze", HYPERFINE, "--assume-independent"]);
    assert_ne!(stdout(&["analyze", HYPERFINE]), plain, "--assume-independent");
    for option in [
        &["--statistic", "mean"][..],
        &["--confidence", "0.9"],
        &["--method", "sequence"],
        &["--sides", "upper"],
        &["--proportion", "0.8"],
        &["--proportion", "0.8", "--direction", "ge"],
        &["--outliers", "remove"],
        &["--outliers", "keep"],
        &["--column", "memory_usage_byte"],
        &["--unit", "ms"],
        &["--join", "--column", "times"],
        &["--format", "json"],
        &["--time-unit", "us"],
        &["--quiet"],
        &["--verbose"],
        &["--color", "always"],
    ] {
        let arguments: Vec<&str> =
            ["analyze", HYPERFINE, "--assume-independent"].iter().chain(option).copied().collect();
        // Joining one file alone changes nothing; it takes two.
        let text = if option.contains(&"--join") {
            stdout(&["analyze", HYPERFINE, HYPERFINE, "--join", "--assume-independent"])
        } else {
            stdout(&arguments)
        };
        assert_ne!(text, plain, "{option:?}");
    }
    // What needs more than twelve samples to show; the names of the options do not count.
    let cleaned = |option: &[&str]| {
        let arguments: Vec<&str> = ["analyze", WARMUP].iter().chain(option).copied().collect();
        let mut subject = json(&arguments)["subjects"][0].clone();
        subject["outliers"]["method"].take();
        subject
    };
    for option in [
        &["--steady-state", "off"][..],
        &["--steady-state", "300"],
        &["--outlier-method", "full"],
        &["--outlier-method", "tukey"],
        &["--outlier-method", "mad"],
        &["--outlier-grid", "off"],
        &["--outlier-grid", "30"],
    ] {
        assert_ne!(cleaned(option), cleaned(&[]), "{option:?}");
    }
    assert_ne!(json(&["analyze", WARMUP]), json(&["analyze", WARMUP, "--correlogram"]));
    let forced = run(&["analyze", HYPERFINE, "--input-format", "csv"]);
    assert_eq!(forced.status.code(), Some(2));
    let with = |option: &str| json(&["analyze", HYPERFINE, option]);
    assert!(with("--include-values")["subjects"][0]["values"].is_array());
    assert!(json(&["analyze", HYPERFINE])["subjects"][0].get("values").is_none());
    let levels = |arguments: &[&str]| json(arguments)["subjects"][0]["sample"].clone();
    assert_eq!(levels(&["analyze", PYPERF]), "execution");
    assert_eq!(levels(&["analyze", PYPERF, "--assume-independent"]), "value");
}

#[test]
fn infinite_ends_are_strings_and_missing_samples_are_counted() {
    let document = json(&["analyze", HYPERFINE, "--statistic", "p99", "--assume-independent"]);
    let estimate = &document["subjects"][0]["estimates"][0];
    assert_eq!(estimate["upper"], "inf");
    assert_eq!(estimate["n_needed"], 299);
    assert_eq!(document["schema"], "fathom/1");
    assert_eq!(document["subjects"][0]["stopped"], "fixed");
}

#[test]
fn exports_are_written_and_fathoms_own_json_reads_back() {
    let folder = scratch("exports");
    let path = |name: &str| folder.join(name).display().to_string();
    let [json_file, csv, markdown, asciidoc, orgmode] =
        ["out.json", "out.csv", "out.md", "out.adoc", "out.org"].map(path);
    stdout(&[
        "analyze",
        HYPERFINE,
        "--export-json",
        &json_file,
        "--export-csv",
        &csv,
        "--export-markdown",
        &markdown,
        "--export-asciidoc",
        &asciidoc,
        "--export-orgmode",
        &orgmode,
    ]);
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    insta::assert_snapshot!(
        [read(&csv), read(&markdown), read(&asciidoc), read(&orgmode)].join("\n")
    );
    let (first, again) = (json(&["analyze", HYPERFINE]), json(&["analyze", &json_file]));
    assert_eq!(first["subjects"], again["subjects"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_export_to_standard_output_comes_with_the_report() {
    let text = stdout(&["analyze", RUNTIME, "--export-csv", "-"]);
    assert!(text.contains("subject,metric,unit") && text.contains("sure at 95%"));
}

#[test]
fn files_of_single_executions_are_joined() {
    let folder = scratch("join");
    let files: Vec<String> = (0..8)
        .map(|i| {
            let file = folder.join(format!("run{i}.txt"));
            std::fs::write(&file, format!("{}\n", 10 + i)).unwrap();
            file.display().to_string()
        })
        .collect();
    let mut arguments = vec!["analyze", "--join"];
    arguments.extend(files.iter().map(String::as_str));
    let document = json(&arguments);
    assert_eq!(document["subjects"].as_array().unwrap().len(), 1);
    assert_eq!(document["subjects"][0]["name"], "8 files");
    assert_eq!(document["subjects"][0]["estimates"][0]["value"], 13.5);
    std::fs::write(folder.join("run7.txt"), "x_ms\n17\n").unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("say the unit of all with --unit"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = fathom(&["analyze", RUNTIME, "--format", "json", "--include-values"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn colours_follow_the_rules() {
    let colourful = |command: &mut Command| command.output().unwrap().stdout.contains(&0x1b);
    assert!(!colourful(&mut fathom(&["analyze", RUNTIME])), "a pipe has no colours");
    assert!(colourful(&mut fathom(&["analyze", RUNTIME, "--color", "always"])));
    assert!(colourful(fathom(&["analyze", RUNTIME, "--color", "always"]).env("NO_COLOR", "1")));
    assert!(!colourful(&mut fathom(&["analyze", RUNTIME, "--color", "never"])));
}

#[test]
fn names_from_files_cannot_steer_the_terminal() {
    let output = run_with_input(&["analyze", "-"], "\"a\u{1b}[31m|b\"\n1\n2\n3\n");
    assert!(!output.stdout.contains(&0x1b), "{}", String::from_utf8_lossy(&output.stdout));
    let table = run_with_input(&["analyze", "-", "--format", "markdown"], "\"a|b\"\n1\n2\n");
    assert!(String::from_utf8_lossy(&table.stdout).contains("a\\|b"));
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&["completions", shell]).contains("assume-independent"), "{shell}");
    }
    assert!(stdout(&["man", "analyze"]).contains("assume\\-independent"));
    assert!(stdout(&["man"]).contains("Exit codes"));
}

#[test]
fn help_fits_80_columns_when_the_terminal_has_them() {
    for line in stdout(&["analyze", "-h"]).lines().chain(stdout(&["--help"]).lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn extreme_numbers_give_answers() {
    for input in [
        "1e308\n-1e308\n1.7e308\n1e308\n-1.5e308\n1e300\n0\n",
        "5e-324\n1e-320\n0\n3e-310\n2e-309\n1e-315\n",
        "-5\n-4\n-3\n-2\n-1\n0\n",
    ] {
        for statistic in ["median", "mean", "p99"] {
            let output = run_with_input(&["analyze", "-", "--statistic", statistic, "-v"], input);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{statistic}");
            assert!(!text.contains("NaN"), "{text}");
        }
    }
}

/// The README shows what the binary prints.
#[test]
fn the_readme_transcript_is_real() {
    let readme = std::fs::read_to_string(top().join("README.md")).unwrap();
    let blocks: Vec<&str> = readme
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .filter(|block| block.starts_with("$ fathom analyze"))
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let (command, expected) = block.split_once('\n').unwrap();
        let words: Vec<&str> = command.split(' ').skip(2).collect();
        assert_eq!(stdout(&words), expected, "{command}");
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
