//! A `main` for tests whose own program is executed by what they test.
#![allow(clippy::print_stdout, reason = "the names of the cases are to be seen")]

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A name and what it tests.
pub type Case = (&'static str, fn());

/// Runs the cases whose name contains an argument, or all, and exits; knows enough of libtest's
/// command line for cargo and nextest.
pub fn run(cases: &[Case], arguments: &[String]) {
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            cases.iter().for_each(|(name, _)| println!("{name}: test"));
        }
        return;
    }
    let exact = arguments.iter().any(|argument| argument == "--exact");
    let filters: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| {
        filters.is_empty()
            || filters.iter().any(|f| if exact { name == *f } else { name.contains(f.as_str()) })
    };
    let mut failed = Vec::new();
    let mut passed = 0;
    for (name, case) in cases.iter().filter(|(name, _)| wanted(name)) {
        match catch_unwind(AssertUnwindSafe(case)) {
            Ok(()) => {
                println!("test {name} ... ok");
                passed += 1;
            }
            Err(_) => {
                println!("test {name} ... FAILED");
                failed.push(name);
            }
        }
    }
    println!("\n{passed} passed, {} failed {failed:?}", failed.len());
    std::process::exit(i32::from(!failed.is_empty()));
}
