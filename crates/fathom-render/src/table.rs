//! A table for programs and for people: CSV, Markdown, AsciiDoc, Org-mode, LaTeX.

use crate::csv::csv;
use crate::layout::Side;
use crate::markup;

/// Rows; the first is the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// For programs: full precision, units in columns of their own.
    pub records: Vec<Vec<String>>,
    /// For people: rounded numbers with their unit.
    pub cells: Vec<Vec<String>>,
    /// On which side the cells of each column stand.
    pub sides: &'static [Side],
    /// What people have to know to read the cells right; it goes below the table.
    pub notes: Vec<String>,
}

impl Table {
    /// A table whose records and cells have the same head, and no row yet.
    #[cfg(feature = "pages")]
    pub(crate) fn with_head(head: &[&str], sides: &'static [Side]) -> Table {
        let head: Vec<String> = head.iter().map(ToString::to_string).collect();
        Table { records: vec![head.clone()], cells: vec![head], sides, notes: Vec::new() }
    }

    /// The records, a line each.
    #[must_use]
    pub fn csv(&self) -> String {
        csv(&self.records)
    }

    /// The cells in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.with_notes(markup::markdown(&self.cells, self.sides), in_markdown)
    }

    /// The cells in AsciiDoc.
    #[must_use]
    pub fn asciidoc(&self) -> String {
        self.with_notes(markup::asciidoc(&self.cells, self.sides), str::to_string)
    }

    /// The cells in Org-mode.
    #[must_use]
    pub fn orgmode(&self) -> String {
        self.with_notes(markup::orgmode(&self.cells), str::to_string)
    }

    /// The cells as a `tabular` of LaTeX, which needs no package.
    #[must_use]
    pub fn latex(&self) -> String {
        let escaped = |note: &str| format!("\\par\\noindent {}", markup::for_latex(note));
        self.with_notes(markup::latex(&self.cells, self.sides), escaped)
    }

    fn with_notes(&self, table: String, escaped: impl Fn(&str) -> String) -> String {
        self.notes.iter().fold(table, |text, note| format!("{text}\n{}\n", escaped(note)))
    }
}

/// Names in notes are not marks.
fn in_markdown(note: &str) -> String {
    let mut text = String::new();
    for letter in note.chars() {
        if "\\`*_<>[]|".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}
