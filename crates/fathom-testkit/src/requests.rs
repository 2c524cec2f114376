//! Random requests, of which every one can be written as JSON and as a command line.

mod check;
mod values;

pub use check::check_request;
