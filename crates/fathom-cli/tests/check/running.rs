//! How executions are run, and what is read from them.

use super::harness::*;
use super::{check, stdout_of_output, without_circumstances};

/// Executions that violate the property take much longer; in the order in which they finish they
/// would come last, and the true ones would be over-represented.
#[test]
fn several_at_a_time_count_by_number_not_by_speed() {
    let slow_if_false = "x=$(( {seed} % 100 )); test $x -ge 60 && sleep 0.3; echo $x";
    let options = ["x < 60", "--probability", "0.85", "--format", "json", "--include-values"];
    let answer = |jobs: &'static str| {
        let words = check(&[&options[..], &["-j", jobs]].concat(), slow_if_false);
        let output = run(&words);
        assert_eq!(output.status.code(), Some(1), "{}", transcript(&words, &output));
        without_circumstances(document(&output))
    };
    let (one, eight) = (answer("1"), answer("8"));
    assert_eq!(one, eight);
    // That is the answer that follows from the seeds alone.
    let executions = one["executions"].as_array().unwrap();
    for (index, execution) in executions.iter().enumerate() {
        assert_eq!(execution["runs"][0], index + 1);
        let is_small = execution["seeds"][0].as_u64().unwrap() % 100 < 60;
        assert_eq!(execution["truth"], if is_small { "true" } else { "false" });
    }
}

#[test]
fn failed_executions_are_told_and_handled_as_asked() {
    let fails = "test $(( {seed} % 10 )) = 3 && { echo out of memory >&2; exit 7; }; echo 1";
    let words = check(&["x > 0"], fails);
    let (code, text) = errors(&words);
    assert_eq!(code, Some(4), "{text}");
    for part in
        ["exited with status 7", "in run 5 (seed 1112622493)", "out of memory", "--on-failure"]
    {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let answer = |how: &'static str| {
        let options = ["x > 0", "--on-failure", how, "--probability", "0.8", "--format", "json"];
        document(&run(&check(&options, fails)))
    };
    let skipped = answer("skip");
    assert_eq!(skipped["verdict"], "true");
    assert_eq!(skipped["satisfied"], skipped["samples"]);
    assert!(skipped["counts"]["skipped"].as_u64().unwrap() > 0);
    let counted = answer("count-as-false");
    let counts = &counted["counts"];
    assert!(counts["failed"].as_u64().unwrap() > 0, "{counted}");
    let sum = counts["true"].as_u64().unwrap() + counts["failed"].as_u64().unwrap();
    assert_eq!(counted["samples"], sum);
}

#[test]
fn two_systems_and_their_speed_up() {
    let command = |base: u32| format!("NAME=echo time: $(( {base} + {{seed}} % 7 ))");
    let (old, new) = (command(100).replace("NAME", "old"), command(80).replace("NAME", "new"));
    let options =
        ["--system", &old, "--system", &new, "--metric", "runtime=last-number", "-S", "sh"];
    let asked = |question: &[&'static str]| {
        let words = [&["check"], question, &options[..], &["--seed", "3", "--no-save"]].concat();
        let output = run(&[&words[..], &["--format", "json", "--include-values"]].concat());
        (output.status.code(), document(&output))
    };
    let (code, found) = asked(&["speedup(old, new) >= 1.1"]);
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found["tuple"], serde_json::json!(["old", "new"]));
    // Tuples take executions that no other has.
    let executions = found["executions"].as_array().unwrap();
    let runs: Vec<u64> = executions
        .iter()
        .flat_map(|execution| execution["runs"].as_array().unwrap())
        .map(|run| run.as_u64().unwrap())
        .collect();
    assert_eq!(runs, (1..=runs.len() as u64).collect::<Vec<_>>());
    let (code, found) =
        asked(&["--estimate", "speedup(old, new)", "--direction", "ge", "--confidence", "0.9"]);
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found["samples"], 22);
    let end = |name: &str| found[name].as_f64().unwrap();
    assert!(end("lower") >= 100.0 / 86.0 - 1e-9 && end("upper") <= 106.0 / 80.0, "{found}");
}

/// Each execution writes a trace into a folder of its own.
#[test]
fn traces_that_executions_write_are_read() {
    let writes =
        "printf 'time_ms,load[W]\\n0,1\\n%s,9\\n10,2\\n' $(( {seed} % 4 + 1 )) > {dir}/t.csv";
    let property = "G[4ms,5ms] load > 7W";
    let options = [property, "--read", "{dir}/t.csv", "--linear", "load", "--max-runs", "60"];
    let steps = [property, "--read", "{dir}/t.csv", "--max-runs", "60", "-j", "2"];
    let verdict = |options: &[&'static str]| {
        let mut words = vec!["check"];
        words.extend(options);
        words.extend(["--seed", "1", "--no-save", "--format", "json", "-S", "sh", "--", writes]);
        document(&run(&words))["verdict"].as_str().unwrap().to_string()
    };
    // A step holds its 9 W until 10 ms; the line falls from it at once.
    assert_eq!(verdict(&steps), "true");
    assert_eq!(verdict(&options), "false");
}

/// Files of executions stay where they are wanted, and only there.
#[test]
fn files_are_kept_on_request() {
    let folder = scratch("check-kept");
    let kept = folder.join("kept");
    let writes = "echo $(( {seed} % 5 )) | tee {dir}/out";
    let words = check(&["x >= 0", "--keep-files", kept.to_str().unwrap(), "--runs", "3"], writes);
    assert_eq!(run(&words).status.code(), Some(3));
    let kept_file = std::fs::read_to_string(kept.join("run-000002/out")).unwrap();
    assert_eq!(std::fs::read_to_string(kept.join("run-000002.out")).unwrap(), kept_file);
    let (code, text) = errors(&words);
    assert_eq!(code, Some(2), "a second check must not mix its files in: {text}");
}

/// Executions that fail are part of the budget, of every answer, and of what is said.
#[test]
fn budgets_hold_and_failures_are_told() {
    // The slow ones crash: of all, nine in ten take at most 11, of those that succeed, 8.
    let crashes = "x=$(( {seed} % 12 + 1 )); test $x -gt 8 && exit 3; echo $x";
    let skip = ["--runs", "60", "--on-failure", "skip"];
    for question in [&["--estimate", "x"][..], &["x < 9"]] {
        let words = [question, &skip[..]].concat();
        let json = [&words[..], &["--format", "json", "--include-values"]].concat();
        let found = document(&run(&check(&json, crashes)));
        assert_eq!(found["executions"].as_array().unwrap().len(), 60, "{found}");
        let counts = if question.len() == 2 { &found } else { &found["counts"] };
        let skipped = counts["skipped"].as_u64().unwrap();
        assert!(skipped > 5, "{found}");
        assert_eq!(found["samples"].as_u64().unwrap() + skipped, 60);
        assert_eq!((&found["stopped"], &found["failures"]), (&"fixed".into(), &"skipped".into()));
        assert_eq!(
            found["of_all"]["unknown"].as_u64().or(found["of_all"]["counts"]["unknown"].as_u64()),
            Some(skipped)
        );
        for detail in [&["-q"][..], &[]] {
            let text = stdout_of_output(&run(&check(&[&words[..], detail].concat(), crashes)));
            assert!(text.contains("of executions that succeed"), "{text}");
            assert!(
                text.contains(&format!("Of 60 executions, {skipped} failed (excluded)")),
                "{text}"
            );
            assert!(!text.contains("precision"), "{text}");
        }
    }
    let counted = ["--estimate", "x", "--runs", "60", "--on-failure", "count-as-false"];
    let text = stdout_of_output(&run(&check(&counted, crashes)));
    assert!(
        text.contains("No value of")
            && text.contains("holds for 90%")
            && text.contains("too many failed"),
        "{text}"
    );
}
