//! All facts about a host.

use super::tree::Tree;
use super::{
    Aslr, Brief, ClockSource, Container, CpuQuota, CpuTimes, Governor, HostFrequency, HostKernel,
    HostMemory, HugePages, Isolation, Load, PerfEvents, Power, Pressure, Processor, Smt, Strength,
    Turbo, VirtualMachine,
};
use std::path::Path;

/// Facts about a host.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    /// The processor.
    pub processor: Processor,
    /// What decides the clock speed.
    pub governor: Governor,
    /// Speeds above the rated one.
    pub turbo: Turbo,
    /// Clock speeds.
    pub frequency: HostFrequency,
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
    pub memory: HostMemory,
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
    pub kernel: HostKernel,
}

impl Host {
    /// Reads everything below a root folder, "/" on a real machine.
    #[must_use]
    pub fn read(root: &Path) -> Host {
        let tree = Tree::new(root);
        let cpuinfo = tree.text("proc/cpuinfo");
        let cpuinfo = cpuinfo.as_deref();
        let brief = Brief::read(root);
        let frequency = HostFrequency::read(tree);
        Host {
            processor: brief.processor,
            governor: brief.governor,
            turbo: Turbo::read(tree),
            strength: Strength::read(tree, &frequency),
            frequency,
            smt: Smt::read(tree),
            isolation: Isolation::read(tree),
            aslr: Aslr::read(tree),
            load: brief.load,
            cpu_times: CpuTimes::read(root),
            memory: HostMemory::read(tree),
            pressure: Pressure::read(tree),
            power: brief.power,
            virtual_machine: VirtualMachine::read(tree, cpuinfo),
            container: Container::read(tree),
            cpu_quota: brief.cpu_quota,
            clock_source: ClockSource::read(tree),
            perf_events: PerfEvents::read(tree),
            huge_pages: HugePages::read(tree),
            kernel: HostKernel::read(tree),
        }
    }

    /// The few facts that most often spoil a measurement.
    #[must_use]
    pub fn brief(&self) -> Brief {
        Brief {
            processor: self.processor.clone(),
            governor: self.governor.clone(),
            load: self.load,
            power: self.power,
            cpu_quota: self.cpu_quota.clone(),
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
