//! Any bytes are counters of HotSpot, or an error that says what is wrong.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fathom_sys::fuzzing::hsperfdata(bytes));
