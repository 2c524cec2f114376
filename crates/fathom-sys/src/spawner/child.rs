//! From fork to exec. Everything here happens before the clock starts; nothing allocates.
#![allow(unsafe_code, reason = "between fork and exec there are only system calls")]

use super::error::SpawnStep;
use super::wire::{Cost, Shared, Strings};
use crate::affinity::CpuSet;
use crate::clock::monotonic;
use fathom_record::Timestamp;
use std::io;
use std::os::fd::RawFd;

/// What the child needs to become the command.
pub(crate) struct ChildPlan<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) strings: Strings,
    pub(crate) cpu: Option<CpuSet>,
    pub(crate) own_group: bool,
    /// Standard input, output and error; none of them is 0, 1 or 2.
    pub(crate) streams: [RawFd; 3],
    /// To be waited at until the counters are open.
    pub(crate) gate: Option<RawFd>,
    pub(crate) server: libc::pid_t,
}

impl ChildPlan<'_> {
    /// Becomes the command, or notes why not and ends.
    pub(crate) fn carry_out(&self) -> ! {
        let (step, error) = self.prepare_and_execute();
        self.shared.note_failure(step.number(), error.raw_os_error().unwrap_or(0));
        // SAFETY: ends this process without running what was registered in the server.
        unsafe { libc::_exit(127) }
    }

    fn prepare_and_execute(&self) -> (SpawnStep, io::Error) {
        if let Err(failure) = self.prepare() {
            return failure;
        }
        let strings = &self.strings;
        self.shared.note_cost(own_cost());
        self.shared.note_began(monotonic());
        // SAFETY: the strings are NUL-ended and the lists null-ended; see `Shared::strings`.
        unsafe { libc::execve(strings.program, strings.arguments, strings.variables) };
        (SpawnStep::Execute, io::Error::last_os_error())
    }

    fn prepare(&self) -> Result<(), (SpawnStep, io::Error)> {
        // Killing the server, by whatever means, leaves nothing running. It may be gone already.
        // SAFETY: plain system calls with numbers.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != self.server {
                libc::_exit(127);
            }
        }
        if self.own_group {
            // SAFETY: a plain system call with numbers.
            check(SpawnStep::Group, unsafe { libc::setpgid(0, 0) })?;
        }
        default_signals();
        // SAFETY: the folder's name is NUL-ended; see `Shared::strings`.
        unsafe {
            if *self.strings.folder != 0 {
                check(SpawnStep::Folder, libc::chdir(self.strings.folder))?;
            }
        }
        if let Some(cpu) = &self.cpu {
            cpu.confine_self().map_err(|error| (SpawnStep::Pin, error))?;
        }
        for (target, &stream) in self.streams.iter().enumerate() {
            // SAFETY: a plain system call with numbers.
            check(SpawnStep::Streams, unsafe { libc::dup2(stream, target as RawFd) })?;
        }
        if let Some(gate) = self.gate {
            let mut byte = 0_u8;
            // SAFETY: room for the one byte that is asked for. An end instead of a byte is as good.
            while unsafe { libc::read(gate, (&raw mut byte).cast(), 1) } < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
        // The first use of the note and of the clock may fault pages in; not when it counts.
        self.shared.note_began(Timestamp::ZERO);
        let _ = monotonic();
        Ok(())
    }
}

fn check(step: SpawnStep, result: libc::c_int) -> Result<(), (SpawnStep, io::Error)> {
    if result < 0 { Err((step, io::Error::last_os_error())) } else { Ok(()) }
}

/// The server ignores what a terminal sends, and Rust's runtime SIGPIPE; the command must not.
fn default_signals() {
    // The kernel's own structure (handler, flags, restorer, mask), larger than on any machine: all
    // zeros mean the default. Its own call too, since the C library refuses to touch the two
    // signals that it uses itself, and the process that started Fathom may have ignored them.
    let default = [0_u64; 8];
    let mask_bytes = libc::SIGRTMAX() / 8;
    // SAFETY: the kernel reads less than `default` has. Signals that cannot be changed are refused,
    // which is right. An empty mask blocks nothing.
    unsafe {
        let nowhere: *mut u64 = std::ptr::null_mut();
        for signal in 1..=libc::SIGRTMAX() {
            let default = default.as_ptr();
            libc::syscall(libc::SYS_rt_sigaction, signal, default, nowhere, mask_bytes as usize);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

fn own_cost() -> Cost {
    // SAFETY: all-zero is a valid rusage, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    Cost::of(&usage)
}
