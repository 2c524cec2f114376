//! The command line of a request asks the same.

use super::request_of_words;
use fathom_request::Request;
use fathom_testkit::requests::check_request;
use proptest::prelude::*;

fn comes_back(request: Request) -> Result<(), TestCaseError> {
    let words = request.words();
    let read = request_of_words(&words).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(read, Some(request), "{:?}", words);
    Ok(())
}

proptest! {
    #[test]
    fn checks_come_back_from_their_command_line(request in check_request()) {
        comes_back(Request::Check(Box::new(request)))?;
    }
}
