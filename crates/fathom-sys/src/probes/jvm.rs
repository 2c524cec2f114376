//! Counters that HotSpot, the virtual machine of OpenJDK, keeps of itself.
//!
//! It shares them in a file, `/tmp/hsperfdata_USER/PID`, unless it was started with
//! `-XX:-UsePerfData` or `-XX:+PerfDisableSharedMem`. Every number in it that changes is a metric
//! under HotSpot's own name, such as `jvm.sun.gc.collector.0.invocations`. If the program has
//! several such machines, those of the second found are called `jvm.2.sun.gc...`, and so on; a
//! machine that ends keeps its number.
//!
//! HotSpot writes most of them as things happen, but some, such as the use of the spaces of the
//! heap, only at collections and every 50 ms (`-XX:PerfDataSamplingInterval`).

#[cfg(any(test, fuzzing))]
mod fuzzing;
mod hsperfdata;
mod machine;
mod probe;
mod search;

#[cfg(test)]
mod made_up;

#[cfg(any(test, fuzzing))]
pub(crate) use fuzzing::check as check_file;
pub(super) use probe::jvm;
