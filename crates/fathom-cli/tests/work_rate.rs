//! `run --work` for real: what is saved and shown again, every format, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A script that prints a time of 8 ms and 4 ms for each piece of work, with a little noise that follows
/// from how often it ran, so that nothing depends on the machine.
fn script(folder: &Path) -> String {
    let path = folder.join("x");
    let text = "#!/bin/sh\n\
                cd \"$(dirname \"$0\")\"\n\
                n=$(cat count 2> /dev/null || echo 0)\n\
                n=$((n + 1))\n\
                echo $n > count\n\
                echo $((8000 + 4000 * $1 + n * n * 37 % 101))\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_string()
}

/// A folder for sessions and files, and the script in it.
fn place(name: &str) -> (PathBuf, String) {
    let folder = scratch(name);
    let script = script(&folder);
    (folder, script)
}

const LINE: [&str; 13] = [
    "-P",
    "size",
    "1",
    "5",
    "--work",
    "size",
    "--seed",
    "3",
    "-n",
    "x {size}",
    "--on",
    "metric:t",
    "--metric=t[us]=last-number",
];

#[test]
fn every_format_of_a_rate_has_the_same_numbers() {
    let (folder, script) = place("work-rate-formats");
    let command = format!("{script} {{size}}");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (exported, page) = (file("o.json"), file("o.html"));
    let asked = [&["run", "-r", "8"][..], &LINE, &["--export-json", &exported, &command]].concat();
    let first = run(&in_folder(&folder, &asked));
    let text = String::from_utf8(first.stdout).unwrap();
    assert!(first.status.success(), "{text}{}", String::from_utf8_lossy(&first.stderr));
    // Warnings of a busy machine stand first.
    assert!(text.contains("x {size} does "), "{text}");
    // Saved, and shown again.
    let shown = stdout(&in_folder(&folder, &["show", "last"]));
    assert_eq!(shown, text);
    let document = json(&in_folder(&folder, &["show", "last"]));
    let work = &document["subjects"][0]["work"];
    let number = |name: &str| work[name].as_f64().unwrap();
    assert!((number("rate") - 0.000_25).abs() < 1e-6 && number("setup") > 7900.0, "{work}");
    assert!(number("lower") < number("rate") && number("rate") < number("upper"));
    assert_eq!((&work["unit"], &work["work"]), (&"size/us".into(), &"size".into()));
    assert_eq!(work["points"].as_array().unwrap().len(), 5);
    assert_eq!(work["points"][0]["runs"], 8);
    assert!(work.get("amounts").is_none());
    // With values, the amount of each.
    let saved = std::fs::read_to_string(&exported).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let subject = &saved["subjects"][0];
    let amounts = subject["work"]["amounts"].as_array().unwrap();
    assert_eq!(amounts.len(), subject["values"].as_array().unwrap().len());
    assert_ne!(amounts[..5], [1.0, 2.0, 3.0, 4.0, 5.0].map(serde_json::Value::from));
    // Tables.
    let table = stdout(&in_folder(&folder, &["show", "last", "--format", "csv"]));
    let row = table.lines().find(|line| line.contains(",work-rate,")).unwrap();
    assert!(row.contains(&number("rate").to_string()), "{row}");
    assert!(row.contains(&number("upper").to_string()), "{row}");
    assert!(table.contains(",set-up,"), "{table}");
    // The report.
    let report = in_folder(&folder, &["report", "last", "-o", &page]);
    let output = run(&report);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = std::fs::read_to_string(&page).unwrap();
    for part in ["Time over work", "Mean times over the amounts of work", "x {size} does "] {
        assert!(html.contains(part), "no {part:?}");
    }
    // Listed under what ran.
    assert!(stdout(&in_folder(&folder, &["list"])).contains("x {size}"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_seed_draws_the_order() {
    let (folder, script) = place("work-rate-seed");
    let command = format!("{script} {{size}}");
    let amounts = |seed: &str| {
        let line: Vec<&str> =
            LINE.iter().map(|word| if *word == "3" { seed } else { word }).collect();
        let asked = [&["run", "--no-save", "-r", "4", "--include-values"][..], &line, &[&command]];
        json(&asked.concat())["subjects"][0]["work"]["amounts"].clone()
    };
    let first = amounts("3");
    assert_eq!(first, amounts("3"));
    assert_ne!(first, amounts("4"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_has_no_rate_is_refused() {
    let mut text = String::new();
    for arguments in [
        &["--work", "n", "sleep {n}"][..],
        &["-L", "x", "1,2", "--work", "n", "sleep {x}"],
        &["-L", "n", "1,big", "--work", "n", "sleep {n}"],
        &["-L", "n", "0,1", "--work", "n", "sleep {n}"],
        &["-P", "n", "-1", "1", "--work", "n", "sleep {n}"],
        &["-L", "n", "5", "--work", "n", "sleep {n}"],
        &["-L", "n", "1,2", "--work", "n", "true {n}", "false"],
        &["-L", "n", "1,2", "--work", "n", "--on", "peak-memory", "true {n}"],
        &["-L", "n", "1,2", "--work", "n", "--statistic", "mean", "true {n}"],
        &["-L", "n", "1,2", "--work", "n", "--outliers", "remove", "true {n}"],
        &["-L", "n", "1,2", "--work", "n", "--reference", "a {n}", "true {n}"],
    ] {
        text += &shown(&[&["run", "--no-save"][..], arguments].concat());
    }
    insta::assert_snapshot!(text);
}

/// A command that fails for an amount ends measuring with its name; the runs before it are kept.
#[test]
fn an_amount_that_fails_is_named() {
    let folder = scratch("work-rate-fails");
    let asked = ["run", "--seed", "1", "-L", "n", "1,2,3", "--work", "n", "-S", "sh"];
    let asked = [&asked[..], &["test {n} -ne 2"]].concat();
    let (code, text) = errors(&in_folder(&folder, &asked));
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("test 2 -ne 2") && text.contains("status 1"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}
