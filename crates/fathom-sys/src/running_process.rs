//! A process that another program started: whether it runs, and its end.
#![allow(unsafe_code, reason = "std cannot wait for processes that it did not start")]

use std::fs;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

/// A process that runs, or did.
#[derive(Debug)]
pub struct RunningProcess {
    pid: u32,
    /// Becomes readable when the process ends; older kernels have none.
    handle: Option<OwnedFd>,
    /// In the kernel's ticks since boot: another process of the same number began later.
    began: u64,
}

/// Why a process cannot be watched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotRunning {
    /// No process has the number, or the kernel hides it.
    #[error("there is no process {0}. `ps -e` lists the running ones.")]
    Nobody(u32),
    /// It is dead, and its parent has not asked how it ended.
    #[error("process {0} has already ended, but its parent has not collected its status yet")]
    Ended(u32),
    /// The number is a thread's.
    #[error("{thread} is a thread of process {process}. Use the number of the process.")]
    Thread {
        /// The number that was given.
        thread: u32,
        /// Its process.
        process: u32,
    },
}

impl RunningProcess {
    /// Finds a process.
    pub fn find(pid: u32) -> Result<RunningProcess, NotRunning> {
        let (state, began) = state(pid).ok_or(NotRunning::Nobody(pid))?;
        if matches!(state, b'Z' | b'X') {
            return Err(NotRunning::Ended(pid));
        }
        if let Some(process) = leader(pid).filter(|&process| process != pid) {
            return Err(NotRunning::Thread { thread: pid, process });
        }
        let found = RunningProcess { pid, handle: open(pid), began };
        // It may have ended before the handle was opened, and the number may belong to another
        // process.
        if found.has_ended() { Err(NotRunning::Ended(pid)) } else { Ok(found) }
    }

    /// Its number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it has ended. A zombie counts as ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        state(self.pid)
            .is_none_or(|(state, began)| matches!(state, b'Z' | b'X') || began != self.began)
    }

    /// Waits for its end, but no longer than this; whether it has ended. A signal may cut it short.
    #[must_use]
    pub fn await_end(&self, longest: Duration) -> bool {
        match &self.handle {
            None => std::thread::sleep(longest),
            Some(handle) => {
                let mut poll =
                    libc::pollfd { fd: handle.as_raw_fd(), events: libc::POLLIN, revents: 0 };
                let ms = longest.as_nanos().div_ceil(1_000_000);
                let ms = libc::c_int::try_from(ms).unwrap_or(libc::c_int::MAX);
                // SAFETY: one pollfd, which outlives the call.
                unsafe { libc::poll(&raw mut poll, 1, ms) };
            }
        }
        self.has_ended()
    }
}

/// Its state and when it began, from `/proc/PID/stat`.
fn state(pid: u32) -> Option<(u8, u64)> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name before may have anything in it, parentheses too.
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    // The 22nd field of the line; the state is the third.
    let began = fields.nth(18)?.parse().ok()?;
    Some((state, began))
}

/// The process of a thread.
fn leader(pid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}

/// A handle by which the end can be waited for.
fn open(pid: u32) -> Option<OwnedFd> {
    let pid = libc::pid_t::try_from(pid).ok()?;
    // SAFETY: a plain system call with numbers; a descriptor that it gives is ours alone.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        if fd < 0 {
            return None;
        }
        Some(OwnedFd::from_raw_fd(i32::try_from(fd).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_end_of_a_process_is_seen() {
        let mut child = Command::new("sleep").arg("100").spawn().unwrap();
        let process = RunningProcess::find(child.id()).unwrap();
        assert!(!process.has_ended());
        assert!(!process.await_end(Duration::from_millis(1)));
        child.kill().unwrap();
        // Killed, but not waited for: it has ended, and cannot be found.
        while !process.await_end(Duration::from_millis(100)) {}
        assert_eq!(RunningProcess::find(child.id()).unwrap_err(), NotRunning::Ended(child.id()));
        child.wait().unwrap();
        assert!(process.await_end(Duration::from_secs(100)));
    }

    #[test]
    fn without_a_handle_it_is_looked_at() {
        let mut child = Command::new("sleep").arg("100").spawn().unwrap();
        let mut process = RunningProcess::find(child.id()).unwrap();
        process.handle = None;
        assert!(!process.await_end(Duration::from_millis(1)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(process.await_end(Duration::from_millis(1)));
    }

    #[test]
    fn what_is_no_process_is_said() {
        let nobody = RunningProcess::find(u32::MAX).unwrap_err();
        assert_eq!(nobody, NotRunning::Nobody(u32::MAX));
        assert!(RunningProcess::find(0).is_err());
        let thread = std::thread::spawn(|| {
            // SAFETY: a plain system call without arguments.
            let thread = u32::try_from(unsafe { libc::gettid() }).unwrap();
            (thread, RunningProcess::find(thread).map(|_| ()))
        });
        let (thread, found) = thread.join().unwrap();
        let process = std::process::id();
        assert_eq!(found, Err(NotRunning::Thread { thread, process }));
    }

    #[test]
    fn another_process_of_the_same_number_is_another() {
        let mut process = RunningProcess::find(std::process::id()).unwrap();
        process.began += 1;
        assert!(process.has_ended());
    }
}
