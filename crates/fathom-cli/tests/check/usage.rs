//! Command lines that are refused, plans, and what each option changes.

use super::harness::*;
use super::{check, stdout_of};

#[test]
fn wrong_usage_of_check() {
    let mut text = String::new();
    for words in [
        &["check"][..],
        &["check", "runtime < 1s"],
        &["check", "runtime < 1s", "--", "no-such-program"],
        &["check", "runtme < 1s", "--", "true"],
        &["check", "runtime < 1W", "--", "true"],
        &["check", "runtime <", "--", "true"],
        &["check", "runtime", "--", "true"],
        &["check", "--estimate", "runtime < 1s", "--", "true"],
        &["check", "x > 1", "--", "echo", "3"],
        &["check", "x > 1", "--metric", "x", "--", "echo", "3"],
        &["check", "runtime < 1s", "--probability", "95", "--", "true"],
        &["check", "runtime < 1s", "--indifference", "0.2", "--", "true"],
        &["check", "runtime < 1s", "--method", "exact", "--", "true"],
        &["check", "runtime < 1s", "--slurm-partition", "x", "--", "true"],
        &["check", "runtime < 1s", "--slurm-width", "8", "--", "true"],
        &["check", "runtime < 1s", "--executor", "slurm", "--no-save", "--", "true"],
        &["check", "--estimate", "runtime", "--vacuous", "skip", "--", "true"],
        &["check", "--estimate", "runtime", "--precision", "1%", "--runs", "9", "--", "true"],
        &["check", "runtime < 1s", "--system", "a b=true"],
        &["check", "runtime@a < 1s", "--system", "a=true", "--system", "a=true"],
        &["check", "runtime < 1s", "--system", "a=true", "--system", "b=echo"],
        &["check", "runtime@c < 1s", "--system", "a=true", "--system", "b=echo"],
        &["check", "speedup(a, b) > 1", "--", "true"],
        &["check", "ipc > 1", "--data", "no-such-file"],
        &["check", "ipc > 1", "--data", "testdata/properties/execution_x.json", "-j", "2"],
        &["check", "icp > 1", "--data", "testdata/properties/execution_x.json"],
        &["check", "ipc > 1", "--data", "testdata/properties/execution_x.json", "--unit", "w=W"],
        &["check", "runtime < 1s", "--event", "(", "--", "true"],
        &["check", "runtime < 1s", "--unit", "speed=W", "--", "true"],
        &["check", "--estimate", "runtime", "--precision", "1%", "--method", "exact", "--", "true"],
    ] {
        let output = run(words);
        // A program that is not there is a command that failed.
        let wanted = if words.contains(&"no-such-program") { 4 } else { 2 };
        text += &transcript(words, &output);
        assert_eq!(output.status.code(), Some(wanted), "{text}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_plan_runs_nothing() {
    let folder = scratch("check-plan");
    let mark = folder.join("mark");
    let command = format!("touch {}; echo {{seed}}", mark.display());
    let words = check(&["x < 97", "--dry-run"], &command);
    let text = stdout(&words);
    assert!(text.contains("An answer needs at least 43 executions"), "{text}");
    assert!(text.contains("echo 1") || text.contains("touch"), "{text}");
    let short = stdout(&check(&["x < 97", "--dry-run", "-q"], &command));
    assert!(short.starts_with("An answer needs at least 43 executions"), "{short}");
    assert_eq!(short.lines().count(), 1, "{short}");
    assert!(!mark.exists());
}

/// Every option of `check` that changes what is judged does so.
#[test]
fn every_option_changes_the_answer() {
    let folder = scratch("check-options");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let table = file("table.csv", "power,x\n3,1\n4,2\n5,0\n");
    let trace = file("trace.csv", "cycle,temp\n0,0\n10,10\n20,10\n");
    let quiet = file("quiet.csv", "time,event,size\n1,other,3\n");
    let tool = file("tool.csv", "a,b\n1,5\n2,6\n");
    let lapse = file("lapse.csv", "elapsed,x\n1,5\n2,6\n3,5\n4,6\n5,7\n");
    let answer = |words: &[&str]| {
        let words: Vec<&str> =
            ["check"].iter().chain(words).copied().chain(["--format", "json"]).collect();
        let output = run(&words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(2) => text,
            _ => {
                let found = document(&output);
                let parts =
                    ["satisfied", "verdict", "value", "lower", "samples", "method", "evidence"];
                parts.map(|part| found[part].to_string()).join(" ")
            }
        }
    };
    let (table, trace) = (table.as_str(), trace.as_str());
    let (quiet, tool, lapse) = (quiet.as_str(), tool.as_str(), lapse.as_str());
    let cases: &[(&[&str], &[&str])] = &[
        (&["power > 3W", "--data", table], &["--unit", "power=W"]),
        (&["x > 0", "--data", table], &["--probability", "0.1"]),
        (&["x > 0", "--data", table], &["--confidence", "0.5"]),
        (&["x > 0", "--data", table], &["--method", "exact"]),
        (&["x > 0", "--data", table], &["--indifference", "2%"]),
        (&["G[4,6] temp > 3", "--data", trace], &["--linear", "temp"]),
        (&["F[0,5ns] temp > 9", "--data", trace], &["--clock", "2GHz"]),
        (&["P(other at error) < 50%", "--data", quiet], &["--event", "error"]),
        (&["--estimate", "power", "--data", table], &["--direction", "ge"]),
        (&["b > 5", "--data", tool], &["--column", "a"]),
        (&["b > 5", "--data", tool], &["--input-format", "gem5"]),
        (&["x > 5", "--data", lapse], &["--rows", "executions"]),
        (&["avg(x) > 5", "--data", lapse], &["--rows", "samples"]),
    ];
    for (words, option) in cases {
        let plain = answer(words);
        let with = answer(&[*words, *option].concat());
        assert_ne!(plain, with, "{words:?} {option:?}");
    }
    let timed = file("timed.csv", "wait_ms\n5\n6\n");
    let shown = |unit: &str| stdout_of(&["check", "wait_ms < 9ms", "--data", &timed, "-u", unit]);
    assert!(shown("us").contains("3000 µs") && shown("ms").contains("3 ms"), "{}", shown("us"));
    let vacuous = ["P(other at error) < 50%", "--data", quiet, "--event", "error", "--vacuous"];
    let [as_true, as_false, skipped] =
        ["true", "false", "skip"].map(|how| answer(&[&vacuous[..], &[how]].concat()));
    assert!(as_true != as_false && as_false != skipped && as_true != skipped);
}
