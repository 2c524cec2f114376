//! `check` with several questions: what it shows, what it refuses, files of questions, sessions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;

/// A simulator: prints a number from 0 to 99 that follows from the seed.
const DIE: &str = "echo x: $(( {seed} % 100 ))";

/// `check` of that simulator, with a fixed seed.
fn check<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["check"];
    all.extend(words);
    let rest = ["--metric", "x=last-number", "--seed", "1", "--no-save", "-S", "sh", "--", DIE];
    all.extend(rest);
    all
}

#[test]
fn several_answers_and_their_exit_codes() {
    let mut text = String::new();
    for (words, code) in [
        (&["x < 98", "low: x < 97", "x >= 0"][..], 0),
        (&["x < 98", "x < 70", "--estimate", "tail: x"], 1),
        (&["x < 98", "x < 90", "--max-runs", "200"], 3),
        (&["x < 98", "x < 90", "x < 60", "--runs", "100"], 1),
        (&["--estimate", "x", "--estimate", "2 * x"], 0),
        (&["x < 98", "abs(x@1 - x@2) < 90", "-q"], 0),
        (&["x < 98", "low: x < 97", "--per-question"], 0),
        (&["x < 98", "x < 97", "--indifference", "1%", "--estimate", "x"], 0),
        (&["x < 98", "x < 70", "--runs", "100", "--format", "markdown"], 1),
        (&["x < 98", "x < 70", "--estimate", "x", "--runs", "100", "--format", "csv"], 1),
        (&["x < 98", "x < 97", "--estimate", "x", "--dry-run"], 0),
    ] {
        let words = check(words);
        let output = run(&words);
        let shown = transcript(&words, &output);
        assert_eq!(output.status.code(), Some(code), "{shown}");
        // On a busy machine, what it will cost is worth a line.
        let cost = |line: &&str| line.starts_with("An execution takes about ");
        text.extend(shown.lines().filter(|line| !cost(line)).map(|line| format!("{line}\n")));
    }
    insta::assert_snapshot!(text);
}

/// The table has the interval that shares the error; the page of a question has no other one.
#[test]
fn the_page_of_a_question_has_the_interval_of_the_table() {
    let words = check(&["x < 98", "low: x < 97", "--estimate", "x", "-v"]);
    let page = String::from_utf8(run(&words).stdout).unwrap();
    let row = page.lines().find(|line| line.trim_start().starts_with("x < 98 ")).unwrap();
    let interval: Vec<&str> = row.split_whitespace().skip(5).take(3).collect();
    let interval = interval.join(" ");
    assert!(page.contains(&format!("(95% CI {interval})")), "{interval}: {page}");
    assert!(!page.contains("of all with 95% confidence"), "{page}");
    assert_eq!(page.matches("wrong is below 5%").count(), 1, "{page}");
    assert!(!page.contains("coverage"), "{page}");
}

#[test]
fn what_is_refused_names_the_question() {
    let mut text = String::new();
    for words in [
        &["x < 98", "y < 97"][..],
        &["x < 98", "x <"],
        &["x < 98", "x<98"],
        &["--estimate", "x", "--estimate", "x"],
        &["a: x < 98", "a: x < 97"],
        &["x < 98", "x < 97", "--method", "spa"],
        &["x < 98", "--estimate", "x", "--method", "exact"],
        &["x < 98", "--per-question"],
        &["--properties", "no-such-file.txt"],
        &["--properties", "/dev/null"],
    ] {
        let words = check(words);
        let output = run(&words);
        text += &transcript(&words, &output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_of_questions_is_as_if_they_were_typed() {
    let folder = scratch("properties_file");
    let file = folder.join("asked.txt");
    let answer = |text: &str, more: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let mut words = vec!["--properties", file.to_str().unwrap()];
        words.extend(more);
        run(&check(&words))
    };
    let json = ["--runs", "100", "--format", "json"];
    let of_file = document(&answer("# two\nlow: x < 98 # most\n\n--estimate x\n", &json));
    let typed = ["low: x < 98", "--estimate", "x", "--runs", "100", "--format", "json"];
    let typed = document(&run(&check(&typed)));
    assert_eq!(of_file["questions"], typed["questions"]);
    for (text, place) in
        [("x < 98\nx <\n", "asked.txt:2: "), ("x < 98\n\ny < 3\n", "asked.txt:3: ")]
    {
        let output = answer(text, &[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains(place), "{said}");
    }
    let no_estimate = answer("x < 98", &["--precision", "5%"]);
    assert!(String::from_utf8(no_estimate.stderr).unwrap().contains("--precision has no effect"));
}

/// The names of what a document has at its top.
fn keys(document: &Value) -> Vec<&str> {
    document.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_document_lists_all_questions() {
    let words = check(&["low: x < 98", "x < 70", "--estimate", "x", "--format", "json"]);
    let several = document(&run(&words));
    let questions = several["questions"].as_array().unwrap();
    let verdicts: Vec<&Value> = questions.iter().map(|question| &question["verdict"]).collect();
    assert_eq!(verdicts, [&Value::from("true"), &Value::from("false"), &Value::Null]);
    assert_eq!((&several["verdict"], &several["error"]), (&"false".into(), &"shared".into()));
    assert_eq!((&questions[0]["name"], &questions[2]["interval_of"]), (&"low".into(), &"x".into()));
    let worst = &questions[1]["worst"];
    assert_eq!(worst["truth"], "false");
    assert_eq!(worst, &questions[1]["counterexample"]);
    assert!(!keys(&several).contains(&"property"), "{several}");
    // One question keeps its fields at the top, and is listed as well.
    let one = document(&run(&check(&["x < 98", "--format", "json"])));
    assert_eq!((&one["verdict"], &one["property"]), (&"true".into(), &"x < 98".into()));
    assert_eq!(one["questions"][0]["verdict"], "true");
    assert_eq!(one["questions"].as_array().unwrap().len(), 1);
}

#[test]
fn several_at_a_time_count_by_number() {
    let answer = |jobs: &str| {
        let words = ["x < 98", "x < 70", "abs(x@1 - x@2) < 90", "-j", jobs, "--format", "json"];
        let words = check(&words);
        document(&run(&words))["questions"].clone()
    };
    assert_eq!(answer("1"), answer("4"));
}

#[test]
fn twenty_questions_about_a_table() {
    let folder = scratch("twenty_questions");
    let file = folder.join("runs.csv");
    let rows: Vec<String> = (0..200).map(|n| format!("{},{n}", n * 37 % 200)).collect();
    std::fs::write(&file, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
    let questions: Vec<String> = (0..20).map(|n| format!("x < {}", 110 + 10 * n)).collect();
    let mut words = vec!["check"];
    words.extend(questions.iter().map(String::as_str));
    words.extend(["--format", "json", "--data", file.to_str().unwrap()]);
    let output = run(&words);
    assert_eq!(output.status.code(), Some(1));
    let found = document(&output);
    let questions = found["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 20);
    assert!(questions.iter().all(|question| question["samples"] == 200));
    let of = |verdict: &str| questions.iter().filter(|one| one["verdict"] == verdict).count();
    assert!(of("true") > 5 && of("false") > 2 && of("inconclusive") > 0, "{found}");
}

#[test]
fn a_session_with_several_questions_goes_on_and_is_shown() {
    let folder = scratch("several_sessions");
    let answer = |words: &[&str]| {
        let output = run(&in_folder(&folder, words));
        (output.status.code(), document(&output))
    };
    let asked = ["x < 98", "low: x < 90", "--estimate", "x"];
    let more = ["--metric", "x=last-number", "--seed", "1", "-S", "sh", "--format", "json"];
    let all: Vec<&str> = ["check"]
        .iter()
        .chain(&asked)
        .chain(&["-M", "60"])
        .chain(&more)
        .chain(&["--", DIE])
        .copied()
        .collect();
    let (code, first) = answer(&all);
    assert_eq!(code, Some(3), "{first}");
    let (code, resumed) = answer(&["resume", "1", "-M", "150", "--format", "json"]);
    assert_eq!(code, Some(3), "{resumed}");
    let (_, shown) = answer(&["show", "1", "--format", "json"]);
    assert_eq!(shown["questions"].as_array().unwrap().len(), 3, "{shown}");
    // At once it is the same as in two parts.
    let folder = scratch("several_sessions_at_once");
    let once: Vec<&str> = ["check"]
        .iter()
        .chain(&asked)
        .chain(&["-M", "150"])
        .chain(&more)
        .chain(&["--", DIE])
        .copied()
        .collect();
    let once = document(&run(&in_folder(&folder, &once)));
    assert_eq!(once["questions"], resumed["questions"]);
}
