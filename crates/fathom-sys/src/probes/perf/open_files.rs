//! How many files may be open: a counter is one.
#![allow(unsafe_code, reason = "std knows no limits")]

/// The limit, and the one up to which anybody may raise it.
fn limits() -> Option<libc::rlimit> {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limits` is a valid place to write to.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limits) };
    (result == 0).then_some(limits)
}

/// The limit of this process.
pub(super) fn limit() -> Option<u64> {
    limits().map(|limits| limits.rlim_cur)
}

/// Raises it as far as that is permitted to everybody; whether it is higher now.
pub(super) fn raise() -> bool {
    let Some(limits) = limits().filter(|limits| limits.rlim_cur < limits.rlim_max) else {
        return false;
    };
    let raised = libc::rlimit { rlim_cur: limits.rlim_max, ..limits };
    // SAFETY: the structure is read during the call only.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) == 0 }
}
