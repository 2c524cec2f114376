//! Every request of the fuzzer's corpus is read or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/requests.rs"]
mod requests;

#[test]
fn requests_from_anywhere() {
    fathom_testkit::corpus::replay("requests", requests::check).unwrap();
}
