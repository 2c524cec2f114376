//! As a test: every function is called once, and nothing is measured.

use crate::Suite;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use fathom_render::layout::visible;

/// Calls every selected function once.
pub(crate) fn once(
    suite: &mut Suite<'_>,
    selection: &BenchFilters,
    terminal: &Terminal,
) -> std::io::Result<BenchOutcome> {
    let mut failures = Vec::new();
    let mut passed = 0;
    for entry in suite.entries.iter_mut().filter(|entry| selection.takes(entry)) {
        let broken = entry.functions.iter_mut().find_map(|function| {
            let broken = function.batch(1).err()?;
            Some(format!("{}: {broken}", visible(&function.name)))
        });
        terminal.print(&test_line(&visible(&entry.name), broken.is_none()))?;
        match broken {
            Some(broken) => failures.push(broken),
            None => passed += 1,
        }
    }
    for failure in &failures {
        terminal.error(failure);
    }
    terminal.print(&test_result(passed, failures.len()))?;
    Ok(if failures.is_empty() { BenchOutcome::Done } else { BenchOutcome::Panicked })
}

/// What is said of one function, in the words of Rust's own test harness.
pub(crate) fn test_line(name: &str, is_ok: bool) -> String {
    format!("test {name} ... {}\n", if is_ok { "ok" } else { "FAILED" })
}

/// What is said of all of them.
pub(crate) fn test_result(passed: usize, failed: usize) -> String {
    let said = if failed == 0 { "ok" } else { "FAILED" };
    format!(
        "\ntest result: {said}. {passed} called once, {failed} failed; run `cargo bench` to measure\n"
    )
}
