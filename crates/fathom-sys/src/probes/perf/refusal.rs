//! Why events cannot be opened, and what to do.

use super::group::Refused;
use super::kernel::Kernel;
use crate::counters::{self, Coverage};
use crate::probes::Unavailable;
use std::io;

/// Why an event cannot be counted at all, tried on ourselves.
pub(super) fn of_event(name: &str, error: &io::Error, paranoid: Option<i32>) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENXIO | libc::EINVAL) => {
            format!(
                "this machine has no counter for {name}; most virtual machines have no hardware \
                 counters"
            )
        }
        // The kernel's own strictness is another error, so this is a filter of system calls.
        Some(libc::EPERM) => format!(
            "no permission to count {name}: a container or a security policy forbids \
             perf_event_open; start the container with `--cap-add PERFMON` and a seccomp profile \
             that allows perf_event_open"
        ),
        Some(libc::EACCES) => {
            format!("no permission to count {name}: {}", counters::remedy(paranoid))
        }
        Some(libc::ENOSYS) => "this kernel was built without performance events".to_string(),
        _ => format!("cannot count {name}: {error}"),
    }
}

/// What is missing where only the program's own part may be counted.
pub(super) fn of_kernel_part(coverage: &[Coverage], paranoid: Option<i32>) -> String {
    if coverage.contains(&Coverage::ProgramOnly) {
        format!("; without kernel events ({})", counters::remedy(paranoid))
    } else {
        String::new()
    }
}

/// Why a process cannot be counted, though we ourselves can be.
pub(super) fn of_process<K: Kernel>(
    kernel: &K,
    refused: &Refused,
    pid: u32,
    threads: usize,
    files: usize,
) -> Unavailable {
    Unavailable(match refused.error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => format!(
            "no permission to count events of process {pid}: it belongs to another user or has \
             more privileges; record as its user, or as root"
        ),
        Some(libc::ESRCH) => format!("there is no process {pid}, or it has ended"),
        Some(libc::EMFILE | libc::ENFILE) => {
            let limit = kernel.open_files().map_or_else(String::new, |limit| {
                format!(", but only {limit} files may be open at once")
            });
            // Room for what else is open.
            let enough = files.saturating_add(256);
            format!(
                "process {pid} has {threads} threads, which need {files} open files to \
                 count{limit}; allow more with `ulimit -n {enough}`, or start the command with \
                 Fathom, which needs one file per counter for any number of threads"
            )
        }
        _ => format!("cannot count {} of process {pid}: {}", refused.name, refused.error),
    })
}
