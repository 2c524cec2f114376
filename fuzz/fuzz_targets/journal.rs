//! Any bytes are the journal of a check, a file of its session or output of Slurm, or an error that says
//! what is wrong.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fathom_measure::fuzzing::journal(bytes));
