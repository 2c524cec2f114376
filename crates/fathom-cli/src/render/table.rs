//! A table for programs and for people: CSV, Markdown, AsciiDoc, Org-mode.

use super::markup::{self, Side};
use crate::failure::Failure;

/// Rows, the first of which is the head.
pub(crate) struct Table {
    /// For programs: full precision, units in columns of their own.
    pub(super) records: Vec<Vec<String>>,
    /// For people: rounded numbers with their unit.
    pub(super) cells: Vec<Vec<String>>,
    /// Of the cells.
    pub(super) sides: &'static [Side],
}

impl Table {
    pub(crate) fn csv(&self) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for record in &self.records {
            writer
                .write_record(record)
                .map_err(|error| Failure::input(format!("no CSV: {error}")))?;
        }
        let bytes = writer.into_inner().map_err(|error| Failure::input(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn markdown(&self) -> String {
        markup::markdown(&self.cells, self.sides)
    }

    pub(crate) fn asciidoc(&self) -> String {
        markup::asciidoc(&self.cells, self.sides)
    }

    pub(crate) fn orgmode(&self) -> String {
        markup::orgmode(&self.cells)
    }
}
