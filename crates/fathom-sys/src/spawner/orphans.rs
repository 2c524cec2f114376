//! Processes that outlive the command which started them. The server is their new parent (it is a
//! "subreaper"), so that killing a command can mean all of it, even what left its process group.
#![allow(unsafe_code, reason = "std waits only for processes it started itself")]

use crate::clock::monotonic;
use fathom_record::Span;
use std::io::Read;

/// Makes this process the parent of orphans among its descendants.
pub(crate) fn adopt() {
    // SAFETY: a plain system call with numbers. Kernels that refuse leave orphans to init.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
}

/// Buries those that are dead, and lists the others: a service that a hook started, for example.
pub(crate) fn living() -> Vec<libc::pid_t> {
    if bury() { children() } else { Vec::new() }
}

/// Kills all but these, and theirs; they turn up here one generation after the other.
pub(crate) fn kill_all_but(kept: &[libc::pid_t]) {
    // A process in a system call that cannot be interrupted must not hold us up for ever.
    const PATIENCE: Span = Span::from_milliseconds(1_000);
    let began = monotonic();
    while bury() && monotonic() - began < PATIENCE {
        let mut any = false;
        for pid in children() {
            if !kept.contains(&pid) {
                any = true;
                // SAFETY: a plain system call; the pid is of a child that was not waited for.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
        }
        if !any {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Waits for all children that are dead; whether any live.
fn bury() -> bool {
    loop {
        // SAFETY: no status is asked for.
        match unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } {
            0 => return true,
            -1 => return false,
            _ => {}
        }
    }
}

/// The children of this process; none if the kernel does not tell.
fn children() -> Vec<libc::pid_t> {
    let mut text = String::new();
    let file = std::fs::File::open("/proc/thread-self/children");
    if file.and_then(|mut file| file.read_to_string(&mut text)).is_err() {
        return Vec::new();
    }
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}
