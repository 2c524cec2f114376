//! The processor time this process has used, or one of its threads.
#![allow(unsafe_code, reason = "std has no such clock")]

/// Processor time of all threads of this process, in nanoseconds.
#[must_use]
pub fn process_ns() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time of the thread that asks, in nanoseconds.
#[must_use]
pub fn thread_ns() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `used` is a valid place to write to. The call cannot fail with these clocks.
    unsafe { libc::clock_gettime(clock, &raw mut used) };
    let seconds = u64::try_from(used.tv_sec).unwrap_or(0);
    seconds * 1_000_000_000 + u64::try_from(used.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let before = process_ns();
        while process_ns() - before < 2_000_000 {
            std::hint::black_box(1);
        }
        assert!(process_ns() - before >= 2_000_000);
    }

    #[test]
    fn a_thread_has_only_its_own() {
        let idle = std::thread::spawn(thread_ns);
        let before = thread_ns();
        while thread_ns() - before < 5_000_000 {
            std::hint::black_box(1);
        }
        assert!(idle.join().unwrap() < 5_000_000);
    }
}
