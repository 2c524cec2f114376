//! The units that the kernel counts in.
#![allow(unsafe_code, reason = "std does not tell them")]

use fathom_record::Span;

/// One clock tick, which processor times are counted in.
pub(crate) fn tick() -> Span {
    Span::from_nanoseconds(1_000_000_000 / positive(libc::_SC_CLK_TCK, 100))
}

/// Bytes of one page.
pub(crate) fn page_bytes() -> u64 {
    positive(libc::_SC_PAGESIZE, 4096)
}

fn positive(what: libc::c_int, usual: u64) -> u64 {
    // SAFETY: a plain call with a number.
    let value = unsafe { libc::sysconf(what) };
    u64::try_from(value).ok().filter(|value| *value > 0).unwrap_or(usual)
}
