//! The standard streams of one execution.
#![allow(unsafe_code, reason = "to lend out Fathom's own standard streams")]

use super::capture::{Capture, Keep, OUTPUT_LIMIT, TAIL_LIMIT, TooMuch};
use super::order::{Order, StandardInput, Stream};
use std::fs::File;
use std::io::{self, IsTerminal, Seek};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

/// The command's ends: standard input, output and error.
pub(crate) struct Ends<'a>([End<'a>; 3]);

enum End<'a> {
    Lent(BorrowedFd<'a>),
    Made(OwnedFd),
}

/// Our ends of those that are pipes.
pub(crate) struct Captures {
    stdout: Option<Capture>,
    stderr: Option<Capture>,
}

/// Opens the streams that the order asks for; pipes are new for every execution.
pub(crate) fn open(order: &Order) -> io::Result<(Ends<'_>, Captures)> {
    let input = match &order.input {
        StandardInput::Null => End::Made(File::open("/dev/null")?.into()),
        StandardInput::Inherit => own(0),
        StandardInput::File(file) => {
            // The executions share the position in the file. Pipes have none.
            let mut position: &File = file;
            let _ = position.rewind();
            End::Lent(file.as_fd())
        }
    };
    let (output, stdout) = open_output(&order.output, Keep::All(OUTPUT_LIMIT), 1)?;
    let (errors, stderr) = open_output(&order.errors, Keep::Tail(TAIL_LIMIT), 2)?;
    Ok((Ends([input, output, errors]), Captures { stdout, stderr }))
}

fn open_output(
    stream: &Stream,
    keep: Keep,
    number: RawFd,
) -> io::Result<(End<'_>, Option<Capture>)> {
    let keep = match stream {
        Stream::Null => {
            return Ok((End::Made(File::options().write(true).open("/dev/null")?.into()), None));
        }
        Stream::Inherit => return Ok((own(number), None)),
        Stream::File(file) => return Ok((End::Lent(file.as_fd()), None)),
        Stream::Discard => Keep::None,
        Stream::Capture => keep,
    };
    let (capture, writer) = Capture::new(keep)?;
    Ok((End::Made(writer.into()), Some(capture)))
}

fn own(number: RawFd) -> End<'static> {
    // SAFETY: Rust's runtime makes sure that 0, 1 and 2 are open, and nothing here closes them.
    End::Lent(unsafe { BorrowedFd::borrow_raw(number) })
}

impl AsFd for End<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            End::Lent(fd) => *fd,
            End::Made(fd) => fd.as_fd(),
        }
    }
}

impl Ends<'_> {
    pub(crate) fn fds(&self) -> [RawFd; 3] {
        [0, 1, 2].map(|n: usize| self.0[n].as_fd().as_raw_fd())
    }

    /// Whether the command would see a terminal.
    pub(crate) fn any_terminal(&self) -> bool {
        self.0.iter().any(|end| end.as_fd().is_terminal())
    }
}

impl Captures {
    /// To be polled: none for a stream that is not a pipe, or is at its end.
    pub(crate) fn fds(&self) -> [Option<RawFd>; 2] {
        [&self.stdout, &self.stderr].map(|capture| capture.as_ref().and_then(Capture::fd))
    }

    fn each(
        &mut self,
        mut read: impl FnMut(usize, &mut Capture) -> Result<(), TooMuch>,
    ) -> Result<(), TooMuch> {
        let mut result = Ok(());
        for (n, capture) in [&mut self.stdout, &mut self.stderr].into_iter().enumerate() {
            if let Some(capture) = capture
                && let Err(too_much) = read(n, capture)
            {
                // It is an error from here on, but the command must be able to die.
                capture.forget();
                result = Err(too_much);
            }
        }
        result
    }

    /// Takes what is there in those that are ready.
    pub(crate) fn read_some(&mut self, ready: [bool; 2]) -> Result<(), TooMuch> {
        self.each(|n, capture| if ready[n] { capture.read_some().map(|_| ()) } else { Ok(()) })
    }

    /// Takes what is there at the command's end.
    pub(crate) fn read_rest(&mut self) -> Result<(), TooMuch> {
        self.each(|_, capture| capture.read_rest())
    }

    /// What was kept of standard output and of standard error.
    pub(crate) fn into_bytes(self) -> (Vec<u8>, Vec<u8>) {
        let bytes = |capture: Option<Capture>| capture.map_or_else(Vec::new, Capture::into_bytes);
        (bytes(self.stdout), bytes(self.stderr))
    }
}
