//! Ctrl-C, as far as the C library knows it.
#![allow(unsafe_code, reason = "std cannot handle signals")]

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that asked; 0 while none did.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Whether the user wants Fathom to end.
#[derive(Debug, Clone, Copy)]
pub struct Interrupt(());

impl Interrupt {
    /// From now on Ctrl-C is noted instead of ending the process. A second one ends it at once. If it
    /// was ignored when the process started, it stays ignored. Where there are no signals, nothing is
    /// noted.
    pub fn install() -> io::Result<Interrupt> {
        #[cfg(any(unix, windows))]
        listen()?;
        Ok(Interrupt(()))
    }

    /// Whether it came.
    #[must_use]
    pub fn requested(self) -> bool {
        self.signal().is_some()
    }

    /// The first that came.
    #[must_use]
    pub fn signal(self) -> Option<i32> {
        Some(ASKED.load(Ordering::Relaxed)).filter(|&signal| signal != 0)
    }
}

#[cfg(any(unix, windows))]
fn listen() -> io::Result<()> {
    // The crate libc has it as another type for Windows.
    const SIG_ERR: libc::sighandler_t = !0;
    let handler = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler does only what a signal handler may: atomics and _exit.
    let old = unsafe { libc::signal(libc::SIGINT, handler) };
    if old == SIG_ERR {
        return Err(io::Error::last_os_error());
    }
    if old == libc::SIG_IGN {
        // SAFETY: ignoring a signal has no handler to be wrong.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
    }
    Ok(())
}

#[cfg(any(unix, windows))]
extern "C" fn note(signal: libc::c_int) {
    // Windows has set the default again by now, so that a second Ctrl-C does not come here.
    let first = ASKED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if !first {
        // SAFETY: _exit may be called in a signal handler.
        unsafe { libc::_exit(130) }
    }
}
