//! Any text is a property, or an error that says what is wrong.
#![no_main]

#[path = "../../crates/fathom-property/tests/corpus/property.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::check(bytes));
