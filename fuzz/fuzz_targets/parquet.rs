//! Any bytes are a Parquet table, ours or another program's, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-formats/tests/corpus/parquet.rs"]
mod parquet;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parquet::check(bytes));
