//! Whether the machine is a guest of a hypervisor.

use super::processor::values;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// A guest, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VirtualMachine {
    /// It is one.
    Yes {
        /// "KVM", "VMware"; `None` if it does not say.
        hypervisor: Option<String>,
    },
    /// There is no sign of one; some hypervisors hide.
    NoSign,
    /// The host does not say.
    Unknown,
}

/// Prefixes of the maker or product names of virtual machines, and their makers. Product names
/// alone where the maker also sells real machines.
const BY_NAME: [(&str, &str); 17] = [
    ("KVM", "KVM"),
    ("QEMU", "QEMU"),
    ("OpenStack", "KVM"),
    ("KubeVirt", "KVM"),
    ("Amazon EC2", "Amazon EC2"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("DigitalOcean", "DigitalOcean"),
    ("VMware", "VMware"),
    ("VMW", "VMware"),
    ("innotek GmbH", "VirtualBox"),
    ("VirtualBox", "VirtualBox"),
    ("Virtual Machine", "Hyper-V"),
    ("Xen", "Xen"),
    ("HVM domU", "Xen"),
    ("Bochs", "Bochs"),
    ("Parallels", "Parallels"),
    ("Apple Virtualization", "Apple Virtualization"),
];

impl VirtualMachine {
    pub(crate) fn read(tree: Tree<'_>, cpuinfo: Option<&str>) -> VirtualMachine {
        let named: Vec<String> = ["product_name", "sys_vendor"]
            .into_iter()
            .filter_map(|name| tree.line(&format!("sys/class/dmi/id/{name}")))
            .collect();
        let by_name = named.iter().find_map(|name| {
            let known = BY_NAME.iter().find(|(start, _)| name.starts_with(start));
            known.map(|(_, hypervisor)| (*hypervisor).to_string())
        });
        let xen = tree.word("sys/hypervisor/type").map(|kind| capitalised(&kind));
        let device_tree = tree
            .line("proc/device-tree/hypervisor/compatible")
            .map(|kind| if kind.contains("kvm") { "KVM".to_string() } else { kind });
        let qemu_board = tree
            .line("proc/device-tree/compatible")
            .filter(|board| board.starts_with("linux,dummy-virt"))
            .map(|_| "QEMU".to_string());
        // Clocks that only these hypervisors offer.
        let clock = tree.text("sys/devices/system/clocksource/clocksource0/available_clocksource");
        let by_clock = clock.and_then(|clocks| {
            let known = [("kvm-clock", "KVM"), ("hyperv_clocksource", "Hyper-V")];
            known.iter().find(|(name, _)| clocks.contains(name)).map(|(_, who)| (*who).to_string())
        });
        let hypervisor = xen.or(device_tree).or(by_name).or(qemu_board).or(by_clock);

        // x86 has a flag for it, which beats the names: Amazon's real machines bear its name too.
        let flags = cpuinfo.and_then(|text| values(text, "flags").next());
        let flag = flags.map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
        let is_metal = named.iter().any(|name| name.contains(".metal"));
        match (flag, hypervisor) {
            (Some(true), hypervisor) => VirtualMachine::Yes { hypervisor },
            (Some(false), _) => VirtualMachine::NoSign,
            (None, Some(_)) if is_metal => VirtualMachine::NoSign,
            (None, Some(hypervisor)) => VirtualMachine::Yes { hypervisor: Some(hypervisor) },
            (None, None) if !named.is_empty() || tree.exists("proc/device-tree/model") => {
                VirtualMachine::NoSign
            }
            (None, None) => VirtualMachine::Unknown,
        }
    }

    /// Whether it is known to be one.
    #[must_use]
    pub fn is_known(&self) -> bool {
        matches!(self, VirtualMachine::Yes { .. })
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::VirtualMachine;
        const WHY: &str = "other guests share CPUs, caches and memory, so times spread and drift \
                           more than on bare metal";
        match self {
            VirtualMachine::Yes { hypervisor } => Finding::new(
                topic,
                Level::Note,
                match hypervisor {
                    Some(name) => format!("this is a virtual machine ({name})"),
                    None => "this is a virtual machine".to_string(),
                },
                WHY,
            )
            .remedy(
                "compare with `fathom compare`, which cancels drift; measure absolute times on \
                 bare metal",
            ),
            VirtualMachine::NoSign => Finding::new(
                topic,
                Level::Good,
                "there is no sign of a virtual machine",
                "no hypervisor takes CPU time",
            ),
            VirtualMachine::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether this is a virtual machine",
                WHY,
            ),
        }
    }
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}
