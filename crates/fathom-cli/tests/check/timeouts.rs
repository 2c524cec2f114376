//! Executions that are cut off.

use super::harness::*;
use super::{check, stdout_of_output};
use serde_json::Value;

/// An execution that is cut off has run for at least its limit, which is enough to say no.
#[test]
fn a_timeout_is_judged_and_not_dropped() {
    let hangs = "test $(( {seed} % 2 )) = 0 && sleep 20; true";
    let options =
        ["runtime < 100ms", "--timeout", "300ms", "--probability", "0.95", "--format", "json"];
    let output = run(&["check"]
        .iter()
        .chain(&options)
        .copied()
        .chain(["--seed", "1", "--no-save", "-S", "sh", "--", hangs])
        .collect::<Vec<_>>());
    let found = document(&output);
    assert_eq!((output.status.code(), &found["verdict"]), (Some(1), &"false".into()), "{found}");
    assert_eq!(found["counts"]["unknown"], 0);
}

/// Half of a number that an execution was printing when it was cut is not a number of it.
#[test]
fn what_a_cut_execution_was_printing_is_unknown() {
    let hangs =
        "echo x: 4; test $(( {seed} % 2 )) = 0 && { printf 'x: 48'; sleep 20; }; echo x: 485";
    let options = ["x > 100", "--timeout", "200ms", "--runs", "6"];
    let ask = |more: &[&'static str]| run(&check(&[&options[..], more].concat(), hangs));
    let found = document(&ask(&["--format", "json", "--include-values"]));
    let executions = found["executions"].as_array().unwrap();
    let cut: Vec<&Value> = executions.iter().filter(|one| one["cut"] == true).collect();
    assert!(!cut.is_empty() && cut.len() < 6, "{found}");
    assert!(cut.iter().all(|one| one["truth"] == "unknown"), "{found}");
    let (counts, total) = (&found["counts"], cut.len());
    assert_eq!((&counts["unknown"], &counts["cut"]), (&total.into(), &total.into()), "{found}");
    assert_eq!(counts["false"], 0);
    let said = stdout_of_output(&ask(&["-q"]));
    assert!(said.contains(&format!("Of 6 executions, {total} were cut short")), "{said}");
}

/// Numbers in a file for an execution marked as cut are not final either.
#[test]
fn numbers_of_a_cut_execution_in_a_file_are_unknown() {
    let folder = scratch("check-cut-file");
    let one = |cut: bool| {
        format!(
            "{{\"schema\": \"fathom-execution/1\", \"cut\": {cut}, \"scalars\": {{\"x\": 8}}}}\n"
        )
    };
    let data = folder.join("x.jsonl");
    std::fs::write(&data, one(true) + &one(false) + &one(false)).unwrap();
    let words = ["check", "x > 100", "--data", data.to_str().unwrap(), "--format", "json"];
    let found = document(&run(&words));
    let counts = &found["counts"];
    assert_eq!(
        (&counts["unknown"], &counts["false"], &counts["cut"]),
        (&1.into(), &2.into(), &1.into())
    );
}
