//! `--list`, in the words of Rust's own test harness, which nextest reads.

use crate::Suite;
use crate::outcome::Outcome;
use crate::selection::Selection;
use crate::terminal::Terminal;
use fathom_render::layout::visible;

/// Lists what is selected: "NAME: benchmark".
pub(crate) fn list(
    suite: &Suite<'_>,
    selection: &Selection,
    terminal: &Terminal,
) -> std::io::Result<Outcome> {
    let taken = suite.entries.iter().filter(|entry| selection.takes(entry));
    let lines: String =
        taken.map(|entry| format!("{}: benchmark\n", visible(&entry.name))).collect();
    terminal.print(&lines)?;
    Ok(Outcome::Done)
}
