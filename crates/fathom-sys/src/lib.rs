//! The only crate of Fathom (besides the warping kernels) with unsafe code: spawning commands and
//! accounting for them ([`spawner`]), finding them ([`resolve`]), [`counters`], pinning
//! ([`affinity`]), [`signals`], the [`clock`], [`allocation`] counts, [`standard_streams`] kept for
//! a protocol, [`file_lock`], what the [`machine`] is called, files told by their [`content_hash`], words where memory ends ([`out_of_memory`]), the [`probes`] that traces are sampled with, and what the [`host`] says of itself.

// Benches are built on any system. Where it is not Linux, or with `--cfg fathom_portable`, modules that ask
// the kernel are missing, or another file of the same name in `reduced/` takes their place. This file and
// `clock.rs` are the only ones that choose.

#[cfg(all(feature = "commands", any(not(target_os = "linux"), fathom_portable)))]
compile_error!(
    "The program `fathom` runs on Linux only. Build it there. Benches that use fathom-bench work on this \
     system, in reduced mode; they do not need the program."
);

#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/affinity.rs")]
pub mod affinity;
pub mod allocation;
pub mod clock;
pub mod content_hash;
#[cfg(all(target_os = "linux", not(fathom_portable)))]
pub mod counters;
#[cfg_attr(not(unix), path = "reduced/cpu_time.rs")]
pub mod cpu_time;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod file_lock;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable), any(test, fuzzing)))]
#[doc(hidden)]
pub mod fuzzing;
#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/heap_offset.rs")]
pub mod heap_offset;
#[cfg(all(target_os = "linux", not(fathom_portable)))]
pub mod host;
pub mod machine;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod out_of_memory;
#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/own_instructions.rs")]
pub mod own_instructions;
#[cfg(all(target_os = "linux", not(fathom_portable)))]
mod perf_event;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod pipes;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod probes;
#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/resident.rs")]
pub mod resident;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod resolve;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod running_process;
pub mod seed;
#[cfg_attr(any(not(unix), fathom_portable), path = "reduced/signals.rs")]
pub mod signals;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod spawner;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod stalls;
#[cfg_attr(any(not(unix), fathom_portable), path = "reduced/standard_streams.rs")]
pub mod standard_streams;
#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/surroundings.rs")]
pub mod surroundings;
#[cfg_attr(any(not(unix), fathom_portable), path = "reduced/terminal.rs")]
pub mod terminal;
#[cfg(all(feature = "commands", target_os = "linux", not(fathom_portable)))]
pub mod time_zone;
pub mod valgrind;

/// Whether Fathom measures in reduced mode: on every system but Linux. `--cfg fathom_portable` in
/// RUSTFLAGS has the same effect on Linux, to test it there.
pub const IS_REDUCED: bool = cfg!(any(not(target_os = "linux"), fathom_portable));
