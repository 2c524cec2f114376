//! What requests look like as they are typed, and the help of their values.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_request::value::Named;
use fathom_request::{
    AnalyzeRequest, CheckMethod, CheckRequest, CompareRequest, EffortPreset, ExecutorName,
    ExplainRequest, OnFailure, RecordRequest, RunRequest, SuggestRequest, TraceFiles, Vacuous,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn read<R: DeserializeOwned>(request: Value) -> R {
    serde_json::from_value(request).unwrap()
}

#[test]
fn files_are_named_last() {
    let analyze: AnalyzeRequest =
        read(json!({ "files": ["a b.csv", "-x"], "statistics": ["mean", "p90"], "seed": 7 }));
    let words = analyze.words();
    assert_eq!(words[0], "analyze");
    assert_eq!(words[1..5], ["--statistic", "mean", "--statistic", "p90"]);
    assert_eq!(words.last().map(String::as_str), Some("-x"));
    assert!(words.contains(&"--seed".to_string()) && words.contains(&"a b.csv".to_string()));
    let traces: TraceFiles = read(json!({ "paths": ["traces"], "counters": ["gc*"] }));
    assert_eq!(traces.words(), ["traces", "--counter", "gc*"]);
}

#[test]
fn questions_about_traces_are_typed_for_the_terminal_and_the_browser() {
    let asked = json!({ "traces": { "paths": ["traces"] }, "target": "ipc", "run": "run-2" });
    let explain: ExplainRequest = read(asked.clone());
    let rest = ["traces", "--target", "ipc", "--run", "run-2"];
    assert_eq!(explain.words()[0], "explain");
    assert_eq!(explain.words()[1..], rest);
    assert_eq!(explain.ui_words()[0], "ui");
    assert_eq!(explain.ui_words()[1..], rest);
    let suggest: SuggestRequest = read(asked);
    let words = suggest.words();
    assert_eq!((words[0].as_str(), &words[1..6]), ("explain", &rest.map(String::from)[..]));
    assert_eq!(words[6..], ["--suggest"]);
}

#[test]
fn commands_and_how_they_run_are_typed() {
    let subjects = json!({ "commands": ["sort a", "sort b"], "names": ["one", "two"] });
    let running = json!({ "warmup": 3, "prepare": ["sync"] });
    let run: RunRequest = read(json!({ "subjects": subjects, "running": running }));
    let compare: CompareRequest = read(json!({ "subjects": subjects, "running": running }));
    for (words, name) in [(run.words(), "run"), (compare.words(), "compare")] {
        assert_eq!(words[0], name);
        for word in ["sort a", "sort b", "one", "two", "sync", "3"] {
            assert!(words.contains(&word.to_string()), "{word}: {words:?}");
        }
    }
    assert!(RecordRequest::default().words().starts_with(&["record".to_string()]));
}

#[test]
fn a_check_may_go_on_if_its_error_holds_at_every_look() {
    let of = |method: Option<&str>, runs: bool| -> CheckRequest {
        let method = method.map_or(Value::Null, |name| json!({ "named": name }));
        let budget =
            if runs { json!({ "exactly": 50 }) } else { json!({ "at_most": { "runs": 50 } }) };
        read(json!({
            "about": { "property": { "text": "x < 1", "method": method } },
            "executions": { "commands": { "budget": budget } },
        }))
    };
    assert!(of(None, false).may_go_on());
    assert!(of(Some("anytime"), false).may_go_on());
    assert!(!of(Some("exact"), false).may_go_on());
    assert!(!of(Some("spa"), false).may_go_on());
    assert!(!of(None, true).may_go_on());
    // Without a precision an estimate has a number of executions, unless another question is watched.
    let estimate = json!({ "estimate": { "expression": "x" } });
    let asked = |about: Value| -> CheckRequest { read(json!({ "about": about })) };
    assert!(!asked(json!([estimate])).may_go_on());
    assert!(asked(json!([{ "property": { "text": "x < 1" } }, estimate])).may_go_on());
    let more = of(None, false).with_max_runs(200);
    assert!(
        more.words().windows(2).any(|pair| pair == ["--max-runs", "200"]),
        "{:?}",
        more.words()
    );
    assert!(more.words().contains(&"x < 1".to_string()));
}

#[test]
fn every_value_has_a_name_and_a_help_of_its_own() {
    fn assert_are_told_apart<N: Named + 'static>() {
        let names: BTreeSet<&str> = N::ALL.iter().map(|one| one.name()).collect();
        let helps: BTreeSet<Option<&str>> = N::ALL.iter().map(|one| one.summary()).collect();
        assert_eq!((names.len(), helps.len()), (N::ALL.len(), N::ALL.len()), "{names:?}");
        assert!(helps.iter().all(|help| help.is_some_and(|help| help.len() > 8)), "{helps:?}");
        assert!(names.iter().all(|name| !name.is_empty() && !name.contains(' ')), "{names:?}");
    }
    // Where the help of an option says it all.
    assert_eq!(EffortPreset::Quick.summary(), None);
    assert_are_told_apart::<OnFailure>();
    assert_are_told_apart::<CheckMethod>();
    assert_are_told_apart::<Vacuous>();
    assert_are_told_apart::<ExecutorName>();
    assert_are_told_apart::<fathom_formats::RowsAre>();
    assert_are_told_apart::<fathom_explain::ScoreIn>();
}
