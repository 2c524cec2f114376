//! True, false, inconclusive and values, and what is said about them.

use super::harness::*;
use super::{DIE, check, stdout_of, stdout_of_output};

#[test]
fn the_three_answers_and_a_value() {
    let mut text = String::new();
    for (words, code) in [
        (&["x < 97"][..], 0),
        (&["x < 70"], 1),
        (&["x < 90", "--max-runs", "200"], 3),
        (&["x < 97", "--runs", "100"], 0),
        (&["x < 90", "--indifference", "5%"], 1),
        // True of 92 in 100, and the paper's rule says no.
        (&["x < 92", "--method", "spa", "--confidence", "0.9"], 1),
        (&["abs(x@1 - x@2) < 90"], 0),
        (&["--estimate", "x", "--confidence", "0.9"], 0),
        (&["--estimate", "x", "--method", "spa", "--runs", "22", "--direction", "ge"], 3),
        (&["--estimate", "x", "--precision", "20%"], 0),
    ] {
        let words = check(words, DIE);
        let output = run(&words);
        let shown = transcript(&words, &output);
        assert_eq!(output.status.code(), Some(code), "{shown}");
        text += &shown;
    }
    insta::assert_snapshot!(text);
}

/// The tables of docs/properties.md say what is true of the example, and by how much.
#[test]
fn the_documented_properties_are_as_documented() {
    let guide = std::fs::read_to_string(top().join("docs/properties.md")).unwrap();
    let mut checked = 0;
    for line in guide.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [.., property, truth, margin] = cells.as_slice() else { continue };
        let Some(property) = property.strip_prefix('`').and_then(|text| text.strip_suffix('`'))
        else {
            continue;
        };
        if *truth != "true" && *truth != "false" {
            continue;
        }
        let data = "testdata/properties/execution_x.json";
        let words = ["check", property, "--data", data, "--format", "json", "--include-values"];
        let found = document(&run(&words));
        let execution = &found["executions"][0];
        assert_eq!(execution["truth"], *truth, "{property}: {found}");
        let (number, unit) = margin.split_once(' ').unwrap_or((margin, ""));
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value = execution["robustness"][0].as_f64().unwrap();
        assert_eq!(format!("{value:.digits$}"), number, "{property}: {found}");
        assert_eq!(execution["robustness_unit"], unit, "{property}: {found}");
        checked += 1;
    }
    assert_eq!(checked, 14, "nine templates and five temporal properties");
}

/// A counter that grows from execution to execution is not independent of the last one: executions
/// are worth less, and a verdict that rests on them is put off or not given.
#[test]
fn dependent_executions_are_noticed() {
    let folder = scratch("check-dependent");
    let count = folder.join("count");
    let file = count.display();
    let grows = format!("n=$(cat {file}); echo $((n + 1)) | tee {file}");
    let found = |limit: &'static str, command: &str| {
        std::fs::write(&count, "0").unwrap();
        let words = check(&[limit, "--runs", "60", "--format", "json"], command);
        document(&run(&words))
    };
    // It crosses the limit, or only drifts.
    for limit in ["x < 50", "x < 1000000"] {
        let dependent = found(limit, &grows);
        assert_eq!(dependent["verdict"], "inconclusive", "{dependent}");
        assert!(dependent["dependence"]["lag1"].as_f64().unwrap() > 0.9, "{dependent}");
        assert!(dependent["dependence"]["counts_as"].as_u64().unwrap() < 10, "{dependent}");
        assert!(found(limit, DIE)["dependence"].is_null());
    }
    // Watched as they come in, it ends where the budget could not be enough.
    std::fs::write(&count, "0").unwrap();
    let words = check(&["x < 1000000", "-q"], &grows);
    let output = run(&words);
    let text = stdout_of_output(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("Inconclusive: cannot tell") && text.contains("are autocorrelated"),
        "{text}"
    );
}

/// No number is given where values that are not known decide it.
#[test]
fn no_estimate_where_unknown_values_decide_it() {
    let folder = scratch("check-unknown-values");
    let data = folder.join("x.csv");
    let ask = |missing: usize| {
        let cell =
            |i: usize| if i % 100 < missing { String::new() } else { ((i * 37) % 100).to_string() };
        let rows: Vec<String> = (0..100).map(|i| format!("{},0", cell(i))).collect();
        std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
        let words = ["check", "--estimate", "x", "--data", data.to_str().unwrap()];
        let found = document(&run(&[&words[..], &["--format", "json"]].concat()));
        (found, stdout_of(&[&words[..], &["-q"]].concat()))
    };
    let (all, _) = ask(0);
    assert!(all["value"].as_f64().is_some(), "{all}");
    let (found, text) = ask(20);
    assert!(found["value"].is_null(), "{found}");
    assert!(text.contains("depends on those without a known value"), "{text}");
    assert!(text.contains("Of 100 executions, 20 have no known value"), "{text}");
}

/// "False" names an execution, when it was false, and how to have it again.
#[test]
fn false_names_an_execution_and_when() {
    let writes = "printf 'time_ms,load[W]\\n0,1\\n4,%s\\n10,2\\n' $(( {seed} % 5 + 5 ))";
    let words = ["check", "G load < 8W", "--read", "-", "--seed", "1", "--no-save", "-S", "sh"];
    let output = run(&[&words[..], &["--", writes]].concat());
    let text = stdout_of_output(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("misses by 1 W in `load < 8W`, at time 4 ms"), "{text}");
    assert!(text.contains("to repeat: sh -c"), "{text}");
    let found = document(&run(&[&words[..], &["--format", "json", "--", writes]].concat()));
    let example = &found["counterexample"];
    assert_eq!(
        (&example["truth"], &example["at"], &example["at_unit"]),
        (&"false".into(), &4.0.into(), &"ms".into())
    );
    // One that hangs is false by at least so much, and one that fails by its failing.
    let hangs =
        ["check", "runtime < 10ms", "--timeout", "100ms", "--seed", "1", "--no-save", "-M", "30"];
    let text = stdout_of_output(&run(&[&hangs[..], &["--", "sleep", "20"]].concat()));
    assert!(text.contains("worst: run") && text.contains("misses by"), "{text}");
    let fails = check(&["x > 0", "--on-failure", "count-as-false"], "exit 3");
    let text = stdout_of_output(&run(&fails));
    assert!(text.contains("false in run 1, which exited with status 3"), "{text}");
}

/// What cannot be told names the reason that is the reason, and a way on that is one.
#[test]
fn cannot_tell_says_why_and_what_to_do() {
    let folder = scratch("check-cannot-tell");
    let asked = |options: &[&'static str]| {
        let mut words = check(&[&["x < 97"], options].concat(), DIE);
        words.retain(|word| *word != "--no-save");
        stdout_of_output(&run(&in_folder(&folder, &words)))
    };
    let text = asked(&["--max-runs", "50"]);
    assert!(text.contains("fathom resume 1 --max-runs"), "{text}");
    let (code, text) = errors(&in_folder(&folder, &["resume", "1"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("fathom resume 1 --max-runs N") && !text.contains("less sure"), "{text}");
    assert!(asked(&["--runs", "30"]).contains("start again with --runs"));
    // Nine of ten are not a share near 90%.
    let data = folder.join("x.csv");
    let rows: Vec<String> = (0..10).map(|i| format!("{i},0")).collect();
    std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
    let text = stdout_of(&["check", "x < 9", "--data", data.to_str().unwrap()]);
    assert!(!text.contains("so close to 90%"), "{text}");
    // Nor where what is unknown decides.
    let rows: Vec<String> =
        (0..40).map(|i| if i < 10 { ",0".into() } else { format!("{i},0") }).collect();
    std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
    let text = stdout_of(&["check", "x < 90", "--data", data.to_str().unwrap()]);
    assert!(text.contains("the undecided ones decide it"), "{text}");
}
