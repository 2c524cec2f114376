//! A table for programs and for people: CSV, Markdown, AsciiDoc, Org-mode.

use crate::csv::csv;
use crate::layout::Side;
use crate::markup;

/// Rows, the first of which is the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// For programs: full precision, units in columns of their own.
    pub records: Vec<Vec<String>>,
    /// For people: rounded numbers with their unit.
    pub cells: Vec<Vec<String>>,
    /// On which side the cells of each column stand.
    pub sides: &'static [Side],
}

impl Table {
    /// The records, a line each.
    #[must_use]
    pub fn csv(&self) -> String {
        csv(&self.records)
    }

    /// The cells in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        markup::markdown(&self.cells, self.sides)
    }

    /// The cells in AsciiDoc.
    #[must_use]
    pub fn asciidoc(&self) -> String {
        markup::asciidoc(&self.cells, self.sides)
    }

    /// The cells in Org-mode.
    #[must_use]
    pub fn orgmode(&self) -> String {
        markup::orgmode(&self.cells)
    }
}
