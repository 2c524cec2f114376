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
    let clock = Known::counter(C::TaskClock, "time that its threads had a processor");
    let mut events = vec![
        Known { has_kernel_part: false, ..clock },
        Known::counter(C::PageFaults, "page faults"),
        Known::counter(C::MinorFaults, "page faults without reading from a disk"),
        Known::counter(C::MajorFaults, "page faults that had to read from a disk"),
        Known::counter(C::ContextSwitches, "times that a thread of it left its processor"),
        Known::counter(C::CpuMigrations, "times that a thread of it went on on another processor"),
    ];
    // The kernel takes them everywhere, but on these processors nothing ever counts.
    if !cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        events.extend([
            Known::new("alignment-faults", Event::software(7), "accesses that were not aligned"),
            Known::new("emulation-faults", Event::software(8), "instructions the kernel emulated"),
        ]);
    }
    events
}

/// What every set of the processor's counters has, so that instructions per cycle are in each.
pub(super) fn base() -> Vec<Known> {
    vec![
        Known::counter(CounterName::Cycles, "cycles of the processor"),
        Known::counter(CounterName::Instructions, "instructions that were completed"),
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
            Known::counter(C::BranchMisses, "branches that were predicted wrongly"),
        ],
        vec![
            Known::counter(C::CacheReferences, "accesses to the last cache"),
            Known::counter(C::CacheMisses, "accesses to the last cache that missed it"),
        ],
        vec![
            Known::counter(C::StalledCyclesFrontend, "cycles waiting for instructions"),
            Known::counter(C::StalledCyclesBackend, "cycles waiting for data or units"),
        ],
        vec![
            read("L1-dcache-loads", L1D, false, "loads from the first data cache"),
            read("L1-dcache-load-misses", L1D, true, "loads that missed the first data cache"),
        ],
        vec![
            read("LLC-loads", LAST, false, "loads from the last cache"),
            read("LLC-load-misses", LAST, true, "loads that missed the last cache"),
        ],
        vec![
            read("dTLB-loads", DTLB, false, "addresses of data that were translated"),
            read("dTLB-load-misses", DTLB, true, "addresses of data that had to be looked up"),
        ],
        vec![
            read("iTLB-loads", ITLB, false, "addresses of code that were translated"),
            read("iTLB-load-misses", ITLB, true, "addresses of code that had to be looked up"),
        ],
        vec![read("L1-icache-load-misses", L1I, true, "fetches that missed the code cache")],
        vec![
            write("L1-dcache-stores", L1D, false, "stores to the first data cache"),
            write("dTLB-store-misses", DTLB, true, "addresses of stores that had to be looked up"),
        ],
        vec![
            write("LLC-stores", LAST, false, "stores to the last cache"),
            write("LLC-store-misses", LAST, true, "stores that missed the last cache"),
        ],
        vec![
            read("branch-loads", BRANCHES, false, "lookups of the branch predictor"),
            read("branch-load-misses", BRANCHES, true, "lookups that missed the branch predictor"),
        ],
        vec![
            read("node-loads", NODE, false, "loads from memory near this processor"),
            read("node-load-misses", NODE, true, "loads from memory of another processor"),
        ],
    ]
}
