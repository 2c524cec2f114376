//! The processor time this process has used, or one of its threads.
#![allow(unsafe_code, reason = "std has no such clock")]

use fathom_record::Span;

/// Processor time of all threads of this process.
#[must_use]
pub fn process() -> Span {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time of the thread that asks.
#[must_use]
pub fn thread() -> Span {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> Span {
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `used` is a valid place to write to. The call cannot fail with these clocks.
    unsafe { libc::clock_gettime(clock, &raw mut used) };
    let seconds = u64::try_from(used.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(used.tv_nsec).unwrap_or(0);
    Span::from_nanoseconds(seconds * 1_000_000_000 + nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let before = process();
        while process() - before < Span::from_milliseconds(2) {
            std::hint::black_box(1);
        }
        assert!(process() - before >= Span::from_milliseconds(2));
    }

    #[test]
    fn a_thread_has_only_its_own() {
        let idle = std::thread::spawn(thread);
        let before = thread();
        while thread() - before < Span::from_milliseconds(5) {
            std::hint::black_box(1);
        }
        assert!(idle.join().unwrap() < Span::from_milliseconds(5));
    }
}
