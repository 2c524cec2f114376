//! A kernel file that is opened once and read again and again.
//!
//! Reading at offset 0 makes the kernel write the file again, which costs a quarter of opening,
//! reading and closing it. A file of a process stays that process's: should its number go to
//! another, the file still says that there is no such process.
#![allow(unsafe_code, reason = "std does not tell how many files may be open")]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// No file of the kernel's is longer: `/proc/interrupts` of a thousand CPUs is 6 MB.
const LONGEST: usize = 16 << 20;

/// How much of it a reading gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it at once, as the files of a process do; asking for more would cost a call.
    OneRecord,
    /// A page at a time, so it is read until nothing comes.
    ManyRecords,
}

/// Where files are read to, used again for each.
#[derive(Debug)]
pub(crate) struct Buffer(Vec<u8>);

impl Buffer {
    pub(crate) fn new() -> Buffer {
        Buffer(vec![0; 4096])
    }

    /// What `read` gives, which is told where to begin and may give less than there is.
    fn fill(
        &mut self,
        extent: Extent,
        mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
    ) -> io::Result<&[u8]> {
        let mut length = 0;
        loop {
            if length == self.0.len() {
                if length >= LONGEST {
                    let why = format!("it is longer than {} MB", LONGEST >> 20);
                    return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
                }
                self.0.resize(length * 2, 0);
            }
            let room = self.0.get_mut(length..).unwrap_or_default();
            let more = match read(room, length as u64) {
                Ok(more) => more.min(room.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let is_whole = extent == Extent::OneRecord
                && more < room.len()
                && room.get(..more).is_some_and(|text| text.ends_with(b"\n"));
            length += more;
            if more == 0 || is_whole {
                return Ok(self.0.get(..length).unwrap_or_default());
            }
        }
    }
}

/// A file of the kernel's, opened when it is first read and kept open if few enough are.
#[derive(Debug)]
pub(crate) struct KeptOpen {
    path: PathBuf,
    open: Option<(File, Permit)>,
}

impl KeptOpen {
    pub(crate) fn new(path: PathBuf) -> KeptOpen {
        KeptOpen { path, open: None }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What it says now. After an error it is opened again by its path.
    pub(crate) fn read<'b>(
        &mut self,
        buffer: &'b mut Buffer,
        extent: Extent,
    ) -> io::Result<&'b [u8]> {
        if let Some((file, _)) = &self.open {
            let text = buffer.fill(extent, |room, at| file.read_at(room, at));
            if text.is_err() {
                self.open = None;
            }
            return text;
        }
        let file = open(&self.path)?;
        let text = buffer.fill(extent, |room, at| file.read_at(room, at));
        if text.is_ok() {
            self.open = Permit::get().map(|permit| (file, permit));
        }
        text
    }

    /// Forgets the open file, so that it is opened by its path next time.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }
}

/// What a file says that is read only once.
pub(crate) fn read_once<'b>(
    path: &Path,
    buffer: &'b mut Buffer,
    extent: Extent,
) -> io::Result<&'b [u8]> {
    let file = open(path)?;
    buffer.fill(extent, |room, at| file.read_at(room, at))
}

/// Opens without waiting, whatever is there: opening a pipe would wait for its writer.
fn open(path: &Path) -> io::Result<File> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether an error says that the process, or the thread, is no more.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ESRCH | libc::ENOENT))
}

/// The right to keep one more file open. Probes together keep at most half of what the process may
/// open: the rest is for files that it writes, its pipes and sockets.
#[derive(Debug)]
pub(crate) struct Permit(());

static KEPT: AtomicUsize = AtomicUsize::new(0);

impl Permit {
    pub(crate) fn get() -> Option<Permit> {
        let most = most_open();
        let add = |kept| if kept < most { Some(kept + 1) } else { None };
        KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok().map(|_| Permit(()))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        KEPT.fetch_sub(1, Ordering::Relaxed);
    }
}

fn most_open() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place to write to.
    let told = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
    // 1,024 is what kernels give by default.
    let limit = if told { limit.rlim_cur } else { 1024 };
    usize::try_from(limit / 2).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_anew_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = KeptOpen::new(path.clone());
        let mut buffer = Buffer::new();
        let error = file.read(&mut buffer, Extent::OneRecord).unwrap_err();
        assert!(is_gone(&error), "{error}");
        for text in ["1\n", "12345\n", "2\n", "", "no end"] {
            std::fs::write(&path, text).unwrap();
            for extent in [Extent::OneRecord, Extent::ManyRecords] {
                assert_eq!(file.read(&mut buffer, extent).unwrap(), text.as_bytes());
            }
        }
    }

    #[test]
    fn the_buffer_grows_with_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let text = "0123456789\n".repeat(40_000);
        std::fs::write(&path, &text).unwrap();
        let mut buffer = Buffer::new();
        for extent in [Extent::OneRecord, Extent::ManyRecords] {
            let read = KeptOpen::new(path.clone()).read(&mut buffer, extent).unwrap().len();
            assert_eq!(read, text.len());
        }
        let endless =
            Buffer::new().fill(Extent::ManyRecords, |room, _| Ok(room.len())).unwrap_err();
        assert!(endless.to_string().contains("16 MB"), "{endless}");
    }

    #[test]
    fn the_kernel_gives_files_of_many_records_in_parts() {
        let mut buffer = Buffer::new();
        let mut file = KeptOpen::new("/proc/self/smaps".into());
        let Ok(kept) = file.read(&mut buffer, Extent::ManyRecords) else { return };
        assert!(kept.len() > 4096 && kept.ends_with(b"\n"), "{}", kept.len());
    }

    #[test]
    fn a_pipe_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the name ends with a zero.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        assert!(KeptOpen::new(path).read(&mut Buffer::new(), Extent::OneRecord).is_err());
    }
}
