//! Whether two hardware threads share a core.

use super::cpu_list;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

const CONTROL: &str = "/sys/devices/system/cpu/smt/control";

/// Simultaneous multithreading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smt {
    /// Some CPUs share a core.
    On,
    /// Each CPU has a core of its own.
    Off,
    /// The host does not say.
    Unknown,
}

impl Smt {
    pub(crate) fn read(tree: Tree<'_>) -> Smt {
        let shares = |cpu: u32| {
            let path = format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            let siblings = cpu_list::parse(&tree.text(&path)?)?;
            (!siblings.is_empty()).then_some(siblings.len() > 1)
        };
        let by_siblings = || {
            let known: Vec<bool> = tree.cpus().into_iter().filter_map(shares).collect();
            (!known.is_empty()).then(|| known.contains(&true))
        };
        match tree.switch("sys/devices/system/cpu/smt/active").or_else(by_siblings) {
            Some(true) => Smt::On,
            Some(false) => Smt::Off,
            None => Smt::Unknown,
        }
    }

    pub(crate) fn finding(self, in_virtual_machine: bool) -> Finding {
        let topic = Topic::Smt;
        match self {
            Smt::On => Finding::new(
                topic,
                Level::Note,
                "SMT is on: CPUs share cores",
                "a program runs slower while another runs on the same core",
            )
            .remedy(format!(
                "pin with `--cpu N` and keep the other CPU of its core idle, or `echo off | sudo \
                 tee {CONTROL}`; undo with `echo on | sudo tee {CONTROL}`"
            )),
            // A guest sees the topology that it was told.
            Smt::Off if in_virtual_machine => Finding::new(
                topic,
                Level::Unknown,
                "this virtual machine shows no SMT",
                "its CPUs may still share cores with other guests",
            ),
            Smt::Off => Finding::new(
                topic,
                Level::Good,
                "SMT is off",
                "no other program shares a core with the measured one",
            ),
            Smt::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether CPUs share cores",
                "a program runs slower while another runs on the same core",
            ),
        }
    }
}
