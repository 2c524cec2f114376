//! The only crate of Fathom (besides the warping kernels) with unsafe code: spawning commands and
//! accounting for them, pinning, perf events, signals, and what the host says of itself.

pub mod host;
