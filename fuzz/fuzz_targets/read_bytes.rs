//! Any bytes are samples of `fathom analyze`, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-formats/tests/corpus/read_bytes.rs"]
mod read_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read_bytes::check(bytes));
