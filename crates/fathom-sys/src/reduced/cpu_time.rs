//! The processor time this process has used, or one of its threads, where it is not Unix.

use fathom_record::Span;

/// Processor time of all threads of this process; always 0 where the system is not known.
#[must_use]
pub fn process() -> Span {
    used(Of::Process)
}

/// Processor time of the thread that asks; always 0 where the system is not known.
#[must_use]
pub fn thread() -> Span {
    used(Of::Thread)
}

#[derive(Clone, Copy)]
enum Of {
    Process,
    Thread,
}

#[cfg(not(windows))]
fn used(_of: Of) -> Span {
    Span::ZERO
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "std does not ask for processor time")]
fn used(of: Of) -> Span {
    use std::ffi::c_void;

    /// Windows' `FILETIME`: steps of 100 ns, as two halves.
    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct FileTime {
        low: u32,
        high: u32,
    }

    impl FileTime {
        fn nanoseconds(self) -> u64 {
            (u64::from(self.high) << 32 | u64::from(self.low)).saturating_mul(100)
        }
    }

    type Times = unsafe extern "system" fn(
        *mut c_void,
        *mut FileTime,
        *mut FileTime,
        *mut FileTime,
        *mut FileTime,
    ) -> i32;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetCurrentProcess() -> *mut c_void;
        fn GetCurrentThread() -> *mut c_void;
        fn GetProcessTimes(
            process: *mut c_void,
            created: *mut FileTime,
            ended: *mut FileTime,
            kernel: *mut FileTime,
            user: *mut FileTime,
        ) -> i32;
        fn GetThreadTimes(
            thread: *mut c_void,
            created: *mut FileTime,
            ended: *mut FileTime,
            kernel: *mut FileTime,
            user: *mut FileTime,
        ) -> i32;
    }

    let [mut created, mut ended, mut kernel, mut user] = [FileTime::default(); 4];
    // SAFETY: all pointers are to times on this stack; these handles need no closing.
    let is_told = unsafe {
        let (ask, whose): (Times, _) = match of {
            Of::Process => (GetProcessTimes, GetCurrentProcess()),
            Of::Thread => (GetThreadTimes, GetCurrentThread()),
        };
        ask(whose, &raw mut created, &raw mut ended, &raw mut kernel, &raw mut user)
    } != 0;
    if !is_told {
        return Span::ZERO;
    }
    Span::from_nanoseconds(kernel.nanoseconds() + user.nanoseconds())
}
