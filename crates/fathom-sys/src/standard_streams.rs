//! Standard input and output kept for a protocol, in a program whose other code may print and read.
#![allow(unsafe_code, reason = "std cannot put another file in the place of a standard stream")]

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};

static CLAIMED: AtomicBool = AtomicBool::new(false);

/// Takes standard input and output for the caller alone. From then on other code that reads
/// standard input finds its end, and what is printed to standard output goes to standard error: by
/// this process and by those it starts, to which the two files are closed.
///
/// Call it first in `main`, once. What std has read from standard input by then and nobody took is
/// lost; what waits in std's buffer to be printed goes to standard error as well.
pub fn claim() -> io::Result<(File, File)> {
    if CLAIMED.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other(
            "standard input and output were already claimed. Claim them once, in main.",
        ));
    }
    let claimed = try_claim();
    if claimed.is_err() {
        CLAIMED.store(false, Ordering::Relaxed);
    }
    claimed
}

fn try_claim() -> io::Result<(File, File)> {
    // What may fail comes first, so that a failure changes nothing; and copies before files are
    // opened, because a file would take the number of a stream that is closed.
    let input = copy(libc::STDIN_FILENO, "standard input")?;
    let output = copy(libc::STDOUT_FILENO, "standard output")?;
    let errors = copy(libc::STDERR_FILENO, "standard error")?;
    let null = File::open("/dev/null").map_err(|error| context("/dev/null", &error))?;
    put(errors.as_raw_fd(), libc::STDOUT_FILENO, "standard error")?;
    put(null.as_raw_fd(), libc::STDIN_FILENO, "/dev/null")?;
    Ok((File::from(input), File::from(output)))
}

/// Another descriptor of the same file, beyond the standard three, closed at exec.
fn copy(stream: RawFd, name: &str) -> io::Result<OwnedFd> {
    // SAFETY: the call only makes a new descriptor.
    let made = unsafe { libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, libc::STDERR_FILENO + 1) };
    if made < 0 {
        return Err(context(name, &io::Error::last_os_error()));
    }
    // SAFETY: the kernel just gave us this one; nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(made) })
}

/// Makes `stream` mean the file that `file` means; programs that are started get it too.
fn put(file: RawFd, stream: RawFd, name: &str) -> io::Result<()> {
    loop {
        // SAFETY: only standard streams are replaced, which nobody owns; std and others go on
        // using their numbers, which stay open.
        if unsafe { libc::dup2(file, stream) } >= 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(context(name, &error));
        }
    }
}

fn context(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot use {name}: {error}"))
}
