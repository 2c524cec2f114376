//! Standard input and output kept for a protocol, in a program whose other code may print and read.

use std::fs::File;
use std::io;

/// Takes standard input and output for the caller alone. From then on other code that reads standard
/// input finds its end, and what is printed to standard output goes to standard error: by this process
/// and by those it starts.
///
/// Call it first in `main`, once.
#[cfg(not(windows))]
pub fn claim() -> io::Result<(File, File)> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system has no way to keep standard output for a program",
    ))
}

/// Takes standard input and output for the caller alone. From then on other code that reads standard
/// input finds its end, and what is printed to standard output goes to standard error: by this process
/// and by those it starts.
///
/// Call it first in `main`, once.
#[cfg(windows)]
#[allow(unsafe_code, reason = "std cannot put another file in the place of a standard stream")]
pub fn claim() -> io::Result<(File, File)> {
    use std::os::windows::io::{AsHandle, IntoRawHandle, OwnedHandle, RawHandle};
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLAIMED: AtomicBool = AtomicBool::new(false);
    const STANDARD_INPUT: u32 = 0u32.wrapping_sub(10);
    const STANDARD_OUTPUT: u32 = 0u32.wrapping_sub(11);

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetStdHandle(stream: u32, handle: RawHandle) -> i32;
    }
    /// std asks for the handle whenever it reads or writes, so it uses the new one from now on. Nothing
    /// closes a standard stream, so the handle is given away.
    fn put(stream: u32, handle: OwnedHandle) -> io::Result<()> {
        // SAFETY: the handle is open, and stays so.
        let is_put = unsafe { SetStdHandle(stream, handle.into_raw_handle()) } != 0;
        if is_put { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    if CLAIMED.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other(
            "standard input and output were already claimed. Claim them once, in main.",
        ));
    }
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    let errors = io::stderr().as_handle().try_clone_to_owned()?;
    let null = File::open("NUL")?;
    put(STANDARD_OUTPUT, errors)?;
    put(STANDARD_INPUT, null.into())?;
    Ok((File::from(input), File::from(output)))
}
