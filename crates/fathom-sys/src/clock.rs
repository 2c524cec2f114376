//! The clock that everything is measured with.
#![allow(unsafe_code, reason = "std's Instant cannot be shared with another process as a number")]

/// Nanoseconds since some moment in the past; the same for every process of the machine, and it
/// never goes back.
#[must_use]
pub fn monotonic_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid place to write to. The call cannot fail with this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}

/// The smallest step the clock was seen to make, in nanoseconds: nothing shorter can be timed.
#[must_use]
pub fn grain_ns() -> u64 {
    // Enough for a clock of a few milliseconds to step several times.
    const STEPS: u32 = 2_000;
    const LONGEST_NS: u64 = 50_000_000;
    let began = monotonic_ns();
    let mut last = began;
    let mut grain = u64::MAX;
    let mut steps = 0;
    while steps < STEPS && last - began < LONGEST_NS {
        let now = monotonic_ns();
        if now > last {
            grain = grain.min(now - last);
            steps += 1;
            last = now;
        }
    }
    grain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_forward_in_steps_that_were_seen() {
        let first = monotonic_ns();
        let grain = grain_ns();
        let last = monotonic_ns();
        assert!(first > 0);
        assert!(grain > 0 && grain <= last - first, "{grain}");
    }
}
