//! `check` counts executions, and says with the answer what limits it: rows of a trace, files and
//! seeds given twice, executions that repeat each other, conditions that never held, host time,
//! and programs that changed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A check of files in a folder, where they are.
fn within(folder: &Path, words: &[&str]) -> Output {
    fathom(words).current_dir(folder).output().unwrap()
}

fn quiet(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = within(folder, &[&words[..1], &["-q"], &words[1..]].concat());
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn found(folder: &Path, words: &[&str]) -> Value {
    document(&within(folder, &[&words[..1], &["--format", "json"], &words[1..]].concat()))
}

fn kinds(found: &Value) -> Vec<&str> {
    let caveats = found["caveats"].as_array().map_or(&[][..], Vec::as_slice);
    caveats.iter().map(|caveat| caveat["kind"].as_str().unwrap()).collect()
}

/// Numbers that look random and are the same every time.
fn noise(n: usize) -> f64 {
    ((n * 7919 + 13) % 1009) as f64 / 1009.0
}

/// Rows with a first column that follows from their number.
fn table(header: &str, rows: usize, first: impl Fn(usize) -> String) -> String {
    let rows = (0..rows).map(|n| format!("{},{:.4}\n", first(n), noise(n)));
    format!("{header}\n{}", rows.collect::<String>())
}

fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn rows_of_one_trace_are_refused() {
    let folder = scratch("check-rows");
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    // As `fathom export` writes them.
    let span = |n: usize| format!("{},{}", n * 1_000_000, (n + 1) * 1_000_000);
    write("export.csv", table("start_ns,end_ns,x", 400, span));
    write("elapsed.csv", table("elapsed,x", 50, |n| format!("{}", n as f64 * 0.5)));
    let objects = (0..50).map(|n| format!("{{\"ts\": {}, \"x\": {}}}\n", n * 10, noise(n)));
    write("objects.jsonl", objects.collect());
    for file in ["export.csv", "elapsed.csv", "objects.jsonl"] {
        let (code, text) = quiet(&folder, &["check", "x < 2", "--data", file]);
        assert_eq!(code, Some(2), "{file}: {text}");
        assert!(text.contains("samples of one execution"), "{file}: {text}");
        assert!(text.contains("--rows samples") && text.contains("--rows executions"), "{text}");
        // The user knows better.
        let words = ["check", "x < 2", "--data", file, "--rows", "executions"];
        assert_eq!(found(&folder, &words)["verdict"], "true", "{file}");
    }
    let words = ["check", "always(x < 2)", "--data", "export.csv", "--rows", "samples"];
    let found_samples = found(&folder, &words);
    assert_eq!(found_samples["samples"], 1, "{found_samples}");
    // The last sample lasts until its end.
    let words = ["check", "duration > 399999999ns", "--data", "export.csv", "--rows", "samples"];
    assert_eq!(found(&folder, &words)["satisfied"], 1);
}

/// What numbers executions is not a time.
#[test]
fn rows_of_executions_are_not_refused() {
    let folder = scratch("check-rows-of-executions");
    for header in ["seed,x", "run,x", "id,x", "n,x", "threads,x", "latency_ms,x"] {
        std::fs::write(folder.join("x.csv"), table(header, 50, |n| format!("{}", n + 1))).unwrap();
        let found = found(&folder, &["check", "x < 2", "--data", "x.csv"]);
        assert_eq!(
            (&found["samples"], &found["verdict"]),
            (&50.into(), &"true".into()),
            "{header}"
        );
        assert_eq!(found["caveats"], Value::Null, "{header}");
    }
}

#[test]
fn files_and_copies_count_once() {
    let folder = scratch("check-twice");
    std::fs::create_dir(folder.join("runs")).unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    write("runs/a.csv", table("lat,x", 50, |n| format!("{}", noise(n + 77))));
    write("runs/b.csv", table("lat,x", 50, |n| format!("{}", noise(n + 177))));
    std::fs::copy(folder.join("runs/a.csv"), folder.join("copy.csv")).unwrap();
    for (data, samples, kind, says) in [
        (&["runs/a.csv", "runs/b.csv"][..], 100, None, ""),
        (&["runs/a.csv", "./runs/../runs/a.csv"], 50, Some("repeated_files"), "more than once"),
        (&["runs/a.csv", "runs"], 100, Some("repeated_files"), "1 file was given more than once"),
        (&["runs/a.csv", "copy.csv"], 50, Some("repeated_files"), "copy.csv of runs/a.csv"),
    ] {
        let words = [&["check", "x < 2", "--data"], data].concat();
        let found = found(&folder, &words);
        assert_eq!(found["samples"], samples, "{data:?}: {found}");
        assert_eq!(kinds(&found), kind.into_iter().collect::<Vec<_>>(), "{data:?}");
        let (_, text) = quiet(&folder, &words);
        assert!(text.contains(says), "{data:?}: {text}");
        // Where the page has no room for it, the warnings do.
        let warned = found["warnings"].to_string();
        assert!(kind.is_none() || warned.contains(says), "{warned}");
    }
    for (a, b) in [("runs/a.csv", "runs/a.csv"), ("runs/a.csv", "copy.csv")] {
        let (a, b) = (format!("a={a}"), format!("b={b}"));
        let (code, text) = quiet(&folder, &["check", "x@a < 2 * x@b", "--data", &a, &b]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("a system compared with itself says nothing"), "{text}");
    }
}

/// Small files agree by chance, and so do executions of two systems.
#[test]
fn files_that_agree_by_chance_count() {
    let folder = scratch("check-agree");
    for n in 0..50 {
        std::fs::write(folder.join(format!("{n}.json")), "{\"errors\": 0}").unwrap();
    }
    let found = found(&folder, &["check", "errors == 0", "--data", "."]);
    assert_eq!((&found["samples"], &found["verdict"]), (&50.into(), &"true".into()), "{found}");
    assert_eq!(found["caveats"], Value::Null);
    std::fs::create_dir(folder.join("new")).unwrap();
    for name in ["0.json", "new/0.json"] {
        let traced = "time,x\n0,0.25\n1,0.5\n2,0.75\n3,1.25\n";
        std::fs::write(folder.join(name), traced).unwrap();
    }
    let words = ["check", "max(x@a) >= max(x@b)", "--data", "a=0.json", "b=new/0.json"];
    let (code, text) = quiet(&folder, &words);
    assert_eq!(code, Some(3), "{text}");
}

#[test]
fn seeds_count_once() {
    let folder = scratch("check-seeds");
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    let rows = |from: usize, to: usize, shift: usize| {
        let rows = (from..to).map(|n| format!("{n},{:.4}\n", noise(n + shift)));
        format!("seed,x\n{}", rows.collect::<String>())
    };
    write("1.csv", rows(0, 50, 0));
    // 20 of them are in the first file already.
    write("2.csv", rows(30, 80, 0));
    // The same seeds, and other results.
    write("3.csv", rows(0, 50, 500));
    let words = ["check", "x < 2", "--data", "1.csv", "2.csv"];
    let both = found(&folder, &words);
    assert_eq!((&both["samples"], kinds(&both)), (&80.into(), vec!["repeated_seeds"]), "{both}");
    assert!(quiet(&folder, &words).1.contains("20 executions repeat the seed and the results"));
    let words = ["check", "x < 2", "--data", "1.csv", "3.csv"];
    let other = found(&folder, &words);
    assert_eq!((&other["samples"], kinds(&other)), (&100.into(), vec!["repeated_seeds"]));
    assert!(quiet(&folder, &words).1.contains("not independent"));
}

/// Two sessions with one `--seed` performed the same executions.
#[test]
fn journals_with_the_same_seeds_count_once() {
    let folder = scratch("check-journals");
    let die = "echo x: $(( {seed} % 100 ))";
    for seed in ["1", "1", "2"] {
        let words = ["check", "x < 97", "--metric", "x=last-number", "--runs", "20", "-S", "sh"];
        let words = [&words[..], &["--seed", seed, "--", die]].concat();
        assert_eq!(run(&in_folder(&folder, &words)).status.code(), Some(3));
    }
    let journals = [1, 2, 3].map(|id| format!("check-{id}/observations.jsonl"));
    let [first, second, third] = journals.each_ref().map(String::as_str);
    for (data, samples) in [([first, second], 20), ([first, third], 40)] {
        let words = [&["check", "x < 97", "--data"], &data[..]].concat();
        let found = found(&folder, &words);
        assert_eq!(found["samples"], samples, "{found}");
        assert_eq!(kinds(&found).contains(&"repeated_seeds"), samples == 20);
    }
}

fn commanded<'a>(property: &[&'a str], command: &'a str) -> Vec<&'a str> {
    let options = ["--metric", "x=last-number", "--seed", "1", "--no-save", "-S", "sh"];
    [&["check"], property, &options, &["--", command]].concat()
}

#[test]
fn executions_that_repeat_each_other_count_as_one() {
    let here = top();
    // A simulator that ignores its seed, and one that has none.
    for (command, what_to_do) in [
        ("echo 12.5 {seed} | cut -d' ' -f1", "does the program use it?"),
        ("echo 12.5", "The command has no {seed}"),
    ] {
        let words = commanded(&["x < 20"], command);
        let found = found(&here, &words);
        assert_eq!((&found["verdict"], &found["samples"]), (&"inconclusive".into(), &1.into()));
        assert_eq!(kinds(&found), ["identical"], "{found}");
        let (code, text) = quiet(&here, &words);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("All 43 executions are identical, so they count as one."), "{text}");
        assert!(text.contains(what_to_do) && !text.contains("(95% confidence"), "{text}");
        let (code, text) = quiet(&here, &commanded(&["--estimate", "x"], command));
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("count as one"), "{text}");
    }
    // Other numbers show that executions differ.
    let varied = commanded(&["x < 20", "--metric", "y=y: (.*)"], "echo y: {seed}; echo 12.5");
    assert_eq!(found(&here, &varied)["verdict"], "true");
    // The expected value raises no doubt; another whole number does.
    let none = found(&here, &commanded(&["x < 1"], "echo {seed} > /dev/null; echo 0"));
    assert_eq!((&none["verdict"], &none["caveats"]), (&"true".into(), &Value::Null), "{none}");
    let twelve = found(&here, &commanded(&["x < 20"], "echo {seed} > /dev/null; echo 12"));
    assert_eq!(twelve["verdict"], "inconclusive", "{twelve}");
    assert_eq!((&twelve["samples"], kinds(&twelve)), (&1.into(), vec!["identical"]), "{twelve}");
    // Unless another number shows that executions differ.
    let shown = commanded(&["x < 20", "--metric", "y=y: (.*)"], "echo y: {seed}; echo 12");
    assert_eq!(found(&here, &shown)["verdict"], "true");
    // Without a seed it is unknown whether they should differ.
    let unseeded = found(&here, &commanded(&["x < 20"], "echo 12"));
    assert_eq!((&unseeded["verdict"], kinds(&unseeded)), (&"true".into(), vec!["alike"]));
    // A time is not a count, even if it is a whole number.
    let timed = ["check", "x < 20ms", "--metric", "x[ms]=last-number", "--no-save", "-S", "sh"];
    let timed = found(&here, &[&timed[..], &["--", ": {seed}; echo 12"]].concat());
    assert_eq!(kinds(&timed), ["identical"], "{timed}");
    // Four executions, again and again.
    let few = found(&here, &commanded(&["x < 20"], "echo $(( {seed} % 4 )).5"));
    assert_eq!(kinds(&few), ["few_different"], "{few}");
    // Host time always varies. Under load neighbouring times may depend on each other, which leaves
    // the verdict open; nothing makes it false.
    let words = ["check", "runtime < 10s", "--no-save", "--format", "json", "--", "true"];
    let host = document(&run(&words));
    assert_eq!(host["caveats"], Value::Null, "{host}");
    assert_ne!(host["verdict"], "false", "{host}");
}

#[test]
fn rows_that_repeat_each_other_count_as_one() {
    let folder = scratch("check-identical-rows");
    std::fs::write(folder.join("x.csv"), format!("x,y\n{}", "1.5,2\n".repeat(60))).unwrap();
    let found = found(&folder, &["check", "x < 2", "--data", "x.csv"]);
    assert_eq!((&found["samples"], kinds(&found)), (&1.into(), vec!["identical"]), "{found}");
}

#[test]
fn a_system_is_not_paired_with_itself() {
    let folder = scratch("check-itself");
    script(&folder, "old", "echo x: $1");
    script(&folder, "new", "echo x: $1");
    let words = |old: &'static str, new: &'static str| {
        let options = ["--metric", "x=last-number", "--no-save", "--runs", "5"];
        [&["check", "x@old < 2 * x@new", "--system", old, "--system", new], &options[..]].concat()
    };
    let (code, text) = quiet(&folder, &words("old=./old {seed}", "new=./old {seed}"));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("are the same command"), "{text}");
    let same = found(&folder, &words("old=./old {seed}", "new=./new {seed}"));
    assert_eq!(kinds(&same), ["same_program"], "{same}");
    let other = found(&folder, &words("old=./old {seed}", "new=./new 1{seed}"));
    assert_eq!(other["caveats"], Value::Null, "{other}");
}

#[test]
fn gem5_folders_without_statistics_are_executions_that_failed() {
    let folder = scratch("check-gem5");
    let dump = std::fs::read_to_string(top().join("testdata/observations/gem5-one-dump.txt"));
    let dump = dump.unwrap();
    for n in 0..45 {
        let run = folder.join(format!("runs/run-{n}"));
        std::fs::create_dir_all(&run).unwrap();
        let seconds = format!("simSeconds 0.00{}", 2000 + n);
        let text = dump.lines().map(|line| match line.starts_with("simSeconds") {
            true => format!("{seconds} # (Second)\n"),
            false => format!("{line}\n"),
        });
        std::fs::write(run.join("stats.txt"), text.collect::<String>()).unwrap();
    }
    for n in 45..58 {
        std::fs::create_dir_all(folder.join(format!("runs/run-{n}"))).unwrap();
    }
    std::fs::write(folder.join("runs/run-57/stats.txt"), "").unwrap();
    let words = ["check", "simSeconds > 0s", "--data", "runs"];
    let (code, text) = quiet(&folder, &words);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("run-45: it has no stats.txt"), "{text}");
    let counted = [&words[..], &["--on-failure", "count-as-false"]].concat();
    let found_false = found(&folder, &counted);
    assert_eq!(
        (&found_false["samples"], &found_false["counts"]["failed"]),
        (&58.into(), &13.into())
    );
    let skipped = [&words[..], &["--on-failure", "skip"]].concat();
    assert_eq!(found(&folder, &skipped)["counts"]["skipped"], 13);
    // A folder of gem5 alone.
    std::fs::write(folder.join("runs/run-50/config.ini"), "[root]\n").unwrap();
    let alone = ["check", "simSeconds > 0s", "--data", "runs/run-1", "runs/run-50"];
    let (code, text) = quiet(&folder, &alone);
    assert!(code == Some(4) && text.contains("run-50: it has no stats.txt"), "{text}");
}

#[test]
fn a_stated_unit_is_not_replaced() {
    let folder = scratch("check-units");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("x.csv", "lat[us],plain\n500,1\n600,2\n");
    write("y.csv", "lat,plain\n500,1\n600,2\n");
    write("x.json", "[{\"lat[us]\": 500}, {\"lat[us]\": 501}]");
    write("trace.csv", "time_ms,power[W]\n0,1\n5,2\n");
    for (property, file, unit) in [
        ("lat < 800ms", "x.csv", "lat=ms"),
        ("lat < 800ms", "x.json", "lat=ms"),
        ("always(power < 9W)", "trace.csv", "power=mW"),
        ("always(power < 9W)", "trace.csv", "time=us"),
    ] {
        let (code, text) = quiet(&folder, &["check", property, "--data", file, "--unit", unit]);
        assert_eq!(code, Some(2), "{file} {unit}: {text}");
        assert!(text.contains("the data say that") && text.contains("does not convert"), "{text}");
    }
    let printed = ["check", "lat < 8ms", "--metric", "lat[us]=last-number", "--unit", "lat=ms"];
    let (code, text) = quiet(&folder, &[&printed[..], &["--no-save", "--", "echo", "5"]].concat());
    assert!(code == Some(2) && text.contains("lat is in us"), "{text}");
    // Without it the property converts; where the data say nothing, it is said.
    for (property, samples) in [("lat < 0.55ms", 1), ("lat < 550us", 1), ("lat < 800ms", 2)] {
        assert_eq!(found(&folder, &["check", property, "--data", "x.csv"])["satisfied"], samples);
        let words = ["check", property, "--data", "y.csv", "--unit", "lat=us"];
        assert_eq!(found(&folder, &words)["satisfied"], samples);
    }
    // No error advises it.
    let (_, text) = quiet(&folder, &["check", "lat < plain * 1W", "--data", "x.csv"]);
    assert!(!text.contains("--unit lat"), "{text}");
    let (_, text) = quiet(&folder, &["check", "lat < 800us", "--data", "x.csv", "y.csv"]);
    assert!(text.contains("if all are in us, set it with --unit lat=us"), "{text}");
    let words = ["check", "lat < 800us", "--data", "x.csv", "y.csv", "--unit", "lat=us"];
    assert_eq!(found(&folder, &words)["samples"], 4);
    // The same holds for analyze.
    let file = folder.join("x.csv");
    let words = ["analyze", file.to_str().unwrap(), "--unit", "ms", "--column", "lat[us]"];
    let (code, text) = errors(&words);
    assert!(code == Some(2) && text.contains("does not convert"), "{text}");
}

#[test]
fn a_session_does_not_go_on_with_another_program() {
    let folder = scratch("check-program");
    script(&folder, "sim", "echo x: $(( $1 % 100 ))");
    let asked = |words: &[&str]| quiet(&folder, &in_folder(&folder, words));
    let words = ["check", "x < 97", "--metric", "x=last-number", "--seed", "1", "-M", "30"];
    let (code, text) = asked(&[&words[..], &["--", "./sim", "{seed}"]].concat());
    assert_eq!(code, Some(3), "{text}");
    // The same again, written again.
    script(&folder, "sim", "echo x: $(( $1 % 100 ))");
    assert_eq!(asked(&["resume", "1", "-M", "35"]).0, Some(3));
    script(&folder, "sim", "echo x: $(( $1 % 100 )) # mended");
    let (code, text) = asked(&["resume", "1", "-M", "40"]);
    assert_eq!(code, Some(2), "{text}");
    for part in ["./sim", "changed since session 1", "--allow-changed-program"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let (code, text) = asked(&["resume", "1", "-M", "40", "--allow-changed-program"]);
    assert_eq!(code, Some(3), "{text}");
    for words in [&["resume", "1", "-M", "45"][..], &["show", "1"]] {
        let (_, text) = asked(words);
        assert!(text.contains("executions of different programs"), "{text}");
    }
    // It changes while it is checked.
    let command = "./sim {seed}; echo '#' >> sim";
    let words = ["check", "x < 97", "--metric", "x=last-number", "-M", "9", "-S", "sh"];
    for saved in [&[][..], &["--no-save"]] {
        let (_, text) = asked(&[&words[..], saved, &["--", command]].concat());
        assert!(text.contains("executions of different programs"), "{saved:?} {text}");
    }
}

#[test]
fn conditions_that_never_held_are_said() {
    let folder = scratch("check-conditions");
    let mut text = String::from("run,time,a,b\n");
    for n in 0..300 {
        text += &format!("{},{},{:.3},{:.3}\n", n / 5, n % 5, noise(n), noise(n + 501));
    }
    std::fs::write(folder.join("runs.csv"), text).unwrap();
    let asked = |property: &'static str| ["check", property, "--data", "runs.csv"];
    let never = asked("G(a > 3 -> F[0,2] b > 0.5)");
    let answer = found(&folder, &never);
    assert_eq!((&answer["verdict"], kinds(&answer)), (&"true".into(), vec!["untested"]));
    assert_eq!(answer["counts"]["vacuous"], 60);
    let condition = serde_json::json!([{ "condition": "a > 3", "held_in": 0, "of": 60 }]);
    assert_eq!(answer["conditions"], condition);
    let (code, text) = quiet(&folder, &never);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("True, but never tested: "), "{text}");
    assert!(text.contains("`a > 3` never held in any of the 60 executions"), "{text}");
    let strict = [&never[..], &["--vacuous", "false"]].concat();
    assert_eq!(found(&folder, &strict)["verdict"], "false");
    // It held in some, too few to answer by themselves.
    let some = found(&folder, &asked("G(a > 0.95 -> F[0,2] b >= 0)"));
    assert_eq!(kinds(&some), ["barely_tested"], "{some}");
    let held = some["conditions"][0]["held_in"].as_u64().unwrap();
    assert!(held > 0 && held < 43, "{some}");
    assert_eq!(some["counts"]["true"], held);
    // It held in nearly all.
    let most = found(&folder, &asked("G(a > 0.1 -> F[0,2] b >= 0)"));
    assert_eq!((&most["verdict"], &most["caveats"]), (&"true".into(), &Value::Null), "{most}");
    // One part was tested, one was not.
    let part = found(&folder, &asked("G(b >= 0) and G(a > 3 -> b > 0.5)"));
    assert_eq!((kinds(&part), &part["counts"]["vacuous"]), (vec!["untested"], &0.into()), "{part}");
    // No window is in any execution.
    assert_eq!(kinds(&found(&folder, &asked("G[100,200] a > 0.5"))), ["untested"]);
}

#[test]
fn host_time_is_called_that_where_simulated_time_is_known() {
    let folder = scratch("check-host-time");
    script(&folder, "sim", "echo simSeconds 0.00$1");
    let metric = ["--metric", "simSeconds[s]=simSeconds (.*)", "--no-save", "--runs", "8"];
    let asked = |property: &'static str| {
        [&["check", property], &metric[..], &["--", "./sim", "{seed}"]].concat()
    };
    let words = asked("runtime < 10s");
    assert_eq!(kinds(&found(&folder, &words)), ["host_time"]);
    let (_, text) = quiet(&folder, &words);
    assert!(text.contains("`runtime` is host time") && text.contains("`simSeconds`"), "{text}");
    assert_eq!(found(&folder, &asked("simSeconds < 10s"))["caveats"], Value::Null);
    // The user's own run time is what it is.
    let own = ["--metric", "runtime[s]=simSeconds (.*)", "--", "./sim", "{seed}"];
    let own = [&["check", "runtime < 10s"], &metric[..], &own].concat();
    assert_eq!(found(&folder, &own)["caveats"], Value::Null);
    let systems = ["--system", "a=./sim {seed}", "--system", "b=./sim 1{seed}"];
    let words = [&["check", "speedup(a, b) < 100"], &metric[..], &systems].concat();
    assert_eq!(kinds(&found(&folder, &words)), ["host_time"]);
    let gem5 = top().join("testdata/observations/gem5-one-dump.txt");
    let gem5 = gem5.to_str().unwrap();
    let (_, text) = quiet(&folder, &["check", "runtime < 1s", "--data", gem5]);
    assert!(text.contains("The simulated time is `simSeconds`"), "{text}");
}

/// The commands in docs/properties.md as they are written there, with programs to run.
#[test]
fn the_commands_of_the_guide_work() {
    let folder = scratch("check-guide");
    for name in ["sim", "a", "b"] {
        script(&folder, name, "test $# -gt 0");
    }
    let guide = std::fs::read_to_string(top().join("docs/properties.md")).unwrap();
    let lines: Vec<&str> = guide.lines().collect();
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        let Some(text) = line.strip_prefix("    ") else { continue };
        match commands.last_mut().filter(|_| goes_on) {
            Some(command) => command.push_str(text),
            None => commands.push(text.to_string()),
        }
        goes_on = text.ends_with('\\');
        if goes_on && let Some(command) = commands.last_mut() {
            command.pop();
        }
    }
    commands.retain(|command| command.starts_with("fathom "));
    assert_eq!(commands.len(), 4, "{commands:?}");
    for command in commands {
        let text = command.replacen("fathom check", "\"$FATHOM\" check --no-save -q -M 4", 1);
        let output = std::process::Command::new("sh")
            .args(["-c", &text])
            .env("FATHOM", env!("CARGO_BIN_EXE_fathom"))
            .current_dir(&folder)
            .output()
            .unwrap();
        // True, false or not yet known: it was understood and judged.
        let code = output.status.code();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!([Some(0), Some(1), Some(3)].contains(&code), "{command}: {said}");
    }
}

/// Everything in the tables of docs/properties.md that is a property or an expression is
/// understood; those with a truth and a margin are tested for them elsewhere.
#[test]
fn the_words_of_the_guide_are_understood() {
    let folder = scratch("check-guide-words");
    let data = r#"{"schema": "fathom-execution/1", "end": 100, "time_unit": "ms", "clock_hz": 1e9,
        "scalars": {"ipc": 1.5, "runtime": {"value": 1, "unit": "s"}, "a": 1, "b": 2},
        "signals": {"temp": {"unit": "degC", "times": [0], "values": [60]},
                    "x": {"times": [0], "values": [1]}, "y": {"times": [0], "values": [1]}},
        "states": {"busy": [[20, 30]]},
        "events": {"error": [10], "E": {"times": [1], "attributes":
                       {"size": {"unit": "kB", "values": [9]}}},
                   "R": {"times": [3], "attributes": {"latency": {"unit": "ns", "values": [6]},
                       "size": {"unit": "kB", "values": [9]}}}}}"#;
    std::fs::write(folder.join("data.json"), data).unwrap();
    let guide = std::fs::read_to_string(top().join("docs/properties.md")).unwrap();
    let (mut section, mut understood) = (String::new(), 0);
    for line in guide.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_string();
        }
        let Some(row) = line.strip_prefix("| ") else { continue };
        let cells: Vec<&str> = row.split(" | ").collect();
        let (cells, is_number): (&[&str], bool) = match section.as_str() {
            "What a property can refer to" => (&cells[2.min(cells.len())..], false),
            "Over time" if cells.len() == 3 && !cells[1].starts_with(['t', 'f', 'o']) => {
                (&cells[..1], false)
            }
            "Numbers" => (&cells[..1], true),
            _ => continue,
        };
        let quoted = cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
        for text in quoted.filter(|text| text.len() > 1 && !text.starts_with("of ")) {
            // Operators are named without what they apply to.
            if text.split(' ').all(|word| word.len() == 1) {
                continue;
            }
            let text = text.replace("[a,b]", "[1,2]");
            let text = text.replace('φ', "(x > 0)").replace('ψ', "(y > 0)");
            // What varies over time is asked at some time.
            let property = match (is_number, section.as_str()) {
                (true, _) => format!("F({text} >= {text})"),
                (false, "Over time") => format!("F({text})"),
                _ => text.clone(),
            };
            let words = ["check", &property, "--data", "data.json"];
            let (code, said) = quiet(&folder, &words);
            assert_eq!(code, Some(3), "{text}: {said}");
            understood += 1;
        }
    }
    assert!(understood >= 25, "only {understood} were found");
}
