//! Fast and slow cores in one machine: performance and efficiency cores, big and little ones.

use super::cpu_list;
use super::frequency::HostFrequency;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// How fast the CPUs are relative to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strength {
    /// All alike.
    Equal,
    /// The numbers of the strongest CPUs, the others being clearly weaker.
    Unequal {
        /// Those to measure on.
        strongest: Vec<u32>,
        /// How many CPUs were compared.
        of: usize,
    },
    /// Nothing is known to compare by.
    Unknown,
}

impl Strength {
    pub(crate) fn read(tree: Tree<'_>, frequency: &HostFrequency) -> Strength {
        let capacity = |cpu: u32| {
            let value: u64 =
                tree.number(&format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"))?;
            (value > 0).then_some((cpu, value))
        };
        // The kernel's own measure, which knows of more than clock speeds, but not everywhere.
        let capacities: Vec<(u32, u64)> = tree.cpus().into_iter().filter_map(capacity).collect();
        let speeds: Vec<(u32, u64)> =
            frequency.cpus.iter().filter_map(|cpu| Some((cpu.cpu, cpu.max?))).collect();
        match Strength::of(&capacities) {
            unequal @ Strength::Unequal { .. } => unequal,
            Strength::Equal if speeds.is_empty() => Strength::Equal,
            Strength::Equal | Strength::Unknown => Strength::of(&speeds),
        }
    }

    /// Favoured cores of one kind differ by up to a tenth, kinds by a third and more.
    fn of(cpus: &[(u32, u64)]) -> Strength {
        let Some(best) = cpus.iter().map(|(_, value)| *value).max() else {
            return Strength::Unknown;
        };
        let is_strong = |value: u64| value >= best - best / 6;
        let strongest: Vec<u32> =
            cpus.iter().filter(|(_, value)| is_strong(*value)).map(|(cpu, _)| *cpu).collect();
        if strongest.len() == cpus.len() {
            Strength::Equal
        } else {
            Strength::Unequal { strongest, of: cpus.len() }
        }
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::UnequalCpus;
        match self {
            Strength::Equal => Finding::new(
                topic,
                Level::Good,
                "all CPUs are equally fast",
                "times do not depend on which core a run gets",
            ),
            Strength::Unequal { strongest, of } => {
                let says =
                    format!("only CPUs {} of {of} are fast cores", cpu_list::written(strongest));
                let why = "the time of a run depends on the core it gets, so results fall into \
                           two groups";
                let finding = Finding::new(topic, Level::Spoils, says, why);
                match strongest.last() {
                    // The first CPU of a machine has the most interrupts.
                    Some(cpu) => finding.remedy(format!("pin with `--cpu {cpu}`")),
                    None => finding,
                }
            }
            Strength::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether all CPUs are equally fast",
                "on machines with two kinds of cores, the time of a run depends on the core it \
                 gets",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_differ_and_favoured_cores_do_not() {
        let favoured = [(0, 4_700_000), (1, 4_600_000), (2, 4_200_000)];
        assert_eq!(Strength::of(&favoured), Strength::Equal);
        let kinds = [(0, 446), (1, 446), (2, 1024), (3, 1024)];
        let unequal = Strength::of(&kinds);
        assert_eq!(unequal, Strength::Unequal { strongest: vec![2, 3], of: 4 });
        let finding = unequal.finding();
        assert_eq!(finding.says, "only CPUs 2-3 of 4 are fast cores");
        assert_eq!(finding.remedy.as_deref(), Some("pin with `--cpu 3`"));
        assert_eq!(Strength::of(&[]), Strength::Unknown);
    }
}
