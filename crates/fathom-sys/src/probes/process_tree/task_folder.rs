//! The threads of a process, from its folder `/proc/PID/task`.
//!
//! The folder is kept open. It then stays the same process's, and when that is dead the folder says
//! so, even if another process has its number by now.
#![allow(unsafe_code, reason = "std reads a folder only once per opening")]

use crate::probes::digits;
use crate::probes::kept_open::Permit;
use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Room for some hundred names at a time.
const ROOM: usize = 16 << 10;

#[derive(Debug)]
pub(super) struct TaskFolder {
    path: PathBuf,
    open: Option<(File, Permit)>,
}

impl TaskFolder {
    /// Of a process, below `/proc`.
    pub(super) fn new(proc: &Path, pid: u32) -> TaskFolder {
        let path = proc.join(format!("{pid}/task"));
        let open = open(&path).ok().and_then(|file| Some((file, Permit::get()?)));
        TaskFolder { path, open }
    }

    /// Whether it tells processes apart that had the same number.
    pub(super) fn is_kept(&self) -> bool {
        self.open.is_some()
    }

    /// The threads, in order. An error if the process is no more.
    pub(super) fn threads(&self, threads: &mut Vec<u32>) -> io::Result<()> {
        match &self.open {
            Some((file, _)) => numbers_in(file, threads),
            None => numbers_in(&open(&self.path)?, threads),
        }
    }
}

/// The names in a folder that are numbers, in order.
pub(super) fn numbers_below(path: &Path, numbers: &mut Vec<u32>) -> io::Result<()> {
    numbers_in(&open(path)?, numbers)
}

fn open(path: &Path) -> io::Result<File> {
    std::fs::OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY).open(path)
}

fn numbers_in(folder: &File, numbers: &mut Vec<u32>) -> io::Result<()> {
    // 8-aligned, as the kernel writes records of that alignment.
    let mut room = [0_u64; ROOM / 8];
    numbers.clear();
    let fd = folder.as_raw_fd();
    // SAFETY: a plain system call on a folder that is open.
    if unsafe { libc::lseek(fd, 0, libc::SEEK_SET) } < 0 {
        return Err(io::Error::last_os_error());
    }
    loop {
        let length = next_entries(fd, &mut room)?;
        if length == 0 {
            break;
        }
        // SAFETY: the array is as many bytes long, all of them initialised.
        let bytes = unsafe { std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), ROOM) };
        each_name(bytes.get(..length).unwrap_or_default(), |name| {
            let number = digits::number(name).and_then(|number| u32::try_from(number).ok());
            numbers.extend(number);
        });
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(())
}

fn next_entries(fd: RawFd, room: &mut [u64; ROOM / 8]) -> io::Result<usize> {
    // SAFETY: the kernel writes at most `ROOM` bytes, which `room` has.
    let length = unsafe { libc::syscall(libc::SYS_getdents64, fd, room.as_mut_ptr(), ROOM) };
    usize::try_from(length).map_err(|_| io::Error::last_os_error())
}

/// Names in records of `struct linux_dirent64`: inode and offset (8 bytes each), length of the
/// record (2), type (1), and the name, which ends with a zero.
fn each_name(mut records: &[u8], mut name: impl FnMut(&[u8])) {
    while let (Some(&[low, high]), Some(rest)) = (records.get(16..18), records.get(19..)) {
        let length = usize::from(u16::from_ne_bytes([low, high]));
        if let Ok(text) = CStr::from_bytes_until_nul(rest) {
            name(text.to_bytes());
        }
        // A record without length would never end.
        records = records.get(length.max(19)..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed_again_and_again_until_the_folder_is_gone() {
        let proc = tempfile::tempdir().unwrap();
        let task = proc.path().join("7/task");
        std::fs::create_dir_all(&task).unwrap();
        let folder = TaskFolder::new(proc.path(), 7);
        let mut threads = Vec::new();
        for many in [1_u32, 5, 2000] {
            for tid in 0..many {
                std::fs::create_dir_all(task.join(tid.to_string())).unwrap();
            }
            std::fs::create_dir_all(task.join("self")).unwrap();
            folder.threads(&mut threads).unwrap();
            assert_eq!(threads, (0..many).collect::<Vec<_>>());
        }
        std::fs::remove_dir_all(proc.path().join("7")).unwrap();
        assert!(folder.threads(&mut threads).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_records_are_harmless(bytes: Vec<u8>) {
            each_name(&bytes, |name| assert!(name.len() < bytes.len()));
        }
    }
}
