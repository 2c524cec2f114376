//! The only crate of Fathom (besides the warping kernels) with unsafe code: spawning commands and
//! accounting for them ([`spawner`]), finding them ([`resolve`]), [`counters`], pinning
//! ([`affinity`]), [`signals`], the [`clock`], [`allocation`] counts, [`standard_streams`] kept for
//! a protocol, [`file_lock`], words where memory ends ([`out_of_memory`]), the [`probes`] that traces are sampled with, and what the [`host`] says of itself.

pub mod affinity;
pub mod allocation;
pub mod clock;
#[cfg(any(feature = "commands", target_os = "linux"))]
pub mod counters;
pub mod cpu_time;
#[cfg(feature = "commands")]
pub mod file_lock;
#[cfg(all(feature = "commands", any(test, fuzzing)))]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(target_os = "linux")]
pub mod heap_offset;
pub mod host;
#[cfg(feature = "commands")]
pub mod out_of_memory;
#[cfg(target_os = "linux")]
pub mod own_instructions;
#[cfg(any(feature = "commands", target_os = "linux"))]
mod perf_event;
#[cfg(feature = "commands")]
pub mod pipes;
#[cfg(feature = "commands")]
pub mod probes;
pub mod resident;
#[cfg(feature = "commands")]
pub mod resolve;
#[cfg(feature = "commands")]
pub mod running_process;
pub mod seed;
pub mod signals;
#[cfg(feature = "commands")]
pub mod spawner;
pub mod standard_streams;
pub mod terminal;
pub mod valgrind;
