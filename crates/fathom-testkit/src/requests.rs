//! Requests of every form, for tests: whatever can be asked on a command line, and nothing else.

pub mod analyze;
pub mod explain;
mod parts;
pub mod record;
