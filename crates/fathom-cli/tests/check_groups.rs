//! `check --group-by`: an answer for each group, from tables and JSON, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// 200 executions of each of three benchmarks, in turn. `x` is below 97 in all of mcf, in 97% of gcc
/// and in half of lbm.
fn table(folder: &str) -> PathBuf {
    let mut text = "benchmark,x[ms],y\n".to_string();
    for i in 0..200 {
        // 73 and 200 have no common factor, so every number from 0 to 199 occurs once.
        let shuffled = i * 73 % 200;
        let (mcf, gcc, lbm) = (shuffled / 4, shuffled / 2, shuffled);
        writeln!(text, "mcf,{mcf},1\ngcc,{gcc},2\n\"lbm, big\",{lbm},3").unwrap();
    }
    let file = scratch(folder).join("all.csv");
    std::fs::write(&file, text).unwrap();
    file
}

fn json(words: &[&str]) -> (Value, Option<i32>) {
    let output = run(words);
    let text = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    (serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{said}")), output.status.code())
}

#[test]
fn every_group_has_an_answer() {
    let file = table("groups-answer");
    let file = file.to_str().unwrap();
    let words =
        ["check", "x < 97ms", "--group-by", "benchmark", "--format", "json", "--data", file];
    let (found, code) = json(&words);
    assert_eq!(code, Some(1));
    assert_eq!(found["verdict"], "false");
    assert_eq!(found["error"], "shared");
    let all: Vec<(&str, &str, u64, u64)> = found["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["name"], one["group"]);
            let number = |name: &str| one[name].as_u64().unwrap();
            let text = |name: &str| one[name].as_str().unwrap();
            (text("group"), text("verdict"), number("samples"), number("satisfied"))
        })
        .collect();
    let expected =
        [("mcf", "true", 200, 200), ("gcc", "true", 200, 194), ("lbm, big", "false", 200, 97)];
    assert_eq!(all, expected);
}

/// An answer of a group is the one that its executions give alone, at the confidence that it needs
/// among so many.
#[test]
fn a_group_is_judged_by_its_executions_alone() {
    let file = table("groups-alone");
    let text = std::fs::read_to_string(&file).unwrap();
    let alone: String = text
        .lines()
        .filter_map(|line| match line.split_once(',') {
            Some(("benchmark", rest)) => Some(format!("{rest}\n")),
            Some(("gcc", rest)) => Some(format!("{rest}\n")),
            _ => None,
        })
        .collect();
    let one = file.with_file_name("gcc.csv");
    std::fs::write(&one, alone).unwrap();
    let (all, one) = (file.to_str().unwrap(), one.to_str().unwrap());
    for asked in [&["x < 97ms"][..], &["--estimate", "x"], &["abs(x@1 - x@2) < 90ms"]] {
        let words = |rest: &[&'static str], file| -> Vec<String> {
            let mut words: Vec<&str> = vec!["check"];
            words.extend(asked);
            words.extend(rest);
            words.extend(["--format", "json", "--data", file]);
            words.into_iter().map(str::to_string).collect()
        };
        let grouped = words(&["--group-by", "benchmark", "--per-question"], all);
        let grouped: Vec<&str> = grouped.iter().map(String::as_str).collect();
        let (grouped, _) = json(&grouped);
        let single = words(&[], one);
        let single: Vec<&str> = single.iter().map(String::as_str).collect();
        let (single, _) = json(&single);
        let gcc = &grouped["questions"][1];
        assert_eq!(gcc["group"], "gcc");
        for field in ["verdict", "value", "lower", "upper", "samples", "satisfied", "counts"] {
            assert_eq!(gcc[field], single[field], "{asked:?} {field}");
        }
    }
}

#[test]
fn objects_have_groups_too() {
    let folder = scratch("groups-json");
    let file = folder.join("all.jsonl");
    let mut text = String::new();
    for i in 0..60 {
        writeln!(
            text,
            "{{\"bench\": \"b{}\", \"ipc\": {}}}",
            i % 2,
            1.0 + f64::from(i * 7 % 60) / 100.0
        )
        .unwrap();
    }
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let (found, code) =
        json(&["check", "ipc >= 1", "--group-by", "bench", "--format", "json", "--data", file]);
    assert_eq!(code, Some(3), "{found}");
    let groups: Vec<&Value> =
        found["questions"].as_array().unwrap().iter().map(|one| &one["group"]).collect();
    assert_eq!(groups, ["b0", "b1"]);
    assert_eq!(found["questions"][0]["samples"], 30);
}

#[test]
fn a_page_names_the_groups_and_several_questions_too() {
    let file = table("groups-page");
    let file = file.to_str().unwrap();
    let page = |words: &[&str]| {
        let mut all = vec!["check"];
        all.extend(words);
        all.extend(["--group-by", "benchmark", "--data", file]);
        let output = run(&all);
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let one = page(&["x < 97ms"]);
    assert!(
        one.starts_with(
            "False: fewer than 90% of executions satisfy `x < 97ms` in `lbm, big` (95% confidence \
             in all 3 answers together). 2 groups satisfy it."
        ),
        "{one}"
    );
    assert!(
        one.contains("600 executions; the chance that any of the 3 verdicts is wrong"),
        "{one}"
    );
    let two = page(&["x < 97ms", "low: y < 2.5"]);
    assert!(two.contains("`lbm, big: x < 97ms`, `lbm, big: low`"), "{two}");
    assert!(two.contains("in all 6 answers together"), "{two}");
    let alone = page(&["x < 97ms", "--per-question"]);
    assert!(alone.contains("confidence in each answer alone"), "{alone}");
}

#[test]
fn what_is_refused() {
    let folder = scratch("groups-refused");
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_string()
    };
    let table = write("table.csv", "benchmark,x\nmcf,1\ngcc,2\n");
    let gap = write("gap.csv", "benchmark,x\nmcf,1\n,2\n");
    let trace = write("trace.csv", "time,bench,x\n0,1,1\n1,1,2\n");
    let numbers = write("numbers.txt", "1\n2\n");
    let text = write("text.csv", "benchmark,input,x\nmcf,ref,1\n");
    let rows: String = (0..1001).map(|i| format!("b{i},1\n")).collect();
    let many = write("many.csv", &format!("benchmark,x\n{rows}"));
    for (file, column, expected) in [
        (
            &table,
            "bench",
            "there is no column \"bench\" to group executions by. Group by one of these: benchmark, x.",
        ),
        (
            &gap,
            "benchmark",
            "gap.csv:3: the group is missing in \"benchmark\". Name the group of every execution",
        ),
        (
            &trace,
            "bench",
            "the file has no column \"bench\" to group executions by. Leave out --group-by",
        ),
        (&numbers, "x", "the file has no column \"x\" to group executions by."),
        (&text, "benchmark", "\"ref\" is not a number"),
        (&many, "benchmark", "--group-by makes 1001 groups, and more than 1000 are too many."),
    ] {
        let output = run(&["check", "x > 0", "--group-by", column, "--data", file]);
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let output = run(&["check", "x > 0", "--group-by", "b", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
}
