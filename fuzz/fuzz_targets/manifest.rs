//! Any text is the manifest of a trace folder, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-formats/tests/corpus/manifest.rs"]
mod manifest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| manifest::check(bytes));
