//! Recordings of real programs with what this machine offers: whole ones, and those that end badly.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]

mod attached;
mod bench;
mod commands;
mod killed;

use fathom_sys::spawner::serve_if_asked;
use fathom_testkit::cases;

fn main() {
    serve_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, folder)) = arguments.split_first()
        && first == "__record"
    {
        killed::play(folder);
        return;
    }
    let all = [commands::CASES, attached::CASES, killed::CASES].concat();
    cases::run(&all, &arguments);
}
