//! What a command prints, read from a pipe while it runs.
#![allow(unsafe_code, reason = "std cannot make a pipe's end nonblocking")]

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, RawFd};

/// The most of standard output that is kept, in bytes.
pub const OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// How much of the end of standard error is kept, in bytes.
pub const TAIL_LIMIT: usize = 16 * 1024;

/// What of a stream is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Everything; more than this many bytes are an error.
    All(usize),
    /// The last bytes.
    Tail(usize),
    /// Nothing.
    None,
}

/// There was more than is kept.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// The reading end of a pipe, and what came out of it.
pub(crate) struct Capture {
    pipe: Option<PipeReader>,
    keep: Keep,
    kept: Vec<u8>,
}

impl Capture {
    /// A pipe: to read from, and for the command to write to.
    pub(crate) fn new(keep: Keep) -> io::Result<(Capture, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        // SAFETY: plain system calls on a descriptor that is ours.
        let result = unsafe {
            let flags = libc::fcntl(reader.as_raw_fd(), libc::F_GETFL);
            libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)
        };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((Capture { pipe: Some(reader), keep, kept: Vec::new() }, writer))
    }

    /// To be polled; `None` at its end.
    pub(crate) fn fd(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what is there now, once.
    pub(crate) fn read_some(&mut self) -> Result<usize, TooMuch> {
        let mut bytes = [0; 64 * 1024];
        let Some(pipe) = &mut self.pipe else { return Ok(0) };
        match pipe.read(&mut bytes) {
            Ok(0) => self.pipe = None,
            Ok(count) => {
                self.keep(&bytes[..count])?;
                return Ok(count);
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) => {}
            Err(_) => self.pipe = None,
        }
        Ok(0)
    }

    /// Takes what is there at this moment, and no more: a process that the command left behind may
    /// hold the pipe open and go on writing for ever.
    pub(crate) fn read_rest(&mut self) -> Result<(), TooMuch> {
        let mut waiting: libc::c_int = 0;
        if let Some(fd) = self.fd() {
            // SAFETY: the kernel writes one int.
            unsafe { libc::ioctl(fd, libc::FIONREAD, &raw mut waiting) };
        }
        let mut waiting = usize::try_from(waiting).unwrap_or(0);
        while waiting > 0 {
            match self.read_some()? {
                0 => break,
                count => waiting = waiting.saturating_sub(count),
            }
        }
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
        match self.keep {
            Keep::None => {}
            Keep::All(limit) => {
                if bytes.len() > limit - self.kept.len() {
                    return Err(TooMuch);
                }
                self.kept.extend_from_slice(bytes);
            }
            Keep::Tail(limit) => {
                self.kept.extend_from_slice(bytes);
                // Moved rarely, not at every read.
                if self.kept.len() > 2 * limit {
                    self.kept.drain(..self.kept.len() - limit);
                }
            }
        }
        Ok(())
    }

    /// From now on nothing is kept, but the command can still write.
    pub(crate) fn forget(&mut self) {
        self.keep = Keep::None;
        self.kept = Vec::new();
    }

    /// What was kept.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        if let Keep::Tail(limit) = self.keep {
            let surplus = self.kept.len().saturating_sub(limit);
            self.kept.drain(..surplus);
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn capture(keep: Keep, pieces: &[&[u8]]) -> Result<Vec<u8>, TooMuch> {
        let (mut capture, mut writer) = Capture::new(keep).unwrap();
        for piece in pieces {
            writer.write_all(piece).unwrap();
            capture.read_some()?;
        }
        capture.read_rest()?;
        Ok(capture.into_bytes())
    }

    #[test]
    fn keeps_what_was_asked_for() {
        let pieces: [&[u8]; 4] = [b"one", b"two", b"three", b"four"];
        assert_eq!(capture(Keep::None, &pieces).unwrap(), b"");
        assert_eq!(capture(Keep::Tail(5), &pieces).unwrap(), b"efour");
        assert_eq!(capture(Keep::Tail(100), &pieces).unwrap(), b"onetwothreefour");
        assert_eq!(capture(Keep::All(15), &pieces).unwrap(), b"onetwothreefour");
        assert_eq!(capture(Keep::All(14), &pieces), Err(TooMuch));
    }

    #[test]
    fn an_open_but_empty_pipe_is_not_waited_for() {
        let (mut capture, _writer) = Capture::new(Keep::Tail(9)).unwrap();
        assert_eq!(capture.read_some(), Ok(0));
        assert!(capture.fd().is_some());
        assert_eq!(capture.read_rest(), Ok(()));
    }

    #[test]
    fn the_end_is_seen() {
        let (mut capture, writer) = Capture::new(Keep::Tail(9)).unwrap();
        drop(writer);
        assert_eq!(capture.read_some(), Ok(0));
        assert!(capture.fd().is_none());
    }
}
