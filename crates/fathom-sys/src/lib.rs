//! The only crate of Fathom (besides the warping kernels) with unsafe code: spawning commands and
//! accounting for them ([`spawner`]), finding them ([`resolve`]), [`counters`], pinning
//! ([`affinity`]), [`signals`], the [`clock`], [`allocation`] counts, [`standard_streams`] kept for
//! a protocol, [`file_lock`], and what the [`host`] says of itself.

pub mod affinity;
pub mod allocation;
pub mod clock;
pub mod counters;
pub mod cpu_time;
pub mod file_lock;
pub mod host;
mod perf_event;
pub mod resolve;
pub mod seed;
pub mod signals;
pub mod spawner;
pub mod standard_streams;
pub mod terminal;
