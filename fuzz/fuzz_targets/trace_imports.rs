//! Any bytes are a trace for `fathom import`, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-formats/tests/corpus/trace_imports.rs"]
mod trace_imports;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trace_imports::check(bytes));
