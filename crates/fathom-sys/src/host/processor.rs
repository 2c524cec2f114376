//! The model and the number of CPUs.

use super::cpu_list;
use super::tree::{Tree, shown};

/// What the processor is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Processor {
    /// "AMD EPYC 7763", "Cortex-A72 and Cortex-A53".
    pub model: Option<String>,
    /// How many CPUs the kernel runs programs on.
    pub cpus: Option<usize>,
}

/// Cores by ARM's own numbers ("CPU implementer" 0x41), as in util-linux's table.
const ARM_PARTS: [(u32, &str); 20] = [
    (0xd03, "Cortex-A53"),
    (0xd05, "Cortex-A55"),
    (0xd07, "Cortex-A57"),
    (0xd08, "Cortex-A72"),
    (0xd09, "Cortex-A73"),
    (0xd0a, "Cortex-A75"),
    (0xd0b, "Cortex-A76"),
    (0xd0c, "Neoverse-N1"),
    (0xd0d, "Cortex-A77"),
    (0xd40, "Neoverse-V1"),
    (0xd41, "Cortex-A78"),
    (0xd44, "Cortex-X1"),
    (0xd46, "Cortex-A510"),
    (0xd47, "Cortex-A710"),
    (0xd48, "Cortex-X2"),
    (0xd49, "Neoverse-N2"),
    (0xd4d, "Cortex-A715"),
    (0xd4e, "Cortex-X3"),
    (0xd4f, "Neoverse-V2"),
    (0xd84, "Neoverse-V3"),
];

impl Processor {
    pub(crate) fn read(tree: Tree<'_>, cpuinfo: Option<&str>) -> Processor {
        let online = tree.text("sys/devices/system/cpu/online");
        let online = online.and_then(|text| cpu_list::parse(&text)).map(|cpus| cpus.len());
        let listed = || cpuinfo.map(|text| values(text, "processor").count());
        let counted = || {
            let stat = tree.text("proc/stat")?;
            let is_cpu = |line: &&str| {
                line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(char::is_numeric))
            };
            Some(stat.lines().filter(is_cpu).count())
        };
        let known = |count: &usize| *count > 0;
        Processor {
            model: cpuinfo.and_then(model),
            cpus: online
                .filter(known)
                .or_else(|| listed().filter(known))
                .or_else(|| counted().filter(known)),
        }
    }

    /// "2 CPUs".
    pub(crate) fn counted(&self) -> String {
        match self.cpus {
            Some(1) => "1 CPU".to_string(),
            Some(cpus) => format!("{cpus} CPUs"),
            None => "an unknown number of CPUs".to_string(),
        }
    }
}

/// The values of a key in `/proc/cpuinfo`, one per CPU.
pub(crate) fn values<'a>(cpuinfo: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    cpuinfo.lines().filter_map(move |line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then_some(value.trim())
    })
}

/// x86 and 32-bit ARM give a "model name", others a key of their own, 64-bit ARM only numbers.
fn model(cpuinfo: &str) -> Option<String> {
    let named = ["model name", "cpu model", "cpu", "uarch"].into_iter();
    named.flat_map(|key| values(cpuinfo, key)).find_map(shown).or_else(|| arm_model(cpuinfo))
}

fn arm_model(cpuinfo: &str) -> Option<String> {
    let makers = values(cpuinfo, "CPU implementer");
    let mut names: Vec<String> = Vec::new();
    for (maker, part) in makers.zip(values(cpuinfo, "CPU part")) {
        let (maker, part) = (hexadecimal(maker)?, hexadecimal(part)?);
        let known = ARM_PARTS.iter().find(|(number, _)| maker == 0x41 && *number == part);
        let name = known.map_or_else(
            || format!("ARM core {part:#x}, implementer {maker:#x}"),
            |(_, name)| (*name).to_string(),
        );
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // More kinds than this are not a machine.
    (1..=4).contains(&names.len()).then(|| names.join(" and "))
}

fn hexadecimal(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named() {
        assert_eq!(model("processor\t: 0\nmodel name\t: AMD EPYC\n").as_deref(), Some("AMD EPYC"));
        let core = |part: &str| format!("CPU implementer\t: 0x41\nCPU part\t: {part}\n\n");
        let both = core("0xd03") + &core("0xd03") + &core("0xd08");
        assert_eq!(arm_model(&both).as_deref(), Some("Cortex-A53 and Cortex-A72"));
        let unheard = "CPU implementer\t: 0x61\nCPU part\t: 0x023\n";
        assert_eq!(arm_model(unheard).as_deref(), Some("ARM core 0x23, implementer 0x61"));
        assert_eq!(model("CPU implementer : what\nCPU part : 0xd03\n"), None);
        assert_eq!(model(""), None);
    }
}
