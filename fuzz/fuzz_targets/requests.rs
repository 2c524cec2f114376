//! Any text is a request, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-request/tests/corpus/requests.rs"]
mod requests;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| requests::check(bytes));
