//! The command line itself: wrong usage, options, pipes, colours, help.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use harness::*;

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
        &["analyze", RUNTIME, "--method", "subsession"],
        &["analyze", RUNTIME, "--statistic", "mean", "--subsession-range", "0.2"],
        &["analyze", RUNTIME, "--statistic", "mean", "--method", "t", "--subsession-range", "0.2"],
        &[
            "analyze",
            RUNTIME,
            "--statistic",
            "mean",
            "--method",
            "subsession",
            "--subsession-range",
            "0",
        ],
        &[
            "analyze",
            RUNTIME,
            "--statistic",
            "mean",
            "--method",
            "subsession",
            "--assume-independent",
        ],
        &["analyze", RUNTIME, "--method", "magic"],
        &["analyze", RUNTIME, "--direction", "ge"],
        &["analyze", RUNTIME, "--probability", "0.9", "--statistic", "mean"],
        &["analyze", RUNTIME, "--input-format", "xml"],
        &["analyze", RUNTIME, "--unit", ""],
        &["analyze", RUNTIME, "-u", "fortnight"],
        &["analyze", "-", "-"],
        &["analyze", "no such file"],
        &["analyze", "crates"],
        &["analyze", RUNTIME, "--column", "time"],
        &["analyze", RUNTIME, "--export-json", "no such folder/out.json"],
        &["man", "analise"],
        &["analise"],
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

#[test]
fn every_option_changes_the_result() {
    let plain = stdout(&["analyze", HYPERFINE, "--assume-independent"]);
    assert_ne!(stdout(&["analyze", HYPERFINE]), plain, "--assume-independent");
    for option in [
        &["--statistic", "mean"][..],
        &["--confidence", "0.9"],
        &["--method", "sequence"],
        &["--sides", "upper"],
        &["--probability", "0.8"],
        &["--probability", "0.8", "--direction", "ge"],
        &["--outliers", "remove"],
        &["--outliers", "keep"],
        &["--column", "memory_usage_byte"],
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
    // It says what the file does not; what hyperfine says is not replaced.
    assert_ne!(stdout(&["analyze", RUNTIME, "--unit", "ms"]), stdout(&["analyze", RUNTIME]));
    let (code, text) = errors(&["analyze", HYPERFINE, "--unit", "ms"]);
    assert!(code == Some(2) && text.contains("does not convert"), "{text}");
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
        &["--outlier-method", "adjusted-boxplot"],
        &["--outlier-grid", "off"],
        &["--outlier-grid", "30"],
        &["--outlier-share", "5%"],
        &["--outlier-min-pts", "30"],
        &["--outlier-curve", "1,-2"],
        &["--outlier-level", "0.1"],
    ] {
        assert_ne!(cleaned(option), cleaned(&[]), "{option:?}");
    }
    assert_ne!(json(&["analyze", WARMUP]), json(&["analyze", WARMUP, "--correlogram"]));
    let table = |option: &[&str]| {
        let base = ["analyze", WARMUP, "--format", "markdown"];
        stdout(&base.iter().chain(option).copied().collect::<Vec<_>>())
    };
    assert_ne!(table(&["--time-unit", "us"]), table(&[]));
    // What a rate of work does not go through is refused, not ignored.
    let rate = |option: &[&str]| {
        let base = ["analyze", WORK, "--work-column", "blocks"];
        run(&base.iter().chain(option).copied().collect::<Vec<_>>())
    };
    // Only where amounts rise can a drift look like work.
    let mut rows: Vec<(u64, String)> = std::fs::read_to_string(top().join(WORK))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| (line.split(',').next().unwrap().parse().unwrap(), line.to_string()))
        .collect();
    rows.sort();
    let lines: Vec<&str> = rows.iter().map(|(_, line)| line.as_str()).collect();
    let rising = scratch("usage-rising-work").join("work.csv");
    std::fs::write(&rising, format!("blocks,seconds\n{}\n", lines.join("\n"))).unwrap();
    let base = ["analyze", rising.to_str().unwrap(), "--work-column", "blocks"];
    let independent = stdout(&[&base[..], &["--assume-independent"]].concat());
    assert_ne!(independent, stdout(&base));
    for option in [
        &["--steady-state", "off"][..],
        &["--outliers", "keep"],
        &["--outlier-method", "full"],
        &["--outlier-grid", "off"],
        &["--outlier-share", "5%"],
        &["--outlier-min-pts", "30"],
        &["--outlier-curve", "1,-2"],
        &["--outlier-level", "0.1"],
        &["--statistic", "mean"],
        &["--method", "t"],
        &["--correlogram"],
    ] {
        assert_eq!(rate(option).status.code(), Some(2), "{option:?}");
    }
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
fn a_broken_pipe_ends_quietly() {
    // More than a pipe holds, so that the write fails whichever side is faster.
    let folder = scratch("pipe");
    let file = folder.join("many.txt");
    std::fs::write(&file, "0.123456\n".repeat(50_000)).unwrap();
    let file = file.display().to_string();
    let mut child = fathom(&["analyze", &file, "--format", "json", "--include-values"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    std::fs::remove_dir_all(folder).unwrap();
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

/// `std::env::args` panics at words that are not text.
#[test]
fn words_that_are_no_text_are_wrong_usage() {
    for word in [&b"\xff\xfe"[..], b"--\xff"] {
        let output = fathom(&[]).arg(OsStr::from_bytes(word)).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("error:"), "{error}");
    }
}

#[test]
fn words_that_are_quoted_do_not_steer_the_terminal() {
    let output = fathom(&["\u{1b}]0;title\u{7}"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("title") && !error.contains("\u{1b}]"), "{error:?}");
}
