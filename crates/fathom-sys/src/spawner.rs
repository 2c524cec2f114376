//! Runs commands one at a time and accounts for each exactly.
//!
//! A child's `ru_maxrss` includes the peak of the memory it was forked or vforked from: at exec the
//! kernel folds the old high-water mark into the process's own. So commands are not started by
//! Fathom itself, which may hold a lot, but by a small server process, which it asks:
//!
//! ```text
//! Fathom ── order, streams ──► server ── fork ──► child ── exec ──► the command
//!        ◄── what it cost ────        ◄── waitid ──────────────────
//! ```
//!
//! The server is this same program, executed again: its `main` must call [`serve_if_asked`] before
//! anything else.

mod capture;
mod child;
mod client;
mod error;
mod execution;
#[cfg(any(test, fuzzing))]
mod fuzzing;
mod order;
mod orphans;
mod server;
mod socket;
mod streams;
mod wire;

pub use capture::{OUTPUT_LIMIT, TAIL_LIMIT};
pub use client::Spawner;
pub use error::{ExecuteError, SpawnStep, SpawnerError, StartError};
pub use execution::{Finished, Wait};
#[cfg(any(test, fuzzing))]
pub(crate) use fuzzing::check as check_packets;
pub use order::{Order, StandardInput, Stream};
pub use server::serve_if_asked;
