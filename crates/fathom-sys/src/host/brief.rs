//! The few facts that most often spoil a measurement.

use super::tree::Tree;
use super::{CpuQuota, Governor, Load, Power, Processor};
use std::path::Path;

/// What is worth a look before every measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// The processor.
    pub processor: Processor,
    /// What decides the clock speed.
    pub governor: Governor,
    /// How much else runs.
    pub load: Option<Load>,
    /// Battery or mains.
    pub power: Power,
    /// A limit on CPU time.
    pub cpu_quota: CpuQuota,
}

impl Brief {
    /// Reads it below a root folder, "/" on a real machine.
    #[must_use]
    pub fn read(root: &Path) -> Brief {
        let tree = Tree::new(root);
        Brief {
            processor: Processor::read(tree, tree.text("proc/cpuinfo").as_deref()),
            governor: Governor::read(tree),
            load: Load::read(tree),
            power: Power::read(tree),
            cpu_quota: CpuQuota::read(tree),
        }
    }
}
