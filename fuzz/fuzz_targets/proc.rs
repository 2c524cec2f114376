//! Any bytes in a file of the kernel are numbers, or are missing.
#![no_main]

#[path = "../../crates/fathom-sys/tests/corpus/proc.rs"]
mod proc;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proc::check(bytes));
