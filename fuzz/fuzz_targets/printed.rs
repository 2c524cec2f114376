//! Any bytes are an option and what a program prints, or an error that says what is wrong.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fathom_measure::fuzzing::printed(bytes));
