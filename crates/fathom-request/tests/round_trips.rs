//! Requests are stored as JSON and read back unchanged.

use fathom_request::Request;
use fathom_testkit::requests;
use proptest::prelude::*;

fn comes_back(request: Request) -> Result<(), TestCaseError> {
    let read = Request::read(&request.to_json());
    prop_assert_eq!(read, Ok(request));
    Ok(())
}

proptest! {
    #[test]
    fn explanations_come_back(request in requests::explain::explain()) {
        comes_back(request.into())?;
    }

    #[test]
    fn suggestions_come_back(request in requests::explain::suggest()) {
        comes_back(request.into())?;
    }

    #[test]
    fn recordings_come_back(request in requests::record::record()) {
        comes_back(request.into())?;
    }

    #[test]
    fn analyses_come_back(request in requests::analyze::analyze()) {
        comes_back(request.into())?;
    }
}
