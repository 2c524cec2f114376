//! How functions grow with the size of their input: a line and a sentence for each.

use fathom_analyze::{Growth, Subject};
use fathom_render::View;
use fathom_render::growth::{left_out, notes, plot, sentence};
use fathom_render::layout::{FAINT, STRONG, push_wrapped};

/// The growth of all functions among these.
pub(crate) fn lines(subjects: &[&Subject], view: &View, width: usize) -> String {
    let mut text = String::new();
    for growth in Growth::of_all(subjects.iter().copied()) {
        if !growth.is_line() && !view.is_verbose() {
            continue;
        }
        if !view.is_quiet() && growth.found.is_ok() {
            for line in plot(&growth, width) {
                text.push_str(&format!("{line}\n"));
            }
        }
        let style = if growth.found.is_ok() { STRONG } else { FAINT };
        push_wrapped(&mut text, &sentence(&growth), "  ", style, width);
        let remarks = match (view.is_verbose(), view.is_quiet()) {
            (true, _) => notes(&growth),
            // A law may be one because of it.
            (_, false) => left_out(&growth).into_iter().collect(),
            (_, true) => Vec::new(),
        };
        for remark in remarks {
            push_wrapped(&mut text, &remark, "  ", FAINT, width);
        }
    }
    text
}
