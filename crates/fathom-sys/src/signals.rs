//! Signals that ask Fathom to end: it shows what it has and leaves.
#![allow(unsafe_code, reason = "std cannot handle signals")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that asked; 0 while none did.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Whether the user, or the system, wants Fathom to end.
#[derive(Debug, Clone, Copy)]
pub struct Interrupt(());

impl Interrupt {
    /// From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the process. A second
    /// SIGINT ends it at once with status 130, for users who cannot wait. SIGXFSZ is ignored. A signal
    /// that was ignored when the process started stays ignored.
    pub fn install() -> io::Result<Interrupt> {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            install(signal)?;
        }
        // A file that may not grow gives a write error, which we report; the signal would end us
        // before. Commands start with the default again. SAFETY: ignoring a signal has no handler
        // to be wrong.
        if unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } == libc::SIG_ERR {
            return Err(io::Error::last_os_error());
        }
        Ok(Interrupt(()))
    }

    /// Whether one of them came.
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

/// From now on SIGINT, SIGTERM and SIGHUP call `end`, on a thread of its own, instead of ending the
/// process: for work that does not look at an [`Interrupt`], but leaves something to clean up. `end`
/// must end the process. A signal that was ignored when the process started stays ignored.
///
/// Call it before other threads start, and in no process that starts commands: both inherit that the
/// signals are blocked.
pub fn when_requested(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // SAFETY: zeroed signal sets and actions are valid, and every pointer is to a local of this
    // function or of the thread.
    let awaited = unsafe {
        let mut awaited: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut awaited);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &raw mut old) != 0 {
                return Err(io::Error::last_os_error());
            }
            if old.sa_sigaction != libc::SIG_IGN {
                libc::sigaddset(&raw mut awaited, signal);
            }
        }
        match libc::pthread_sigmask(libc::SIG_BLOCK, &raw const awaited, std::ptr::null_mut()) {
            0 => awaited,
            error => return Err(io::Error::from_raw_os_error(error)),
        }
    };
    std::thread::Builder::new().spawn(move || {
        let mut came = 0;
        // SAFETY: both pointers are to locals of this thread.
        while unsafe { libc::sigwait(&raw const awaited, &raw mut came) } != 0 {}
        end();
    })?;
    Ok(())
}

/// Lets a command start with the default for the signals that end programs, whatever this process
/// was started with. A job in a script's background has SIGINT ignored, and passes that on.
pub fn at_default(command: &mut Command) -> &mut Command {
    starting_with(command, libc::SIG_DFL)
}

/// Lets a command start with the signals that end programs ignored or at their default.
pub(crate) fn starting_with(
    command: &mut Command,
    disposition: libc::sighandler_t,
) -> &mut Command {
    let set = move || {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
            // SAFETY: neither disposition has a handler that could be wrong.
            if unsafe { libc::signal(signal, disposition) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec it only calls signal, which is allowed there.
    unsafe { command.pre_exec(set) }
}

fn install(signal: libc::c_int) -> io::Result<()> {
    // SAFETY: a zeroed sigaction is a valid one (no flags, empty mask, default handler); the
    // handler does only what a signal handler may: atomics and _exit.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &raw mut old) != 0 {
            return Err(io::Error::last_os_error());
        }
        // `nohup` and `&` in scripts ask for the signal to be ignored; that wish stays.
        if old.sa_sigaction == libc::SIG_IGN {
            return Ok(());
        }
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = note as extern "C" fn(libc::c_int) as usize;
        new.sa_flags = libc::SA_RESTART;
        if libc::sigaction(signal, &raw const new, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

extern "C" fn note(signal: libc::c_int) {
    let first = ASKED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if !first && signal == libc::SIGINT {
        // SAFETY: _exit may be called in a signal handler.
        unsafe { libc::_exit(130) }
    }
}
