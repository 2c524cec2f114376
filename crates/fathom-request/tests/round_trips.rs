//! Requests come back from JSON as they were.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_request::{CheckRequest, Request};
use fathom_testkit::requests::check_request;
use proptest::prelude::*;

proptest! {
    #[test]
    fn checks_come_back_from_json(request in check_request()) {
        let request = Request::Check(Box::new(request));
        prop_assert_eq!(Request::read(&request.to_json()).unwrap(), request);
    }
}

/// What an older Fathom did not write has its default.
#[test]
fn a_check_of_an_older_form_has_defaults() {
    let text = r#"{"question": "check", "version": 1, "about": {"property": {"text": "x < 1"}}}"#;
    let Request::Check(read) = Request::read(text).unwrap() else { unreachable!() };
    let words = ["check", "x < 1"];
    assert_eq!(read.words(), words);
    assert_eq!(read.probability, CheckRequest::default().probability);
}

/// The command line has what was asked, and nothing that is the default.
#[test]
fn a_check_prints_what_was_asked() {
    let text = r#"{"question": "check", "version": 1, "probability": "80%",
        "about": {"estimate": {"expression": "runtime", "precision": "5%"}},
        "executions": {"commands": {"systems": {"command": ["./sim", "--seed", "{seed}"]},
            "budget": {"at_most": {"time": "90s"}},
            "executor": {"slurm": {"partition": "main", "options": ["--constraint=fast"]}}}}}"#;
    assert_eq!(
        Request::read(text).unwrap().command_line(),
        "fathom check --estimate runtime --precision 5% --probability 80% --max-time 90s \
         --executor slurm --slurm-partition main --slurm-option=--constraint=fast -- ./sim --seed \
         '{seed}'"
    );
    let text = r#"{"question": "check", "version": 1, "about": {"property": {"text": "-x < 1"}},
        "executions": {"data": {"files": ["a.csv", "b.csv"], "rows": "executions"}}}"#;
    assert_eq!(
        Request::read(text).unwrap().command_line(),
        "fathom check ' -x < 1' --rows executions --data a.csv b.csv"
    );
}
