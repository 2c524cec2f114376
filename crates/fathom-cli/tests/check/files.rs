//! `check --data`.

use super::harness::*;
use super::stdout_of_output;
use serde_json::Value;

#[test]
fn executions_from_files() {
    let words = ["check", "value < 0.4", "--data", RUNTIME, "--format", "json"];
    let found = document(&run(&words));
    let values = std::fs::read_to_string(top().join(RUNTIME)).unwrap();
    let numbers = values.split(',').map(|value| value.trim().parse::<f64>().unwrap());
    let below = numbers.filter(|value| *value < 0.4).count();
    assert_eq!(found["satisfied"], below, "{found}");
    assert_eq!(found["samples"], 500);
    assert_eq!(found["method"], "anytime");
}

/// Rows that are each much like the last are not as many executions; the same rows in another order
/// may be.
#[test]
fn dependent_rows_are_worth_less() {
    let folder = scratch("check-dependent-rows");
    let mut state = 7_u64;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / (1_u64 << 31) as f64) - 0.5
    };
    let mut level = 0.0;
    let rows: Vec<f64> = (0..300)
        .map(|_| {
            level = 0.97 * level + noise();
            level
        })
        .collect();
    let file = |name: &str, rows: &[f64]| {
        let path = folder.join(name);
        let lines: Vec<String> = rows.iter().map(|row| format!("{row},0")).collect();
        std::fs::write(&path, format!("latency,other\n{}\n", lines.join("\n"))).unwrap();
        path.to_str().unwrap().to_string()
    };
    let mixed: Vec<f64> = (0..300).map(|i| rows[(i * 89) % 300]).collect();
    let (in_order, mixed) = (file("in-order.csv", &rows), file("mixed.csv", &mixed));
    for question in [&["latency < 1000"][..], &["--estimate", "latency"]] {
        let ask = |data: &str| run(&[&["check"], question, &["--data", data, "-q"]].concat());
        let dependent = ask(&in_order);
        let text = stdout_of_output(&dependent);
        assert_eq!(dependent.status.code(), Some(3), "{text}");
        assert!(text.contains("are autocorrelated (lag-1 0.9"), "{text}");
        let independent = ask(&mixed);
        assert_eq!(independent.status.code(), Some(0), "{}", stdout_of_output(&independent));
    }
}

/// In Markdown, a head and a rule of different lengths are not a table.
#[test]
fn every_line_of_a_markdown_table_has_the_same_columns() {
    let folder = scratch("check-markdown");
    let table = folder.join("table.csv");
    std::fs::write(&table, "power,x\n3,1\n4,2\n5,0\n").unwrap();
    for question in [&["x > 0"][..], &["--estimate", "power"]] {
        let data = ["--data", table.to_str().unwrap(), "--format", "markdown"];
        let output = run(&[&["check"], question, &data].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let columns: Vec<usize> = text.lines().map(|line| line.matches('|').count()).collect();
        assert_eq!(columns.len(), 3, "{text}");
        assert!(columns.iter().all(|&count| count == columns[0]), "{text}");
    }
}

/// A log that does not name an event is of an execution in which it did not occur.
#[test]
fn an_event_that_a_file_does_not_name_did_not_occur() {
    let folder = scratch("check-absent-event");
    for (name, text) in
        [("1.csv", "time,event\n1,start\n2,error\n"), ("2.csv", "time,event\n1,start\n")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let data = folder.to_str().unwrap();
    let words = ["check", "count(error) < 1", "--data", data, "--format", "json"];
    let counts = document(&run(&words))["counts"].clone();
    assert_eq!((&counts["true"], &counts["false"]), (&1.into(), &1.into()), "{counts}");
}

/// Tuples take executions in the order of the file, none twice, and what is left over is said.
#[test]
fn tuples_from_a_file() {
    let folder = scratch("check-tuples");
    std::fs::write(folder.join("x.csv"), "x,y\n1,0\n2,0\n5,0\n4,0\n9,0\n").unwrap();
    let data = folder.join("x.csv");
    let words = ["check", "x@1 < x@2", "--data", data.to_str().unwrap(), "--format", "json"];
    let found = document(&run(&[&words[..], &["--include-values"]].concat()));
    let executions = found["executions"].as_array().unwrap();
    let truths: Vec<&Value> = executions.iter().map(|execution| &execution["truth"]).collect();
    assert_eq!(truths, ["true", "false"], "{found}");
    let first = executions[0]["source"].as_str().unwrap();
    assert!(first.contains("execution 1 and") && first.ends_with("execution 2"), "{first}");
    assert!(found["warnings"][0].as_str().unwrap().contains("1 execution left over"));
}
