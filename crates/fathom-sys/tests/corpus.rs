//! Every kernel file of the fuzzer's corpus is read.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/proc.rs"]
mod proc;

#[test]
fn files_of_the_kernel() {
    fathom_testkit::corpus::replay("proc", proc::check).unwrap();
}
