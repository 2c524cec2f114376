//! Requests at random, of every kind that a command line can ask: for tests of this and other crates.

mod analyze;
mod check;
mod compare;
mod explain;
mod measuring;
mod record;
mod run;
pub mod values;

pub use analyze::analyze_request;
pub use check::check_request;
pub use compare::compare_request;
pub use explain::{contrast_request, explain_request, suggest_request};
pub use record::record_request;
pub use run::run_request;
