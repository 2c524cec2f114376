//! Performance events: what the kernel and the processor count for a program.
//!
//! Events of one set are opened as a group, which is counted at the same times and read by one
//! call. The kernel follows what the program starts: a thread or process that begins after its
//! parent's events were opened is counted with it, also when it is gone.

mod chosen;
mod counting;
mod event_names;
mod event_table;
mod group;
mod hardware;
mod kernel;
mod open_files;
mod refusal;
mod software;
mod threads;

#[cfg(test)]
mod fake;

pub use chosen::{NAME as NAMED_EVENTS, event_source};
pub use event_names::EventNameError;

use super::Source;
use kernel::Linux;

/// The sources that this machine has, the kernel's own counters first.
pub(super) fn sources() -> Vec<Box<dyn Source>> {
    let mut sources = vec![software::software(Linux)];
    sources.extend(hardware::hardware(&Linux));
    sources
}
