//! The only crate of Fathom (besides the warping kernels) with unsafe code: spawning commands and
//! accounting for them ([`spawner`]), finding them ([`resolve`]), [`counters`], pinning
//! ([`affinity`]), [`signals`], the [`clock`], and what the [`host`] says of itself.

pub mod affinity;
pub mod clock;
pub mod counters;
pub mod host;
mod perf_event;
pub mod resolve;
pub mod signals;
pub mod spawner;
