//! Requests at random, of every kind that a command line can ask: for tests of this and other crates.

mod compare;
mod measuring;
mod run;
pub mod values;

pub use compare::compare_request;
pub use run::run_request;
