//! Locks on files, which the kernel takes back when their holder ends, however it ends.
#![allow(unsafe_code, reason = "std's own need a newer compiler than this crate promises")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// Locks the file until it is closed; `false` if another process holds the lock. The lock is
/// advisory.
pub fn try_lock(file: &File) -> io::Result<bool> {
    loop {
        // SAFETY: the descriptor is open for as long as the file is borrowed.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::WouldBlock => return Ok(false),
            io::ErrorKind::Interrupted => {}
            _ => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_until_the_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = File::create(&path).unwrap();
        let second = File::open(&path).unwrap();
        assert!(try_lock(&first).unwrap());
        assert!(try_lock(&first).unwrap());
        assert!(!try_lock(&second).unwrap());
        drop(first);
        assert!(try_lock(&second).unwrap());
    }
}
