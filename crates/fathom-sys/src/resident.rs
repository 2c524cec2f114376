//! How much memory this process has.

/// The bytes of memory that this process has in RAM; `None` where the system does not tell.
///
/// The kernel counts in batches for every CPU, so the number may be off by a few hundred kilobytes.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(page_bytes()?)
}

#[allow(unsafe_code, reason = "asking the C library for a constant")]
fn page_bytes() -> Option<u64> {
    // SAFETY: sysconf reads no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).ok().filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_written_counts() {
        const BYTES: usize = 64 << 20;
        let before = resident_bytes().expect("Linux tells");
        let block = vec![1_u8; BYTES];
        let after = resident_bytes().expect("Linux tells");
        assert!(block.iter().all(|&byte| byte == 1));
        // Other tests of this process may free some meanwhile.
        assert!(after > before + (BYTES as u64) / 2, "{before} to {after}");
    }
}
