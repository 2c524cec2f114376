//! Counters of the kernel and the processor that can be read for a command.
#![cfg_attr(
    not(feature = "commands"),
    allow(dead_code, reason = "a harness that counts its own instructions needs a part of it")
)]

use crate::perf_event::{self, Event, Target};
use std::fmt;
use std::io;
use std::str::FromStr;

/// A counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of perf and say what they count")]
pub enum CounterName {
    Cycles,
    Instructions,
    Branches,
    BranchMisses,
    CacheReferences,
    CacheMisses,
    StalledCyclesFrontend,
    StalledCyclesBackend,
    TaskClock,
    PageFaults,
    MinorFaults,
    MajorFaults,
    ContextSwitches,
    CpuMigrations,
}

/// Not the name of a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterNameError {
    name: String,
}

impl fmt::Display for CounterNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = CounterName::ALL.map(CounterName::as_str);
        let (name, known) = (&self.name, fathom_record::listed(&known));
        write!(f, "there is no counter \"{name}\". Use one of: {known}.")
    }
}

impl std::error::Error for CounterNameError {}

impl CounterName {
    /// All, hardware first.
    pub const ALL: [CounterName; 14] = [
        CounterName::Cycles,
        CounterName::Instructions,
        CounterName::Branches,
        CounterName::BranchMisses,
        CounterName::CacheReferences,
        CounterName::CacheMisses,
        CounterName::StalledCyclesFrontend,
        CounterName::StalledCyclesBackend,
        CounterName::TaskClock,
        CounterName::PageFaults,
        CounterName::MinorFaults,
        CounterName::MajorFaults,
        CounterName::ContextSwitches,
        CounterName::CpuMigrations,
    ];

    /// As perf spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            CounterName::Cycles => "cycles",
            CounterName::Instructions => "instructions",
            CounterName::Branches => "branches",
            CounterName::BranchMisses => "branch-misses",
            CounterName::CacheReferences => "cache-references",
            CounterName::CacheMisses => "cache-misses",
            CounterName::StalledCyclesFrontend => "stalled-cycles-frontend",
            CounterName::StalledCyclesBackend => "stalled-cycles-backend",
            CounterName::TaskClock => "task-clock",
            CounterName::PageFaults => "page-faults",
            CounterName::MinorFaults => "minor-faults",
            CounterName::MajorFaults => "major-faults",
            CounterName::ContextSwitches => "context-switches",
            CounterName::CpuMigrations => "cpu-migrations",
        }
    }

    /// Whether the processor counts it, not the kernel.
    #[must_use]
    pub fn is_hardware(self) -> bool {
        self.event().is_hardware()
    }

    /// What the kernel calls it: PERF_COUNT_HW_* and PERF_COUNT_SW_*.
    pub(crate) fn event(self) -> Event {
        match self {
            CounterName::Cycles => Event::hardware(0),
            CounterName::Instructions => Event::hardware(1),
            CounterName::CacheReferences => Event::hardware(2),
            CounterName::CacheMisses => Event::hardware(3),
            CounterName::Branches => Event::hardware(4),
            CounterName::BranchMisses => Event::hardware(5),
            CounterName::StalledCyclesFrontend => Event::hardware(7),
            CounterName::StalledCyclesBackend => Event::hardware(8),
            CounterName::TaskClock => Event::software(1),
            CounterName::PageFaults => Event::software(2),
            // These two happen in the kernel only: without it they would read 0, which is a lie.
            CounterName::ContextSwitches => Event::software(3).needs_kernel(),
            CounterName::CpuMigrations => Event::software(4).needs_kernel(),
            CounterName::MinorFaults => Event::software(5),
            CounterName::MajorFaults => Event::software(6),
        }
    }

    /// The kernel's number in the unit we give: the task clock is in nanoseconds there.
    pub(crate) fn in_our_unit(self, value: f64) -> f64 {
        if self == CounterName::TaskClock { value / 1e9 } else { value }
    }
}

impl fmt::Display for CounterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for CounterName {
    type Err = CounterNameError;

    fn from_str(name: &str) -> Result<CounterName, CounterNameError> {
        CounterName::ALL
            .into_iter()
            .find(|counter| counter.as_str() == name)
            .ok_or_else(|| CounterNameError { name: name.to_string() })
    }
}

/// What a counter will count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The program and the kernel's work for it.
    Everything,
    /// The program only: the kernel's own work may not be counted by this user.
    ProgramOnly,
}

/// Why a counter cannot be read here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// The machine has no such counter.
    NotSupported {
        /// Which.
        name: CounterName,
    },
    /// The kernel has one, but not for this user.
    NoPermission {
        /// Which.
        name: CounterName,
        /// What the kernel's setting is, if it can be read.
        paranoid: Option<i32>,
    },
    /// Something else.
    Other {
        /// Which.
        name: CounterName,
        /// The kernel's words.
        reason: String,
    },
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::NotSupported { name } => {
                let why = if name.is_hardware() {
                    " (most virtual machines have no hardware counters)"
                } else {
                    ""
                };
                write!(f, "this machine does not support {name}{why}")
            }
            Unavailable::NoPermission { name, paranoid } => {
                write!(f, "no permission to count {name}: {}", remedy(*paranoid))
            }
            Unavailable::Other { name, reason } => write!(f, "cannot count {name}: {reason}"),
        }
    }
}

impl std::error::Error for Unavailable {}

/// What to do where performance events are not permitted.
pub(crate) fn remedy(paranoid: Option<i32>) -> String {
    match paranoid {
        Some(value) if value > 1 => format!(
            "/proc/sys/kernel/perf_event_paranoid is {value}; allow it with `sudo sysctl \
             kernel.perf_event_paranoid=1`"
        ),
        Some(value) => format!(
            "/proc/sys/kernel/perf_event_paranoid is {value}, which would allow it, so a \
             container or a security policy forbids it; add the capability PERFMON to the \
             container"
        ),
        None => "cannot read /proc/sys/kernel/perf_event_paranoid; `sudo sysctl \
                 kernel.perf_event_paranoid=1` may allow it"
            .to_string(),
    }
}

/// For each counter whether it can be read here and how far it sees, tried on this process.
#[must_use]
pub fn available(names: &[CounterName]) -> Vec<(CounterName, Result<Coverage, Unavailable>)> {
    names.iter().map(|&name| (name, probe(name))).collect()
}

fn probe(name: CounterName) -> Result<Coverage, Unavailable> {
    perf_event::open(name.event(), Target::SelfProbe)
        .map(|(_, coverage)| coverage)
        .map_err(|error| explain(name, &error, paranoid()))
}

/// How strict the kernel is.
pub(crate) fn paranoid() -> Option<i32> {
    std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()
}

pub(crate) fn explain(name: CounterName, error: &io::Error, paranoid: Option<i32>) -> Unavailable {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENXIO) => {
            Unavailable::NotSupported { name }
        }
        Some(libc::EACCES | libc::EPERM) => Unavailable::NoPermission { name, paranoid },
        Some(libc::ENOSYS) => Unavailable::Other {
            name,
            reason: "this kernel was built without performance events".to_string(),
        },
        _ => Unavailable::Other { name, reason: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in CounterName::ALL {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        let error = "cycle".parse::<CounterName>().unwrap_err().to_string();
        assert!(error.starts_with("there is no counter \"cycle\". Use one of: cycles, instr"));
    }

    #[test]
    fn reasons_name_the_remedy() {
        let reason = |errno, paranoid| {
            let error = io::Error::from_raw_os_error(errno);
            explain(CounterName::Cycles, &error, paranoid).to_string()
        };
        assert_eq!(
            reason(libc::ENOENT, Some(2)),
            "this machine does not support cycles (most virtual machines have no hardware counters)"
        );
        assert_eq!(
            reason(libc::EACCES, Some(4)),
            "no permission to count cycles: /proc/sys/kernel/perf_event_paranoid is 4; allow it \
             with `sudo sysctl kernel.perf_event_paranoid=1`"
        );
        assert!(reason(libc::EPERM, Some(-1)).contains("container"));
        assert!(reason(libc::EPERM, None).contains("cannot read"));
        assert!(reason(libc::ENOSYS, None).contains("without performance events"));
        assert!(reason(libc::EMFILE, None).starts_with("cannot count cycles: "));
        let error = io::Error::from_raw_os_error(libc::ENOENT);
        let software = explain(CounterName::PageFaults, &error, None).to_string();
        assert_eq!(software, "this machine does not support page-faults");
    }
}
