//! What decides the clock speed, and how.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

const CPUS: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

/// The governors of the CPUs that have one; most virtual machines have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Governor {
    /// In the order of the CPUs.
    pub cpus: Vec<CpuGovernor>,
}

/// One CPU's governor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuGovernor {
    /// The CPU's number.
    pub cpu: u32,
    /// "performance", "schedutil".
    pub name: String,
    /// "intel_pstate", "acpi-cpufreq".
    pub driver: Option<String>,
    /// "balance_performance": the hint for hardware that sets its own speed.
    pub preference: Option<String>,
}

/// What a governor does with the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// As fast as allowed.
    Fastest,
    /// Follows the load.
    Follows,
    /// As slow as allowed.
    Lowest,
    /// Stays where it was put.
    Fixed,
    /// A name we do not know.
    Unheard,
}

impl CpuGovernor {
    fn behaviour(&self) -> Behaviour {
        match self.name.as_str() {
            "performance" => Behaviour::Fastest,
            "schedutil" | "ondemand" | "conservative" | "interactive" => Behaviour::Follows,
            // The name means two things: drivers that leave the choice to the hardware follow the
            // load under it, the others stay at the lowest speed.
            "powersave" => match self.driver.as_deref() {
                None | Some("intel_pstate" | "amd-pstate-epp") => Behaviour::Follows,
                Some(_) => Behaviour::Lowest,
            },
            "userspace" => Behaviour::Fixed,
            _ => Behaviour::Unheard,
        }
    }
}

impl Governor {
    pub(crate) fn read(tree: Tree<'_>) -> Governor {
        let of = |cpu: u32| {
            let file =
                |name: &str| tree.word(&format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/{name}"));
            Some(CpuGovernor {
                cpu,
                name: file("scaling_governor")?,
                driver: file("scaling_driver"),
                preference: file("energy_performance_preference"),
            })
        };
        Governor { cpus: tree.cpus().into_iter().filter_map(of).collect() }
    }

    /// Whether every CPU is known to run as fast as it may.
    #[must_use]
    pub fn is_performance(&self) -> bool {
        !self.cpus.is_empty() && self.cpus.iter().all(|cpu| cpu.behaviour() == Behaviour::Fastest)
    }

    /// The commonest governor that is not "performance", and on how many CPUs it is.
    fn commonest_other(&self) -> Option<(&CpuGovernor, usize)> {
        let others = self.cpus.iter().filter(|cpu| cpu.behaviour() != Behaviour::Fastest);
        let counted = others
            .map(|cpu| (cpu, self.cpus.iter().filter(|other| other.name == cpu.name).count()));
        // The first of several equally common ones.
        counted.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// What is wrong with the governor, if the clock is not held.
    pub(crate) fn complaint(&self) -> Option<String> {
        let (cpu, count) = self.commonest_other()?;
        let wanders = matches!(cpu.behaviour(), Behaviour::Follows | Behaviour::Lowest);
        wanders.then(|| self.says(cpu, count))
    }

    fn says(&self, cpu: &CpuGovernor, count: usize) -> String {
        let whose = if count == self.cpus.len() {
            String::new()
        } else {
            format!(" on {count} of {} CPUs", self.cpus.len())
        };
        format!("the CPU governor is \"{}\"{whose}", cpu.name)
    }

    pub(crate) fn finding(&self, in_virtual_machine: bool) -> Finding {
        let topic = Topic::Governor;
        if self.cpus.is_empty() {
            let why = if in_virtual_machine {
                "the clock speed is set outside the virtual machine and may change unnoticed"
            } else {
                "the clock speed may change between runs unnoticed"
            };
            return Finding::new(topic, Level::Unknown, "Fathom cannot find a CPU governor", why);
        }
        let Some((cpu, count)) = self.commonest_other() else {
            let says = "the CPU governor is \"performance\"";
            let why = "the clock stays as high as heat and power allow";
            return Finding::new(topic, Level::Good, says, why);
        };
        let (level, why) = match cpu.behaviour() {
            Behaviour::Follows => (
                Level::Spoils,
                "the clock speed follows the load, so the first runs are slow and results depend \
                 on what ran before",
            ),
            Behaviour::Lowest => (
                Level::Note,
                "the clock stays at its lowest speed, so times are valid only for a slowed machine",
            ),
            Behaviour::Fixed => (
                Level::Note,
                "the clock stays at its set speed: good for comparing, but times are valid only \
                 for that speed",
            ),
            Behaviour::Unheard | Behaviour::Fastest => {
                (Level::Unknown, "Fathom does not know how this governor sets the clock")
            }
        };
        let mut says = self.says(cpu, count);
        if let (Behaviour::Follows, Some(preference)) = (cpu.behaviour(), &cpu.preference) {
            says += &format!(", with the preference \"{preference}\"");
        }
        let undo = if count == self.cpus.len() {
            format!("undo with `sudo cpupower frequency-set -g {}`", cpu.name)
        } else {
            "a reboot undoes it".to_string()
        };
        Finding::new(topic, level, says, why).remedy(format!(
            "`sudo cpupower frequency-set -g performance`, or without cpupower `echo performance \
             | sudo tee {CPUS}`; {undo}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn governor(cpus: &[(&str, &str)]) -> Governor {
        let of = |(cpu, (name, driver)): (u32, &(&str, &str))| CpuGovernor {
            cpu,
            name: (*name).to_string(),
            driver: Some((*driver).to_string()),
            preference: None,
        };
        Governor { cpus: (0..).zip(cpus).map(of).collect() }
    }

    #[test]
    fn powersave_means_two_things() {
        let level = |driver| governor(&[("powersave", driver)]).finding(false).level;
        assert_eq!(level("intel_pstate"), Level::Spoils);
        assert_eq!(level("amd-pstate-epp"), Level::Spoils);
        assert_eq!(level("acpi-cpufreq"), Level::Note);
        assert_eq!(level("intel_cpufreq"), Level::Note);
    }

    #[test]
    fn mixed_governors_are_counted() {
        let fast = ("performance", "acpi-cpufreq");
        let slow = ("ondemand", "acpi-cpufreq");
        let mixed = governor(&[fast, slow, slow, fast]);
        let finding = mixed.finding(false);
        assert_eq!(finding.says, "the CPU governor is \"ondemand\" on 2 of 4 CPUs");
        assert!(finding.remedy.unwrap().ends_with("; a reboot undoes it"));
        assert!(!mixed.is_performance());
        assert!(governor(&[fast, fast]).is_performance());
        assert!(!governor(&[]).is_performance());
    }

    #[test]
    fn a_fixed_or_unheard_governor_is_no_complaint() {
        assert_eq!(governor(&[("userspace", "acpi-cpufreq")]).complaint(), None);
        let unheard = governor(&[("sportscar", "x")]);
        assert_eq!((unheard.complaint(), unheard.finding(false).level), (None, Level::Unknown));
    }
}
