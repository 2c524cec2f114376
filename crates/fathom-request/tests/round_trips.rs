//! Whatever can be asked is stored and read back unchanged.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_request::arbitrary::{compare_request, run_request};
use fathom_request::{Request, RequestError, VERSION};
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
