//! Whatever can be asked can be typed: the command line that a request prints asks the same.

use super::request_of_words;
use fathom_request::Request;
use fathom_request::arbitrary::{
    analyze_request, check_request, compare_request, contrast_request, explain_request,
    record_request, run_request, suggest_request,
};
use proptest::prelude::*;

fn is_typed(request: &Request) -> Result<(), TestCaseError> {
    let words = request.words();
    let read = request_of_words(&words);
    prop_assert_eq!(read.as_ref(), Ok(request), "{:?}", words);
    // A shell gives the same words.
    let line = request.command_line();
    let split = shlex::split(&line).unwrap_or_default();
    prop_assert_eq!(split.get(1..), Some(words.as_slice()), "{}", line);
    Ok(())
}

proptest! {
    #[test]
    fn runs_are_typed(request in run_request()) {
        is_typed(&Request::Run(Box::new(request)))?;
    }

    #[test]
    fn comparisons_are_typed(request in compare_request()) {
        is_typed(&Request::Compare(Box::new(request)))?;
    }

    #[test]
    fn checks_are_typed(request in check_request()) {
        is_typed(&Request::Check(Box::new(request)))?;
    }

    #[test]
    fn explanations_are_typed(request in explain_request()) {
        is_typed(&Request::from(request))?;
    }

    #[test]
    fn suggestions_are_typed(request in suggest_request()) {
        is_typed(&Request::from(request))?;
    }

    #[test]
    fn contrasts_are_typed(request in contrast_request()) {
        is_typed(&Request::from(request))?;
    }

    #[test]
    fn recordings_are_typed(request in record_request()) {
        is_typed(&Request::from(request))?;
    }

    #[test]
    fn analyses_are_typed(request in analyze_request()) {
        is_typed(&Request::from(request))?;
    }
}
