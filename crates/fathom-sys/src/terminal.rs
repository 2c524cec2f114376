//! How wide the terminal is.
#![allow(unsafe_code, reason = "std does not ask the terminal for its size")]

/// The columns of the terminal that standard output goes to; `None` if it goes elsewhere.
#[must_use]
pub fn columns() -> Option<usize> {
    columns_of(libc::STDOUT_FILENO)
}

/// The columns of the terminal that standard error goes to; `None` if it goes elsewhere.
#[must_use]
pub fn columns_of_error() -> Option<usize> {
    columns_of(libc::STDERR_FILENO)
}

fn columns_of(descriptor: libc::c_int) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: `size` is what this request writes to; on anything but a terminal it fails.
    let failed = unsafe { libc::ioctl(descriptor, libc::TIOCGWINSZ, &raw mut size) } != 0;
    // Some terminals do not know their size and say 0.
    (!failed && size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// Whether terminals understand escape sequences.
#[must_use]
pub fn takes_escapes() -> bool {
    true
}
