//! Whether the CPU may go above its rated speed for a while.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// The switch that says it, and what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turbo {
    /// Above the rated speed while heat and power allow.
    On(Switch),
    /// Never.
    Off(Switch),
    /// No switch was found.
    Unknown,
}

/// Where turbo is switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Intel's driver: "no turbo".
    IntelNoTurbo,
    /// Other drivers: "boost", for all CPUs.
    Boost,
    /// A switch "boost" of each CPU.
    CpuBoost,
    /// An older switch of each AMD CPU: "core performance boost".
    CpuCpb,
}

impl Switch {
    const ALL: [Switch; 4] =
        [Switch::IntelNoTurbo, Switch::Boost, Switch::CpuBoost, Switch::CpuCpb];

    /// The file; for switches of each CPU those of all of them.
    fn files(self) -> &'static str {
        match self {
            Switch::IntelNoTurbo => "/sys/devices/system/cpu/intel_pstate/no_turbo",
            Switch::Boost => "/sys/devices/system/cpu/cpufreq/boost",
            Switch::CpuBoost => "/sys/devices/system/cpu/cpu*/cpufreq/boost",
            Switch::CpuCpb => "/sys/devices/system/cpu/cpu*/cpufreq/cpb",
        }
    }

    /// What is written there for turbo on and off.
    fn value(self, turbo: bool) -> u8 {
        match self {
            Switch::IntelNoTurbo => u8::from(!turbo),
            Switch::Boost | Switch::CpuBoost | Switch::CpuCpb => u8::from(turbo),
        }
    }

    fn read(self, tree: Tree<'_>) -> Option<Turbo> {
        let files = self.files();
        // One CPU with turbo is enough to make results depend on it.
        let values: Vec<bool> = if files.contains("cpu*") {
            let file = |cpu: u32| files.replace("cpu*", &format!("cpu{cpu}"));
            tree.cpus().into_iter().filter_map(|cpu| tree.switch(&file(cpu))).collect()
        } else {
            tree.switch(files).into_iter().collect()
        };
        if values.is_empty() {
            return None;
        }
        let on = values.iter().any(|&value| u8::from(value) == self.value(true));
        Some(if on { Turbo::On(self) } else { Turbo::Off(self) })
    }
}

impl Turbo {
    pub(crate) fn read(tree: Tree<'_>) -> Turbo {
        Switch::ALL.into_iter().find_map(|switch| switch.read(tree)).unwrap_or(Turbo::Unknown)
    }

    pub(crate) fn finding(self, in_virtual_machine: bool) -> Finding {
        let topic = Topic::Turbo;
        match self {
            Turbo::On(switch) => Finding::new(
                topic,
                Level::Note,
                "turbo is on",
                "the top speed depends on heat and on the number of busy cores, so long sessions \
                 drift; times are those that users see",
            )
            .remedy(format!(
                "for steadier times, `echo {} | sudo tee {files}`; undo with `echo {} | sudo tee \
                 {files}`",
                switch.value(false),
                switch.value(true),
                files = switch.files()
            )),
            Turbo::Off(_) => Finding::new(
                topic,
                Level::Good,
                "turbo is off",
                "the top speed does not depend on heat; users with turbo see shorter times",
            ),
            Turbo::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot find a switch for turbo",
                if in_virtual_machine {
                    "the speed may rise and fall with the load of other guests"
                } else {
                    "the top speed may depend on heat and on the number of busy cores"
                },
            ),
        }
    }
}
