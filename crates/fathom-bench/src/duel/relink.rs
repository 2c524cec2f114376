//! The same code, somewhere else in memory: an executable is linked again in another order.
//!
//! Where a function lies changes its speed, and an edit anywhere in the program moves it. So one
//! executable of each build says little about the code. A [`LinkRecipe`] holds what the linker of
//! one build was given, and links it as often as needed, each time in an order that a seed draws.
//! Nothing is compiled again.

mod arrangement;
mod cargo_bench;
mod cargo_words;
mod link_capture;
mod link_recipe;
#[cfg_attr(not(unix), path = "relink/os_bytes_elsewhere.rs")]
mod os_bytes;

pub(crate) use arrangement::Arrangement;
pub use cargo_bench::CargoBench;
pub(crate) use link_capture::LinkCapture;
pub(crate) use link_recipe::LinkRecipe;
