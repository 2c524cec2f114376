//! CPUs that the scheduler leaves alone.

use super::cpu_list;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// CPUs set aside when the kernel was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolation {
    /// Those that only pinned programs use.
    pub isolated: Option<Vec<u32>>,
    /// Those without a timer tick while one program runs.
    pub tickless: Option<Vec<u32>>,
}

impl Isolation {
    pub(crate) fn read(tree: Tree<'_>) -> Isolation {
        let list =
            |name: &str| cpu_list::parse(&tree.text(&format!("sys/devices/system/cpu/{name}"))?);
        Isolation { isolated: list("isolated"), tickless: list("nohz_full") }
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::Isolation;
        let Some(isolated) = &self.isolated else {
            return Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether CPUs are isolated",
                "nothing else interrupts a program on an isolated CPU",
            );
        };
        let Some(first) = isolated.first() else {
            return Finding::new(
                topic,
                Level::Good,
                "no CPU is isolated, as on most machines",
                "a pinned run may still share its CPU with other programs, which costs little on \
                 a quiet machine",
            );
        };
        let tickless = self.tickless.as_ref().is_some_and(|cpus| cpus.contains(first));
        let tick = if tickless { " and without a timer tick" } else { "" };
        let many = if isolated.len() == 1 { "CPU" } else { "CPUs" };
        let verb = if isolated.len() == 1 { "is" } else { "are" };
        Finding::new(
            topic,
            Level::Note,
            format!("{many} {} {verb} isolated{tick}", cpu_list::written(isolated)),
            "only programs pinned to them run there, without interruptions",
        )
        .remedy(format!("measure there with `--cpu {first}`"))
    }
}
