//! A request and the command line that it is printed as ask the same.

use super::request_of_words;
use fathom_request::Request;
use fathom_testkit::requests;
use proptest::prelude::*;

fn is_read_back(request: Request) -> Result<(), TestCaseError> {
    let words = request.words();
    match request_of_words(&words) {
        Ok(read) => prop_assert_eq!(read, Some(request), "{:?}", words),
        Err(error) => prop_assert!(false, "{words:?}\n{error}"),
    }
    Ok(())
}

proptest! {
    #[test]
    fn explanations_are_read_back(request in requests::explain::explain()) {
        is_read_back(request.into())?;
    }

    #[test]
    fn suggestions_are_read_back(request in requests::explain::suggest()) {
        is_read_back(request.into())?;
    }

    #[test]
    fn recordings_are_read_back(request in requests::record::record()) {
        is_read_back(request.into())?;
    }

    #[test]
    fn analyses_are_read_back(request in requests::analyze::analyze()) {
        is_read_back(request.into())?;
    }
}
