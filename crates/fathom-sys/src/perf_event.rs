//! The system call behind the counters.
#![allow(unsafe_code, reason = "std knows nothing of performance events")]

use crate::counters::Coverage;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::FromRawFd;

/// An event of the kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    kind: u32,
    config: u64,
    needs_kernel: bool,
}

/// Whose events.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Those of this process, only to see whether it is allowed.
    SelfProbe,
    /// Those of a process that waits before its exec, from the exec on, and of its descendants.
    Awaiting(libc::pid_t),
}

const PERF_TYPE_HARDWARE: u32 = 0;
const PERF_TYPE_SOFTWARE: u32 = 1;

impl Event {
    pub(crate) const fn hardware(config: u64) -> Event {
        Event { kind: PERF_TYPE_HARDWARE, config, needs_kernel: false }
    }

    pub(crate) const fn software(config: u64) -> Event {
        Event { kind: PERF_TYPE_SOFTWARE, config, needs_kernel: false }
    }

    pub(crate) const fn needs_kernel(self) -> Event {
        Event { needs_kernel: true, ..self }
    }

    pub(crate) fn is_hardware(self) -> bool {
        self.kind == PERF_TYPE_HARDWARE
    }
}

/// The first version of `struct perf_event_attr`; all kernels take it, and it has all we need.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// PERF_FORMAT_TOTAL_TIME_ENABLED and PERF_FORMAT_TOTAL_TIME_RUNNING.
const WITH_TIMES: u64 = 1 | 2;
const PERF_FLAG_FD_CLOEXEC: libc::c_ulong = 8;

/// The n-th one-bit field, which C lays out from the other end on big-endian machines.
const fn bit(n: u32) -> u64 {
    if cfg!(target_endian = "big") { 1 << (63 - n) } else { 1 << n }
}
const DISABLED: u64 = bit(0);
const INHERIT: u64 = bit(1);
const EXCLUDE_KERNEL: u64 = bit(5);
const EXCLUDE_HYPERVISOR: u64 = bit(6);
const ENABLE_ON_EXEC: u64 = bit(12);

/// Opens a counter; without the kernel's part if only that is permitted.
pub(crate) fn open(event: Event, target: Target) -> io::Result<(File, Coverage)> {
    match open_with(event, target, 0) {
        Ok(file) => Ok((file, Coverage::Everything)),
        Err(error)
            if matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
                && !event.needs_kernel =>
        {
            let file = open_with(event, target, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR)?;
            Ok((file, Coverage::ProgramOnly))
        }
        Err(error) => Err(error),
    }
}

fn open_with(event: Event, target: Target, exclude: u64) -> io::Result<File> {
    let (pid, flags) = match target {
        Target::SelfProbe => (0, DISABLED | INHERIT),
        Target::Awaiting(pid) => (pid, DISABLED | INHERIT | ENABLE_ON_EXEC),
    };
    let attributes = Attributes {
        kind: event.kind,
        size: size_of::<Attributes>() as u32,
        config: event.config,
        read_format: WITH_TIMES,
        flags: flags | exclude,
        ..Attributes::default()
    };
    let any_cpu: libc::c_int = -1;
    let no_group: libc::c_int = -1;
    // SAFETY: the attributes say their own size and outlive the call.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            pid,
            any_cpu,
            no_group,
            PERF_FLAG_FD_CLOEXEC,
        )
    };
    let fd = libc::c_int::try_from(fd).unwrap_or(-1);
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us this descriptor; nobody else has it.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// What it counted; `None` if it never ran.
pub(crate) fn read(counter: &mut File) -> Option<f64> {
    let mut bytes = [0_u8; 24];
    counter.read_exact(&mut bytes).ok()?;
    let word = |n: usize| {
        let mut word = [0_u8; 8];
        word.copy_from_slice(&bytes[n * 8..n * 8 + 8]);
        u64::from_ne_bytes(word)
    };
    scaled(word(0), word(1), word(2))
}

/// More counters than the processor has take turns; what each saw is scaled to the whole time.
fn scaled(value: u64, enabled: u64, running: u64) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "counts are not exact beyond 2^53 anyway")]
    match running {
        0 => None,
        _ if running == enabled => Some(value as f64),
        _ => Some(value as f64 * (enabled as f64 / running as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_takes_the_first_version_of_the_structure() {
        assert_eq!(size_of::<Attributes>(), 64);
    }

    #[test]
    fn values_are_scaled_to_the_whole_time() {
        assert_eq!(scaled(100, 10, 10), Some(100.0));
        assert_eq!(scaled(100, 40, 10), Some(400.0));
        assert_eq!(scaled(0, 10, 0), None);
        assert_eq!(scaled(0, 0, 0), None);
    }
}
