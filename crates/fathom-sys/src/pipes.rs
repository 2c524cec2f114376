//! Pipes that are listened to while a program runs.
#![allow(
    unsafe_code,
    reason = "std cannot make named pipes, wait for several files, or ask a pipe"
)]

use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Waits until one of the files can be read without waiting or is at its end; which of them are. All
/// are `false` when the time is up. `None` waits for ever.
pub fn wait_readable<const N: usize>(
    files: [BorrowedFd<'_>; N],
    timeout: Option<Duration>,
) -> io::Result<[bool; N]> {
    let mut polls =
        files.map(|file| libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 });
    // Rounded up: waiting 0 ms for 0.1 ms again and again would be busy waiting.
    let ms = timeout.map_or(-1, |timeout| {
        i32::try_from(timeout.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
    });
    // SAFETY: as many descriptors as the array has, all of them borrowed and so open.
    let result = unsafe { libc::poll(polls.as_mut_ptr(), N as libc::nfds_t, ms) };
    if result < 0 {
        let error = io::Error::last_os_error();
        // A signal: the caller decides whether to wait again.
        return if error.kind() == io::ErrorKind::Interrupted {
            Ok([false; N])
        } else {
            Err(error)
        };
    }
    Ok(polls.map(|poll| poll.revents != 0))
}

/// Asks for room for this many bytes in a pipe; how many it has room for now. The kernel refuses
/// more than its limit for users, and then the room is as it was.
pub fn set_room(pipe: impl AsFd, bytes: i32) -> io::Result<usize> {
    let fd = pipe.as_fd().as_raw_fd();
    // SAFETY: plain system calls on a descriptor that is borrowed and so open.
    let room = unsafe {
        libc::fcntl(fd, libc::F_SETPIPE_SZ, bytes);
        libc::fcntl(fd, libc::F_GETPIPE_SZ)
    };
    usize::try_from(room).map_err(|_| io::Error::last_os_error())
}

/// How many bytes are waiting in a pipe.
#[must_use]
pub fn waiting(pipe: impl AsFd) -> usize {
    let mut waiting: libc::c_int = 0;
    // SAFETY: the kernel writes one int.
    unsafe { libc::ioctl(pipe.as_fd().as_raw_fd(), libc::FIONREAD, &raw mut waiting) };
    usize::try_from(waiting).unwrap_or(0)
}

/// A named pipe that others write to and this process reads, removed when it is dropped.
///
/// It is open for writing here, too: others can open it at any time without waiting, and writers
/// get no error if nobody reads. Reading never waits.
#[derive(Debug)]
pub struct NamedPipe {
    file: File,
    path: PathBuf,
    /// Of the one that was made here: another file may have taken its name.
    made: Option<(u64, u64)>,
}

impl NamedPipe {
    /// Makes one, for this user only, or takes one that is there already, which is then left there.
    ///
    /// # Errors
    /// It cannot be made or opened. What is there and is not a named pipe is left alone
    /// ([`io::ErrorKind::AlreadyExists`]).
    pub fn open(path: &Path) -> io::Result<NamedPipe> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the name ends with a NUL and lives until the call returns.
        let is_made = unsafe { libc::mkfifo(name.as_ptr(), 0o600) } == 0;
        if !is_made {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::AlreadyExists
                || !fs::metadata(path)?.file_type().is_fifo()
            {
                return Err(error);
            }
        }
        let opened = File::options()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path)
            .and_then(|file| file.metadata().map(|metadata| (file, metadata)));
        match opened {
            Ok((file, metadata)) if metadata.file_type().is_fifo() => {
                let made = is_made.then(|| (metadata.dev(), metadata.ino()));
                Ok(NamedPipe { file, path: path.to_path_buf(), made })
            }
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) => {
                if is_made {
                    let _ = fs::remove_file(path);
                }
                Err(error)
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// To read from.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }
}

impl Drop for NamedPipe {
    fn drop(&mut self) {
        let there = fs::symlink_metadata(&self.path).ok();
        let identity = there.map(|metadata| (metadata.dev(), metadata.ino()));
        if self.made.is_some() && self.made == identity {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn what_is_written_wakes_whoever_waits() {
        let (mut reader, mut writer) = io::pipe().unwrap();
        let (other, _other_writer) = io::pipe().unwrap();
        let files = || [reader.as_fd(), other.as_fd()];
        let moment = Some(Duration::from_millis(1));
        assert_eq!(wait_readable(files(), moment).unwrap(), [false, false]);
        writer.write_all(b"ab").unwrap();
        assert_eq!(wait_readable(files(), None).unwrap(), [true, false]);
        assert_eq!((waiting(&reader), waiting(&other)), (2, 0));
        reader.read_exact(&mut [0; 2]).unwrap();
        drop(writer);
        assert_eq!(wait_readable([reader.as_fd()], None).unwrap(), [true]);
    }

    #[test]
    fn room_is_given_or_stays() {
        let (reader, _writer) = io::pipe().unwrap();
        let before = set_room(&reader, 1).unwrap();
        assert!(before >= 4096);
        assert!(set_room(&reader, i32::MAX).unwrap() >= before);
        assert!(set_room(File::open("/dev/null").unwrap(), 1).is_err());
    }

    #[test]
    fn a_named_pipe_is_there_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let pipe = NamedPipe::open(&path).unwrap();
        let mut bytes = [0; 9];
        let mut read = || pipe.file().read(&mut bytes);
        assert_eq!(read().unwrap_err().kind(), io::ErrorKind::WouldBlock);
        // Writers come and go.
        for _ in 0..2 {
            File::options().write(true).open(&path).unwrap().write_all(b"hi\n").unwrap();
            assert_eq!(read().unwrap(), 3);
        }
        // A second listener takes it and leaves it.
        drop(NamedPipe::open(&path).unwrap());
        assert!(path.exists());
        drop(pipe);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_named_pipe_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "precious").unwrap();
        let error = NamedPipe::open(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        let error = NamedPipe::open(&folder.path().join("none/pipe")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        // Something else took its name.
        let other = folder.path().join("other");
        let pipe = NamedPipe::open(&other).unwrap();
        fs::remove_file(&other).unwrap();
        fs::write(&other, "precious").unwrap();
        drop(pipe);
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    }
}
