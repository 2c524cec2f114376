//! `--list`, in the words of Rust's own test harness, which nextest reads.

use crate::Suite;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use fathom_render::layout::visible;

/// Lists what is selected: "NAME: benchmark".
pub(crate) fn list(
    suite: &Suite<'_>,
    selection: &BenchFilters,
    terminal: &Terminal,
) -> std::io::Result<BenchOutcome> {
    let taken = suite.entries.iter().filter(|entry| selection.takes(entry));
    let lines: String =
        taken.map(|entry| format!("{}: benchmark\n", visible(&entry.name))).collect();
    terminal.print(&lines)?;
    Ok(BenchOutcome::Done)
}
