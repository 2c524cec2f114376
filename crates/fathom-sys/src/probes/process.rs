//! Probes of the program, from `/proc`: of all its processes together.

mod account;
mod io;
mod keyed;
mod process_source;
mod process_table;
mod schedstat;
mod smaps;
mod stat;
mod statm;
mod status;
mod table;
mod totals;

use super::Source;
use std::path::{Path, PathBuf};

/// The sources of this kind, in the order in which they are shown.
#[must_use]
pub(super) fn sources() -> Vec<Box<dyn Source>> {
    process_sources(Path::new("/proc"))
}

/// The sources of this kind on a made-up machine, whose `/proc` is at `proc`. Its processes are those
/// of [`ProcessTree::below`](super::ProcessTree::below).
#[must_use]
pub fn process_sources(proc: &Path) -> Vec<Box<dyn Source>> {
    let proc = || PathBuf::from(proc);
    vec![
        Box::new(stat::source(proc())),
        Box::new(statm::source(proc())),
        Box::new(status::source(proc())),
        Box::new(io::source(proc())),
        Box::new(schedstat::source(proc())),
        Box::new(smaps::source(proc())),
    ]
}
