//! Every label file and question of the fuzzer's corpus is read or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/labels.rs"]
mod labels;
#[path = "corpus/page_questions.rs"]
mod page_questions;

use fathom_testkit::corpus::replay;

#[test]
fn label_files() {
    replay("labels", labels::check).unwrap();
}

#[test]
fn questions_of_the_page() {
    replay("http", page_questions::check).unwrap();
}
