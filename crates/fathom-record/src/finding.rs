//! What a fact about a machine means for measurements on it.

use std::fmt;

/// A fact about the host, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub topic: Topic,
    /// How much it matters.
    pub level: Level,
    /// The fact: "the CPU governor is "powersave"".
    pub says: String,
    /// Why it matters.
    pub why: String,
    /// What to do, with the exact command where there is one, and how to undo it.
    pub remedy: Option<String>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// As it should be.
    Good,
    /// Worth knowing: it adds noise, or results hold for this state only.
    Note,
    /// It makes results wrong or much wider than they need to be.
    Spoils,
    /// The host does not say.
    Unknown,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 4] = [Level::Good, Level::Note, Level::Spoils, Level::Unknown];

    /// The name in JSON, which stays.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Good => "good",
            Level::Note => "note",
            Level::Spoils => "spoils",
            Level::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// What decides the clock speed.
    Governor,
    /// Speeds above the rated one.
    Turbo,
    /// The clock speed and its limits.
    Frequency,
    /// Slow-downs by heat.
    Heat,
    /// Fast and slow cores in one machine.
    UnequalCpus,
    /// Two hardware threads on one core.
    Smt,
    /// CPUs set aside.
    Isolation,
    /// Random memory layout.
    Aslr,
    /// Other work.
    Load,
    /// Time that a hypervisor took away.
    Steal,
    /// Memory on disk, and how much is left.
    Swap,
    /// Waiting for memory and disks.
    Pressure,
    /// Battery or mains.
    Battery,
    /// A guest of a hypervisor.
    VirtualMachine,
    /// A container.
    Container,
    /// A limit on CPU time.
    CpuQuota,
    /// What the clock reads.
    ClockSource,
    /// The clock's smallest step.
    ClockGrain,
    /// Access to counters of the processor and the kernel.
    PerfEvents,
    /// Transparent huge pages.
    HugePages,
}

impl Topic {
    /// Every topic, in the order of the findings.
    pub const ALL: [Topic; 20] = [
        Topic::Governor,
        Topic::Turbo,
        Topic::Frequency,
        Topic::Heat,
        Topic::UnequalCpus,
        Topic::Smt,
        Topic::Isolation,
        Topic::Aslr,
        Topic::Load,
        Topic::Steal,
        Topic::Swap,
        Topic::Pressure,
        Topic::Battery,
        Topic::VirtualMachine,
        Topic::Container,
        Topic::CpuQuota,
        Topic::ClockSource,
        Topic::ClockGrain,
        Topic::PerfEvents,
        Topic::HugePages,
    ];

    /// The name in JSON, which stays.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Topic::Governor => "governor",
            Topic::Turbo => "turbo",
            Topic::Frequency => "frequency",
            Topic::Heat => "heat",
            Topic::UnequalCpus => "unequal-cpus",
            Topic::Smt => "smt",
            Topic::Isolation => "isolation",
            Topic::Aslr => "aslr",
            Topic::Load => "load",
            Topic::Steal => "steal",
            Topic::Swap => "swap",
            Topic::Pressure => "pressure",
            Topic::Battery => "battery",
            Topic::VirtualMachine => "virtual-machine",
            Topic::Container => "container",
            Topic::CpuQuota => "cpu-quota",
            Topic::ClockSource => "clock-source",
            Topic::ClockGrain => "clock-grain",
            Topic::PerfEvents => "perf-events",
            Topic::HugePages => "huge-pages",
        }
    }

    /// Whether its remedy changes a setting of the kernel, which a container may not.
    #[must_use]
    pub fn is_kernel_setting(self) -> bool {
        match self {
            Topic::Governor
            | Topic::Turbo
            | Topic::Frequency
            | Topic::Smt
            | Topic::Aslr
            | Topic::Swap
            | Topic::ClockSource
            | Topic::HugePages => true,
            Topic::Heat
            | Topic::UnequalCpus
            | Topic::Isolation
            | Topic::Load
            | Topic::Steal
            | Topic::Pressure
            | Topic::Battery
            | Topic::VirtualMachine
            | Topic::Container
            | Topic::CpuQuota
            | Topic::ClockGrain
            | Topic::PerfEvents => false,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Finding {
    /// A finding without a remedy.
    #[must_use]
    pub fn new(
        topic: Topic,
        level: Level,
        says: impl Into<String>,
        why: impl Into<String>,
    ) -> Finding {
        Finding { topic, level, says: says.into(), why: why.into(), remedy: None }
    }

    /// The same, with what to do.
    #[must_use]
    pub fn remedy(self, remedy: impl Into<String>) -> Finding {
        Finding { remedy: Some(remedy.into()), ..self }
    }
}
