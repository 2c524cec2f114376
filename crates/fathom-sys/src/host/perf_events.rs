//! Access to counters of the processor and the kernel.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// How strict the kernel is about counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerfEvents {
    /// From -1, everything for everyone, to 2, own programs without the kernel's part; some
    /// distributions have 3 and 4, nothing without privileges. `None` if the kernel cannot count.
    pub paranoid: Option<i32>,
}

/// A counter that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// "instructions".
    pub name: String,
    /// Whether it can be read.
    pub access: Access,
}

/// Whether a counter can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Yes.
    Works,
    /// The kernel has it, but not for this user.
    Denied,
    /// There is none.
    Missing,
}

impl PerfEvents {
    pub(crate) fn read(tree: Tree<'_>) -> PerfEvents {
        let paranoid = tree.number("proc/sys/kernel/perf_event_paranoid");
        PerfEvents { paranoid: paranoid.filter(|level| (-1..=10).contains(level)) }
    }

    /// `counters` are those the caller tried; `None` if none were.
    pub(crate) fn finding(
        self,
        counters: Option<&[Counter]>,
        in_virtual_machine: bool,
        in_locked_container: bool,
    ) -> Finding {
        let topic = Topic::PerfEvents;
        const WHY: &str = "instruction counts hardly vary between runs and show what times \
                           cannot; measuring times works without them";
        let Some(counters) = counters.filter(|counters| !counters.is_empty()) else {
            let says = match self.paranoid {
                Some(level) => {
                    format!("counters were not tested (perf_event_paranoid is {level})")
                }
                None => "counters were not tested".to_string(),
            };
            return Finding::new(topic, Level::Unknown, says, WHY);
        };
        let without = |access: Access| counters.iter().any(|counter| counter.access == access);
        let failing: Vec<&str> = counters
            .iter()
            .filter(|counter| counter.access != Access::Works)
            .map(|counter| counter.name.as_str())
            .collect();
        if failing.is_empty() {
            return Finding::new(topic, Level::Good, "counters work", WHY);
        }
        let says = if failing.len() == counters.len() {
            "counters do not work".to_string()
        } else {
            format!("these counters do not work: {}", failing.join(", "))
        };
        let finding = Finding::new(topic, Level::Note, says, WHY);
        // What is denied may be missing as well, which shows once it is no longer denied.
        if without(Access::Denied) {
            return match self.paranoid {
                // From 2 on the kernel's part may not be counted, which some counters are.
                Some(level) if level > 1 => {
                    let place = if in_locked_container { "outside the container: " } else { "" };
                    finding.remedy(format!(
                        "{place}`sudo sysctl kernel.perf_event_paranoid=1`; undo with `sudo sysctl \
                         kernel.perf_event_paranoid={level}`"
                    ))
                }
                _ => finding.remedy(
                    "start the container with `--cap-add PERFMON`, and with a seccomp profile that \
                     allows perf_event_open",
                ),
            };
        }
        if self.paranoid.is_none() {
            return finding.remedy("use a kernel with CONFIG_PERF_EVENTS");
        }
        if in_virtual_machine {
            return finding.remedy(
                "have the hypervisor pass counters to the guest: QEMU does with `-cpu \
                 host,pmu=on`, cloud providers do on bare-metal instances",
            );
        }
        finding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(paranoid: Option<i32>, access: &[Access]) -> Finding {
        let counter =
            |(number, &access): (usize, &Access)| Counter { name: format!("c{number}"), access };
        let counters: Vec<Counter> = access.iter().enumerate().map(counter).collect();
        PerfEvents { paranoid }.finding(Some(&counters), true, false)
    }

    #[test]
    fn the_remedy_is_for_the_cause() {
        use Access::{Denied, Missing, Works};
        assert_eq!(judged(Some(2), &[Works, Works]).level, Level::Good);
        let strict = judged(Some(4), &[Denied, Missing]);
        assert_eq!((strict.level, strict.says.as_str()), (Level::Note, "counters do not work"));
        let remedy = strict.remedy.unwrap();
        assert!(remedy.contains("paranoid=1`; undo with") && remedy.ends_with("paranoid=4`"));
        let part = judged(Some(2), &[Works, Denied]).remedy.unwrap();
        assert!(part.starts_with("`sudo sysctl kernel.perf_event_paranoid=1`"), "{part}");
        let guest = judged(Some(2), &[Works, Missing]);
        assert_eq!(guest.says, "these counters do not work: c1");
        assert!(guest.remedy.unwrap().contains("pmu=on"));
        assert!(judged(Some(1), &[Denied]).remedy.unwrap().contains("--cap-add PERFMON"));
        assert!(judged(None, &[Missing]).remedy.unwrap().contains("CONFIG_PERF_EVENTS"));
        assert_eq!(judged(Some(2), &[]).level, Level::Unknown);
    }
}
