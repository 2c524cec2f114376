//! Any bytes are a label file, or are left alone with a note that says why.
#![no_main]

#[path = "../../crates/fathom-ui/tests/corpus/labels.rs"]
mod labels;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| labels::check(bytes));
