//! Every property of the fuzzer's corpus is judged or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/property.rs"]
mod property;

#[test]
fn properties() {
    fathom_testkit::corpus::replay("property", property::check).unwrap();
}
