//! Any text is one of our JSON documents, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-engine/tests/corpus/documents.rs"]
mod documents;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| documents::check(bytes));
