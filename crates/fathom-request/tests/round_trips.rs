//! Whatever can be asked is stored and read back unchanged.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_request::arbitrary::{
    analyze_request, check_request, compare_request, contrast_request, explain_request,
    record_request, run_request, suggest_request,
};
use fathom_request::{CheckRequest, Request, RequestError, VERSION};
use proptest::prelude::*;

fn comes_back(request: Request) -> Result<(), TestCaseError> {
    prop_assert_eq!(Request::read(&request.to_json()), Ok(request));
    Ok(())
}

proptest! {
    #[test]
    fn runs_come_back(request in run_request()) {
        comes_back(Request::Run(Box::new(request)))?;
    }

    #[test]
    fn comparisons_come_back(request in compare_request()) {
        comes_back(Request::Compare(Box::new(request)))?;
    }

    #[test]
    fn checks_come_back(request in check_request()) {
        comes_back(Request::Check(Box::new(request)))?;
    }

    #[test]
    fn explanations_come_back(request in explain_request()) {
        comes_back(Request::from(request))?;
    }

    #[test]
    fn suggestions_come_back(request in suggest_request()) {
        comes_back(Request::from(request))?;
    }

    #[test]
    fn contrasts_come_back(request in contrast_request()) {
        comes_back(Request::from(request))?;
    }

    #[test]
    fn recordings_come_back(request in record_request()) {
        comes_back(Request::from(request))?;
    }

    #[test]
    fn analyses_come_back(request in analyze_request()) {
        comes_back(Request::from(request))?;
    }
}

#[test]
fn what_is_missing_has_its_default() {
    let request = Request::read(r#"{"version": 1, "question": "run"}"#).unwrap();
    assert_eq!(request, Request::Run(Box::default()));
}

#[test]
fn what_cannot_be_read_says_why() {
    let newer = format!(r#"{{"version": {}, "question": "run"}}"#, VERSION + 1);
    assert_eq!(Request::read(&newer), Err(RequestError::Newer { found: VERSION + 1 }));
    for text in [
        "",
        "7",
        r#"{"question": "run"}"#,
        r#"{"version": 1, "question": "sing"}"#,
        r#"{"version": 1, "question": "run", "confidence": "2"}"#,
        r#"{"version": 1, "question": "run", "running": {"metrics": ["x"]}}"#,
    ] {
        assert!(matches!(Request::read(text), Err(RequestError::Malformed(_))), "{text}");
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

/// Several questions are typed as properties, then estimates, each with its name.
#[test]
fn a_check_of_several_questions_prints_all_of_them() {
    let text = r#"{"question": "check", "version": 3, "per_question": true, "about": [
        {"property": {"name": "fast", "text": "x < 1", "vacuous": "skip"}},
        {"property": {"text": "y < 2", "vacuous": "skip"}},
        {"estimate": {"name": "tail", "expression": "x"}}],
        "executions": {"data": {"files": ["a.csv"]}}}"#;
    let read = Request::read(text).unwrap();
    assert_eq!(
        read.command_line(),
        "fathom check 'fast: x < 1' 'y < 2' --estimate 'tail: x' --vacuous skip --per-question \
         --data a.csv"
    );
    assert_eq!(Request::read(&read.to_json()), Ok(read));
    let text = r#"{"question": "check", "version": 3, "about": 7}"#;
    assert!(matches!(Request::read(text), Err(RequestError::Malformed(_))));
}
