//! Executions on this machine: what is read of them, how they fail, several at a time.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]

mod harness;
mod reading;
mod several;

use harness::Case;

fn main() {
    let cases: Vec<Case> = [reading::CASES, several::CASES].concat();
    harness::main(&cases, several::play);
}
