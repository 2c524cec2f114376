//! The vocabulary that every room of Fathom shares: what was measured ([`Series`]), in what
//! ([`Unit`]), where ([`Environment`]), and Fathom's own JSON ([`own_json`]).
//!
//! Everything depends on this crate, so it stays light and holds no statistics.

mod environment;
pub mod own_json;
mod series;
mod unit;

pub use environment::Environment;
pub use series::{Series, SeriesError};
pub use unit::{TimeUnit, Unit};
