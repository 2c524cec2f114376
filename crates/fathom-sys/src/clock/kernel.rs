//! The clocks of Linux.
#![allow(unsafe_code, reason = "std's Instant cannot be shared with another process as a number")]

use fathom_record::Timestamp;

/// The monotonic clock, whose zero is some moment in the past. It is the same for every process of the
/// machine, and it never goes back.
#[must_use]
pub fn monotonic() -> Timestamp {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid place to write to. The call cannot fail with this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    timestamp(now)
}

/// The wall clock, whose zero is 1970. It may be set, so nothing is timed with it.
#[must_use]
pub fn wall() -> Timestamp {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid place to write to. The call cannot fail with this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut now) };
    timestamp(now)
}

/// No clock is 292 years from its zero; without checks for that, nothing delays a timing.
fn timestamp(now: libc::timespec) -> Timestamp {
    let nanoseconds = now.tv_sec.wrapping_mul(1_000_000_000).wrapping_add(now.tv_nsec);
    Timestamp::from_nanoseconds(nanoseconds)
}

/// From now on the calling thread's sleeps end when they should: the kernel may otherwise let each
/// last 50 us longer, to wake several threads at once.
pub fn wake_precisely() {
    const SLACK_NS: libc::c_ulong = 1;
    // SAFETY: a plain system call with numbers. Where it is refused sleeps are as they were.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, SLACK_NS) };
}
