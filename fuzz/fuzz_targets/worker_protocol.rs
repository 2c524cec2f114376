//! Any bytes are packets of the server that starts commands and lines of a bench, or are refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fathom_sys::fuzzing::worker_protocol(bytes);
    fathom_bench::fuzzing::worker_protocol(bytes);
});
