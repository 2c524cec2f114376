//! A program that tests itself: with a variable set it is a bench, without it the test of that bench.
//! The tests of the binary include this file too.

use std::process::ExitCode;

/// Makes the program a bench.
pub(crate) const AS_BENCH: &str = "FATHOM_TEST_AS_BENCH";

/// The main function of such a program.
pub(crate) fn main(name: &str, bench: fn() -> ExitCode, tests: impl FnOnce()) -> ExitCode {
    if std::env::var_os(AS_BENCH).is_some() {
        return bench();
    }
    // nextest asks; it runs this program as one test.
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        if !words.iter().any(|word| word == "--ignored") {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    tests();
    ExitCode::SUCCESS
}

/// Work that takes as long as it has steps, and that no compiler takes away.
#[inline(never)]
pub(crate) fn busy(steps: u64) -> u64 {
    let mut state = steps | 1;
    for _ in 0..steps {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state ^= state >> 29;
    }
    state
}
