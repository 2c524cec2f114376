//! Any bytes are executions of `fathom check`, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-formats/tests/corpus/observations.rs"]
mod observations;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| observations::check(bytes));
