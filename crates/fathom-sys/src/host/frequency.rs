//! Clock speeds: now, the limit that is set, and what the hardware can.

use super::cpu_list;
use super::tree::Tree;
use super::turbo::Turbo;
use fathom_record::finding::{Finding, Level, Topic};

/// Clock speeds of the CPUs that report them, and thermal throttling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFrequency {
    /// In the order of the CPUs.
    pub cpus: Vec<CpuFrequency>,
    /// How often a CPU was slowed down by heat since the machine started, the worst of all CPUs;
    /// only Intel's are counted by the kernel.
    pub heat_events: Option<u64>,
}

/// One CPU's speeds, in kHz.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuFrequency {
    /// The CPU's number.
    pub cpu: u32,
    /// Now. An idle CPU may be slow or show an old value.
    pub now: Option<u64>,
    /// The limit that is set.
    pub limit: Option<u64>,
    /// What the hardware can.
    pub max: Option<u64>,
}

impl HostFrequency {
    pub(crate) fn read(tree: Tree<'_>) -> HostFrequency {
        let of = |cpu: u32| {
            let file = |name: &str| {
                let path = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/{name}");
                tree.number(&path).filter(|&khz: &u64| khz > 0)
            };
            let (now, limit, max) =
                (file("scaling_cur_freq"), file("scaling_max_freq"), file("cpuinfo_max_freq"));
            let any = now.or(limit).or(max).is_some();
            any.then_some(CpuFrequency { cpu, now, limit, max })
        };
        let cpus = tree.cpus();
        let heat = cpus.iter().flat_map(|cpu| {
            ["core", "package"].map(|what| {
                tree.number(&format!(
                    "sys/devices/system/cpu/cpu{cpu}/thermal_throttle/{what}_throttle_count"
                ))
            })
        });
        HostFrequency {
            heat_events: heat.flatten().max(),
            cpus: cpus.into_iter().filter_map(of).collect(),
        }
    }

    /// `is_performance`: the governor asks for the full speed of every CPU.
    pub(crate) fn finding(&self, turbo: Turbo, is_performance: bool) -> Finding {
        let topic = Topic::Frequency;
        let limit = self.cpus.iter().filter_map(|cpu| cpu.limit.or(cpu.max)).max();
        let Some(limit) = limit else {
            let says = "Fathom cannot read the clock speeds";
            let why = "a throttled CPU would look like a slow program";
            return Finding::new(topic, Level::Unknown, says, why);
        };
        if let Some(finding) = self.capped(turbo) {
            return finding;
        }
        // The CPU that reads these files is busy with it, so at least one should be fast.
        let now = self.cpus.iter().filter_map(|cpu| cpu.now).max();
        if let (true, Some(now)) = (is_performance, now)
            && !matches!(turbo, Turbo::Off(_))
            && now < limit / 5 * 3
        {
            let says = format!(
                "no CPU is faster than {} now, although {} are requested",
                speed(now),
                speed(limit)
            );
            let why = "heat or a power limit holds the clock down, so times drift";
            let remedy = "let the machine cool down; `sudo turbostat` shows what limits it";
            return Finding::new(topic, Level::Note, says, why).remedy(remedy);
        }
        let says = format!("the clock can go up to {}", speed(limit));
        Finding::new(topic, Level::Good, says, "no limit below the hardware's is set")
    }

    fn capped(&self, turbo: Turbo) -> Option<Finding> {
        // With turbo off some drivers still name the turbo speed as what the hardware can.
        if matches!(turbo, Turbo::Off(_)) {
            return None;
        }
        let is_capped = |&(_, limit, max): &(u32, u64, u64)| limit < max - max / 50;
        let known = self.cpus.iter().filter_map(|cpu| Some((cpu.cpu, cpu.limit?, cpu.max?)));
        let capped: Vec<(u32, u64, u64)> = known.filter(is_capped).collect();
        let &(first, limit, max) = capped.first()?;
        let says = if capped.len() == 1 {
            format!("CPU {first} is limited to {} of {}", speed(limit), speed(max))
        } else {
            let count = capped.len();
            format!("{count} CPUs are limited, CPU {first} to {} of {}", speed(limit), speed(max))
        };
        let cpus: Vec<u32> = capped.iter().map(|(cpu, _, _)| *cpu).collect();
        let cpus = cpu_list::written(&cpus);
        // The kernel lowers this to what each CPU can.
        let highest = capped.iter().map(|(_, _, max)| *max).max().unwrap_or(max);
        let undo = if capped.iter().all(|(_, other, _)| *other == limit) {
            format!("undo with `sudo cpupower -c {cpus} frequency-set -u {limit}`")
        } else {
            "a reboot undoes it".to_string()
        };
        let finding = Finding::new(
            Topic::Frequency,
            Level::Note,
            says,
            "times are valid only for that limit",
        );
        Some(
            finding.remedy(format!("`sudo cpupower -c {cpus} frequency-set -u {highest}`; {undo}")),
        )
    }

    pub(crate) fn heat_finding(&self) -> Finding {
        let topic = Topic::Heat;
        match self.heat_events {
            None => Finding::new(
                topic,
                Level::Unknown,
                "this machine does not count thermal throttling",
                "a hot CPU slows down, so times drift",
            ),
            Some(0) => Finding::new(
                topic,
                Level::Good,
                "no CPU has been throttled by heat since the machine started",
                "a hot CPU slows down, so times drift",
            ),
            Some(count) => Finding::new(
                topic,
                Level::Note,
                format!("CPUs have been throttled by heat {count} times since the machine started"),
                "it can happen again in a long session, so times drift",
            )
            .remedy("cool the machine, or switch turbo off (see \"turbo\")"),
        }
    }
}

/// "4.6 GHz".
pub(crate) fn speed(khz: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "for show")]
    let khz = khz as f64;
    if khz < 1e6 { format!("{:.0} MHz", khz / 1e3) } else { format!("{:.1} GHz", khz / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::turbo::Switch;

    fn frequency(now: u64, limit: u64, max: u64) -> HostFrequency {
        let cpu = CpuFrequency { cpu: 3, now: Some(now), limit: Some(limit), max: Some(max) };
        HostFrequency { cpus: vec![cpu], heat_events: None }
    }

    #[test]
    fn a_limit_is_named_unless_turbo_is_off() {
        let capped = frequency(2_000_000, 2_000_000, 4_600_000);
        let finding = capped.finding(Turbo::Unknown, false);
        assert_eq!(finding.level, Level::Note);
        assert_eq!(finding.says, "CPU 3 is limited to 2.0 GHz of 4.6 GHz");
        assert!(finding.remedy.unwrap().contains("cpupower -c 3 frequency-set -u 4600000`"));
        assert_eq!(capped.finding(Turbo::Off(Switch::Boost), false).level, Level::Good);
    }

    #[test]
    fn a_slow_clock_matters_only_where_full_speed_is_asked_for() {
        let slow = frequency(800_000, 4_600_000, 4_600_000);
        assert_eq!(slow.finding(Turbo::Unknown, false).level, Level::Good);
        let finding = slow.finding(Turbo::Unknown, true);
        assert_eq!(finding.level, Level::Note);
        assert_eq!(
            finding.says,
            "no CPU is faster than 800 MHz now, although 4.6 GHz are requested"
        );
        let fast = frequency(4_100_000, 4_600_000, 4_600_000);
        assert_eq!(fast.finding(Turbo::Unknown, true).level, Level::Good);
    }
}
