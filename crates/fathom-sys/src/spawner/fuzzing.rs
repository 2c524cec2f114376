//! What must hold of any packet between the client and the server, and of any shared memory.
#![allow(unsafe_code, reason = "memory that processes share")]
#![allow(clippy::expect_used, reason = "a check fails by panicking")]

use super::error::SpawnStep;
use super::wire::{ASK_WORDS, Ask, REPLY_WORDS, Reply, Shared};
use std::ffi::CStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::FromRawFd;

/// Panics if something does not hold. The bytes are a packet, and the shared memory after it.
pub(crate) fn check(bytes: &[u8]) {
    let reply = Reply::from_words(words::<REPLY_WORDS>(bytes));
    assert_eq!(Reply::from_words(reply.to_words()), reply);
    assert!(reply.counters.into_iter().flatten().all(f64::is_finite), "{reply:?}");
    let step = SpawnStep::from_number(reply.step);
    assert!(step.is_none_or(|step| step.number() == reply.step));
    let ask = Ask::from_words(words::<ASK_WORDS>(bytes));
    assert_eq!(Ask::from_words(ask.to_words()), ask);
    strings(&ask, bytes.get(ASK_WORDS * size_of::<u64>()..).unwrap_or_default());
}

/// The words at the beginning; zeros where there are none.
fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Strings that an order claims to have do not lead out of its memory.
fn strings(ask: &Ask, memory: &[u8]) {
    // SAFETY: the name is NUL-ended, and the descriptor is new.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"fathom-check".as_ptr(), libc::MFD_CLOEXEC);
        assert!(fd >= 0, "no memory for the check");
        File::from_raw_fd(fd)
    };
    file.write_all(memory).expect("room for the memory");
    let Ok(shared) = Shared::map(&file, ask.length) else { return };
    assert!(ask.length <= memory.len() as u64, "memory beyond the file is used");
    let _ = (shared.began(), shared.failure(), shared.cost());
    let Some(strings) = shared.strings(ask) else { return };
    let mut total = 0;
    // SAFETY: `strings` checked that every string ends within the mapping, and that a null follows the
    // pointers.
    unsafe {
        total += CStr::from_ptr(strings.program).count_bytes();
        total += CStr::from_ptr(strings.folder).count_bytes();
        for (pointers, count) in
            [(strings.arguments, ask.arguments), (strings.variables, ask.variables)]
        {
            let mut found = 0;
            while !(*pointers.add(found)).is_null() {
                total += CStr::from_ptr(*pointers.add(found)).count_bytes();
                found += 1;
            }
            assert_eq!(found as u64, count);
        }
    }
    assert!(total < memory.len(), "strings outside the memory");
}
