//! What the host says of itself: facts that decide how well it measures, and what they mean.
//!
//! Facts come from files of `/proc` and `/sys` below a root folder, "/" on a real machine. What is
//! missing, unreadable or odd is unknown, never guessed. Each fact has a file here, together with
//! its judgement: a [`Finding`] says what is, why it matters, and what to do.

mod aslr;
mod cgroup;
mod clock;
mod container;
mod cpu_list;
mod cpu_quota;
mod cpu_times;
mod finding;
mod findings;
mod frequency;
mod governor;
mod huge_pages;
mod isolation;
mod kernel;
mod load;
mod memory;
mod perf_events;
mod power;
mod pressure;
mod processor;
pub mod program;
mod smt;
mod tree;
mod turbo;
mod unequal_cpus;
mod virtual_machine;
mod warnings;

pub use aslr::Aslr;
pub use clock::ClockSource;
pub use container::Container;
pub use cpu_quota::CpuQuota;
pub use cpu_times::{CpuTimes, Shares};
pub use finding::{Finding, Level, Topic};
pub use findings::{Tried, findings};
pub use frequency::{CpuFrequency, Frequency};
pub use governor::{CpuGovernor, Governor};
pub use huge_pages::HugePages;
pub use isolation::Isolation;
pub use kernel::{Kernel, Mitigation};
pub use load::Load;
pub use memory::Memory;
pub use perf_events::{Access, Counter, PerfEvents};
pub use power::Power;
pub use pressure::Pressure;
pub use processor::Processor;
pub use smt::Smt;
pub use turbo::{Switch, Turbo};
pub use unequal_cpus::Strength;
pub use virtual_machine::VirtualMachine;
pub use warnings::{warnings_before, warnings_between};

use std::path::Path;
use tree::Tree;

/// What a host says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    /// The processor.
    pub processor: Processor,
    /// Who decides on the clock speed.
    pub governor: Governor,
    /// Speeds above the rated one.
    pub turbo: Turbo,
    /// Clock speeds.
    pub frequency: Frequency,
    /// Whether all CPUs are equally strong.
    pub strength: Strength,
    /// Whether CPUs share cores.
    pub smt: Smt,
    /// CPUs set aside.
    pub isolation: Isolation,
    /// Random memory layout.
    pub aslr: Aslr,
    /// How much else runs.
    pub load: Option<Load>,
    /// What the CPUs did since the machine started.
    pub cpu_times: Option<CpuTimes>,
    /// Memory and swap.
    pub memory: Memory,
    /// Waiting for CPUs, memory and disks.
    pub pressure: Pressure,
    /// Battery or mains.
    pub power: Power,
    /// Whether it is a guest.
    pub virtual_machine: VirtualMachine,
    /// Whether this is a container.
    pub container: Container,
    /// A limit on CPU time.
    pub cpu_quota: CpuQuota,
    /// What the clock reads.
    pub clock_source: ClockSource,
    /// Access to counters.
    pub perf_events: PerfEvents,
    /// Transparent huge pages.
    pub huge_pages: HugePages,
    /// The kernel.
    pub kernel: Kernel,
}

impl Host {
    /// Reads everything below a root folder, "/" on a real machine.
    #[must_use]
    pub fn read(root: &Path) -> Host {
        let tree = Tree::new(root);
        let cpuinfo = tree.text("proc/cpuinfo");
        let cpuinfo = cpuinfo.as_deref();
        let frequency = Frequency::read(tree);
        Host {
            processor: Processor::read(tree, cpuinfo),
            governor: Governor::read(tree),
            turbo: Turbo::read(tree),
            strength: Strength::read(tree, &frequency),
            frequency,
            smt: Smt::read(tree),
            isolation: Isolation::read(tree),
            aslr: Aslr::read(tree),
            load: Load::read(tree),
            cpu_times: CpuTimes::read(root),
            memory: Memory::read(tree),
            pressure: Pressure::read(tree),
            power: Power::read(tree),
            virtual_machine: VirtualMachine::read(tree, cpuinfo),
            container: Container::read(tree),
            cpu_quota: CpuQuota::read(tree),
            clock_source: ClockSource::read(tree),
            perf_events: PerfEvents::read(tree),
            huge_pages: HugePages::read(tree),
            kernel: Kernel::read(tree),
        }
    }

    /// The machine in a line: "AMD EPYC, 2 CPUs, Linux 6.8.0".
    #[must_use]
    pub fn summary(&self) -> String {
        let model = self.processor.model.as_deref().unwrap_or("unknown CPU");
        let release = self.kernel.release.as_deref().unwrap_or("of unknown version");
        format!("{model}, {}, Linux {release}", self.processor.counted())
    }
}
