//! Probes of the whole machine, from `/proc` and `/sys`.

mod cgroup;
mod disks;
mod interrupts;
mod meminfo;
mod network;
mod pressure;
mod proc_table;
mod proc_tables;
mod row_keys;
mod snmp;
mod softirqs;
mod stat;
mod vmstat;

use super::Source;
use std::path::{Path, PathBuf};

/// The sources of this kind, in the order in which they are shown.
#[must_use]
pub(super) fn sources() -> Vec<Box<dyn Source>> {
    system_sources(Path::new("/"))
}

/// The sources of this kind on a made-up machine, whose files are below `root`.
#[must_use]
pub fn system_sources(root: &Path) -> Vec<Box<dyn Source>> {
    let root = || PathBuf::from(root);
    vec![
        Box::new(stat::Stat(root())),
        Box::new(vmstat::Vmstat(root())),
        Box::new(meminfo::Meminfo(root())),
        Box::new(softirqs::Softirqs(root())),
        Box::new(interrupts::Interrupts(root())),
        Box::new(pressure::Pressure(root())),
        Box::new(cgroup::Cgroup(root())),
        Box::new(network::Network(root())),
        Box::new(disks::Disks(root())),
    ]
}
