//! Every document of the fuzzer's corpus is read or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/documents.rs"]
mod documents;

#[test]
fn documents_from_anywhere() {
    fathom_testkit::corpus::replay("documents", documents::check).unwrap();
}
