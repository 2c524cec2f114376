//! Probes: where a trace's numbers come from.
//!
//! A [`Source`] is what the machine may offer; [`Source::open`] points it at a program and gives a
//! [`Probe`], which keeps its files open and is read again and again. Each is in its own file and
//! knows nothing about the others, nor about its reader.

mod digits;
mod jvm;
mod kept_open;
mod kernel_units;
mod perf;
mod probe;
mod process;
mod process_tree;
mod source;
mod system;

#[cfg(any(test, fuzzing))]
pub(crate) use jvm::check_file as check_hsperfdata;
pub use perf::{EventNameError, NAMED_EVENTS, event_source};
pub use probe::{Fault, Moment, Probe};
pub use process::process_sources;
pub use process_tree::{Member, ProcessTree};
pub use source::{Source, SourceFamily, Target, Trial, Unavailable, sources, trial};
pub use system::system_sources;
