//! As a test: every function is called once, and nothing is measured.

use crate::Suite;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use fathom_render::layout::visible;

/// Calls every selected function once.
pub(crate) fn once(
    mut suite: Suite<'_>,
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
        let said = if broken.is_some() { "FAILED" } else { "ok" };
        terminal.print(&format!("test {} ... {said}\n", visible(&entry.name)))?;
        match broken {
            Some(broken) => failures.push(broken),
            None => passed += 1,
        }
    }
    for failure in &failures {
        terminal.error(failure);
    }
    let said = if failures.is_empty() { "ok" } else { "FAILED" };
    terminal.print(&format!(
        "\ntest result: {said}. {passed} called once, {} failed; run `cargo bench` to measure\n",
        failures.len()
    ))?;
    Ok(if failures.is_empty() { BenchOutcome::Done } else { BenchOutcome::Panicked })
}
