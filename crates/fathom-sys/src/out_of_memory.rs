//! Words and an exit code where the system gives no more memory.
//!
//! Rust ends a program then by aborting it. Those who ask for memory in a way that may fail, such as
//! readers of whole files, get their error as before.
#![allow(unsafe_code, reason = "allocators and signal handlers are unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether memory was refused.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Wrong usage or bad input: what was asked is too much for this machine.
const STATUS: libc::c_int = 2;

const WORDS: &[u8] = b"error: fathom is out of memory. Process less at a time (fewer runs, \
                       metrics or samples), close other programs, or raise the limit (ulimit \
                       -v).\n";

/// The system's allocator, which remembers that it refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remembering;

fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: everything is handed to the system's allocator as it comes.
unsafe impl GlobalAlloc for Remembering {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// From now on an abort for want of memory ends the program in words; others abort as ever.
pub fn say_so() -> io::Result<()> {
    let handler = on_abort as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler does only what a signal handler may: atomics, write and _exit.
    if unsafe { libc::signal(libc::SIGABRT, handler) } == libc::SIG_ERR {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

extern "C" fn on_abort(_signal: libc::c_int) {
    if REFUSED.load(Ordering::Relaxed) {
        // SAFETY: the bytes are static, and both calls are allowed in a signal handler.
        unsafe {
            libc::write(libc::STDERR_FILENO, WORDS.as_ptr().cast(), WORDS.len());
            libc::_exit(STATUS);
        }
    }
}
