//! The work that every tool measures, and how many iterations of it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Where the last call ended.
static STATE: AtomicU64 = AtomicU64::new(88_172_645_463_325_252);

/// Each step waits for the one before, so that twice as many take twice as long. A step is cheap,
/// so that 1% of a quarter of a microsecond is a whole number of steps.
///
/// A call begins where the last one ended, so that it waits for that one too. Otherwise the
/// processor would begin a call before the last one is over, by as much as its history of branches
/// lets it, and the true ratio of two short functions would be one thing in one tool's loop and
/// another in the next tool's.
///
/// The same machine code in every executable: never a copy that is inlined and optimised anew.
#[inline(never)]
pub fn busy(iterations: u64) -> u64 {
    let mut state = STATE.load(Ordering::Relaxed);
    for _ in 0..iterations {
        // Of a multiplication and an addition alone the compiler makes one step of eight.
        state = (state ^ (state >> 7)).wrapping_mul(6_364_136_223_846_793_005);
    }
    STATE.store(state, Ordering::Relaxed);
    state
}

/// The iterations of the first function: the baseline.
pub fn first() -> u64 {
    from_environment("BUSY_FIRST")
}

/// The iterations of the second function: the candidate.
pub fn second() -> u64 {
    from_environment("BUSY_SECOND")
}

fn from_environment(name: &str) -> u64 {
    let value = std::env::var(name).unwrap_or_default();
    value.parse().unwrap_or_else(|_| {
        eprintln!("{name} is {value:?}: it must be a number of iterations");
        // Some tools call this where an error could not be returned.
        std::process::exit(2)
    })
}
