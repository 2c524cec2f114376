//! Requests at random, of every kind that a command line can ask: for tests of this and other crates.

mod check;
mod compare;
mod measuring;
mod run;
pub mod values;

pub use check::check_request;
pub use compare::compare_request;
pub use run::run_request;
