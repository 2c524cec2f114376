//! Any finite values under any request end with an answer that JSON can carry.
#![no_main]

#[path = "../../crates/fathom-analyze/tests/corpus/decode.rs"]
mod decode;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| decode::check(bytes));
