//! The system call behind the counters.
#![allow(unsafe_code, reason = "std knows nothing of performance events")]
#![cfg_attr(
    not(feature = "commands"),
    allow(dead_code, reason = "a harness that counts its own instructions needs a part of it")
)]

use crate::counters::Coverage;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};

/// An event of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    kind: u32,
    config: u64,
    config1: u64,
    needs_kernel: bool,
}

/// Whose events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Those of this process, only to see whether it is allowed.
    SelfProbe,
    /// Those of a process that waits before its exec, from the exec on, and of its descendants.
    Awaiting(libc::pid_t),
    /// Those of a thread that runs, from [`enable`] on, and of what it starts afterwards.
    Running(libc::pid_t),
}

/// Events that the processor counts at the same times, or not at all.
#[derive(Debug)]
pub(crate) enum Membership<'a, C = File> {
    /// The first of a group; whether reading it reads all of them.
    Leader { reads_all: bool },
    /// One more, of this leader's group.
    Member(&'a C),
}

const PERF_TYPE_HARDWARE: u32 = 0;
const PERF_TYPE_SOFTWARE: u32 = 1;
const PERF_TYPE_TRACEPOINT: u32 = 2;
const PERF_TYPE_HW_CACHE: u32 = 3;
const PERF_TYPE_RAW: u32 = 4;

impl Event {
    pub(crate) const fn hardware(config: u64) -> Event {
        Event { kind: PERF_TYPE_HARDWARE, config, config1: 0, needs_kernel: false }
    }

    pub(crate) const fn software(config: u64) -> Event {
        Event { kind: PERF_TYPE_SOFTWARE, config, config1: 0, needs_kernel: false }
    }

    /// PERF_COUNT_SW_DUMMY, which counts nothing.
    pub(crate) const DUMMY: Event = Event::software(9);

    /// PERF_COUNT_HW_CACHE_*: the cache, what is done to it (0 read, 1 write), and whether only
    /// misses count.
    pub(crate) const fn cache(cache: u64, operation: u64, misses: bool) -> Event {
        let config = cache | operation << 8 | (misses as u64) << 16;
        Event { kind: PERF_TYPE_HW_CACHE, config, config1: 0, needs_kernel: false }
    }

    /// An event as the processor's manual numbers it.
    pub(crate) const fn raw(config: u64) -> Event {
        Event { kind: PERF_TYPE_RAW, config, config1: 0, needs_kernel: false }
    }

    /// A tracepoint of the kernel by its number: without the kernel's part it would read 0.
    pub(crate) const fn tracepoint(id: u64) -> Event {
        Event { kind: PERF_TYPE_TRACEPOINT, config: id, config1: 0, needs_kernel: true }
    }

    /// An event of a unit, by the number of the unit.
    pub(crate) const fn of_unit(kind: u32, [config, config1]: [u64; 2]) -> Event {
        Event { kind, config, config1, needs_kernel: false }
    }

    pub(crate) const fn needs_kernel(self) -> Event {
        Event { needs_kernel: true, ..self }
    }

    pub(crate) fn is_hardware(self) -> bool {
        !matches!(self.kind, PERF_TYPE_SOFTWARE | PERF_TYPE_TRACEPOINT)
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
/// PERF_FORMAT_GROUP.
const OF_ALL: u64 = 8;
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
    open_in(Membership::Leader { reads_all: false }, event, target)
}

/// Opens a counter that leaves out the kernel's part in any case.
#[cfg(target_os = "linux")]
pub(crate) fn open_without_kernel(event: Event, target: Target) -> io::Result<File> {
    let membership = Membership::Leader { reads_all: false };
    open_with(&membership, event, target, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR)
}

/// Opens a counter of a group, likewise.
pub(crate) fn open_in(
    membership: Membership<'_>,
    event: Event,
    target: Target,
) -> io::Result<(File, Coverage)> {
    match open_with(&membership, event, target, 0) {
        Ok(file) => Ok((file, Coverage::Everything)),
        Err(error)
            if matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
                && !event.needs_kernel =>
        {
            let file = open_with(&membership, event, target, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR)?;
            Ok((file, Coverage::ProgramOnly))
        }
        Err(error) => Err(error),
    }
}

fn open_with(
    membership: &Membership<'_>,
    event: Event,
    target: Target,
    exclude: u64,
) -> io::Result<File> {
    let (pid, start) = match target {
        Target::SelfProbe => (0, DISABLED),
        Target::Awaiting(pid) => (pid, DISABLED | ENABLE_ON_EXEC),
        Target::Running(pid) => (pid, DISABLED),
    };
    // Members begin with their leader, whatever starts it.
    let (leader, start, read_format) = match membership {
        Membership::Leader { reads_all: true } => (-1, start, WITH_TIMES | OF_ALL),
        Membership::Leader { reads_all: false } => (-1, start, WITH_TIMES),
        Membership::Member(leader) => (leader.as_raw_fd(), 0, WITH_TIMES),
    };
    let attributes = Attributes {
        kind: event.kind,
        size: size_of::<Attributes>() as u32,
        config: event.config,
        config1: event.config1,
        read_format,
        flags: start | INHERIT | exclude,
        ..Attributes::default()
    };
    let any_cpu: libc::c_int = -1;
    // SAFETY: the attributes say their own size and outlive the call.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            pid,
            any_cpu,
            leader,
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

/// Starts a group whose target does not start it.
pub(crate) fn enable(leader: &File) -> io::Result<()> {
    // PERF_EVENT_IOC_ENABLE, and PERF_IOC_FLAG_GROUP.
    const ENABLE: libc::c_ulong = if cfg!(any(
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "powerpc",
        target_arch = "powerpc64",
        target_arch = "sparc64",
    )) {
        0x2000_2400
    } else {
        0x2400
    };
    const WHOLE_GROUP: libc::c_ulong = 1;
    // SAFETY: the request takes a number and writes nothing.
    let result = unsafe { libc::ioctl(leader.as_raw_fd(), ENABLE as _, WHOLE_GROUP) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Reads the kernel's words; how many came. None come of a counter that failed.
///
/// Those of one event are value, time enabled, time running; of a group that is read at once, how
/// many events, time enabled, time running, and the values.
pub(crate) fn read_words(mut counter: &File, words: &mut [u64]) -> io::Result<usize> {
    // SAFETY: any bytes are numbers, and numbers are aligned more strictly than bytes.
    let bytes = unsafe {
        std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), size_of_val(words))
    };
    Ok(counter.read(bytes)? / size_of::<u64>())
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
