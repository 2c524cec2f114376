//! Any bytes are an answer of a program's server, or a question of the page, or an error that says what
//! is wrong.
#![no_main]

#[path = "../../crates/fathom-ui/tests/corpus/page_questions.rs"]
mod page_questions;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fathom_measure::fuzzing::http(bytes);
    page_questions::check(bytes);
});
