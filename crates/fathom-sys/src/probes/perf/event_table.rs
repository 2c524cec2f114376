//! The events there may be.

use crate::counters::CounterName;
use crate::perf_event::Event;
use fathom_record::{TimeUnit, Unit};

/// An event and what it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// As perf spells it.
    pub(super) name: &'static str,
    pub(super) event: Event,
    /// What it counts, in a few words.
    pub(super) about: &'static str,
    /// Whether the kernel's part is counted or not as permissions have it. Time is not divided so.
    pub(super) has_kernel_part: bool,
}

impl Known {
    const fn new(name: &'static str, event: Event, about: &'static str) -> Known {
        Known { name, event, about, has_kernel_part: true }
    }

    fn counter(name: CounterName, about: &'static str) -> Known {
        Known::new(name.as_str(), name.event(), about)
    }

    pub(super) fn unit(&self) -> Unit {
        if self.event == CounterName::TaskClock.event() {
            Unit::Time(TimeUnit::Nanoseconds)
        } else {
            Unit::Unknown
        }
    }
}

/// What the kernel counts itself.
pub(super) fn software() -> Vec<Known> {
    use CounterName as C;
    let clock = Known::counter(C::TaskClock, "CPU time of its threads");
    let mut events = vec![
        Known { has_kernel_part: false, ..clock },
        Known::counter(C::PageFaults, "page faults"),
        Known::counter(C::MinorFaults, "page faults without disk reads"),
        Known::counter(C::MajorFaults, "page faults that read from disk"),
        Known::counter(C::ContextSwitches, "times a thread left its CPU"),
        Known::counter(C::CpuMigrations, "times a thread moved to another CPU"),
    ];
    // The kernel takes them everywhere, but on these processors nothing ever counts.
    if !cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        events.extend([
            Known::new("alignment-faults", Event::software(7), "unaligned accesses"),
            Known::new(
                "emulation-faults",
                Event::software(8),
                "instructions emulated by the kernel",
            ),
        ]);
    }
    events
}

/// What every set of the processor's counters has, so that instructions per cycle are in each.
pub(super) fn base() -> Vec<Known> {
    vec![
        Known::counter(CounterName::Cycles, "CPU cycles"),
        Known::counter(CounterName::Instructions, "completed instructions"),
    ]
}

/// What else the processor may count. Those of one bundle are read against each other, so they are
/// in one set if that is possible.
pub(super) fn bundles() -> Vec<Vec<Known>> {
    use CounterName as C;
    const L1D: u64 = 0;
    const L1I: u64 = 1;
    const LAST: u64 = 2;
    const DTLB: u64 = 3;
    const ITLB: u64 = 4;
    const BRANCHES: u64 = 5;
    const NODE: u64 = 6;
    let read = |name, cache, misses, about| Known::new(name, Event::cache(cache, 0, misses), about);
    let write =
        |name, cache, misses, about| Known::new(name, Event::cache(cache, 1, misses), about);
    vec![
        vec![
            Known::counter(C::Branches, "branches"),
            Known::counter(C::BranchMisses, "mispredicted branches"),
        ],
        vec![
            Known::counter(C::CacheReferences, "last-level cache accesses"),
            Known::counter(C::CacheMisses, "last-level cache misses"),
        ],
        vec![
            Known::counter(C::StalledCyclesFrontend, "cycles stalled waiting for instructions"),
            Known::counter(
                C::StalledCyclesBackend,
                "cycles stalled waiting for data or execution units",
            ),
        ],
        vec![
            read("L1-dcache-loads", L1D, false, "first-level data cache loads"),
            read("L1-dcache-load-misses", L1D, true, "first-level data cache load misses"),
        ],
        vec![
            read("LLC-loads", LAST, false, "last-level cache loads"),
            read("LLC-load-misses", LAST, true, "last-level cache load misses"),
        ],
        vec![
            read("dTLB-loads", DTLB, false, "data TLB loads"),
            read("dTLB-load-misses", DTLB, true, "data TLB load misses"),
        ],
        vec![
            read("iTLB-loads", ITLB, false, "instruction TLB loads"),
            read("iTLB-load-misses", ITLB, true, "instruction TLB load misses"),
        ],
        vec![read("L1-icache-load-misses", L1I, true, "instruction cache load misses")],
        vec![
            write("L1-dcache-stores", L1D, false, "first-level data cache stores"),
            write("dTLB-store-misses", DTLB, true, "data TLB store misses"),
        ],
        vec![
            write("LLC-stores", LAST, false, "last-level cache stores"),
            write("LLC-store-misses", LAST, true, "last-level cache store misses"),
        ],
        vec![
            read("branch-loads", BRANCHES, false, "branch predictor loads"),
            read("branch-load-misses", BRANCHES, true, "branch predictor load misses"),
        ],
        vec![
            read("node-loads", NODE, false, "loads from local memory"),
            read("node-load-misses", NODE, true, "loads from another node's memory"),
        ],
    ]
}
