//! Tables in Markdown, padded so that they read well as text too; and the pages of the repository.

pub mod pages;

use std::fmt::Write;

/// A table under construction.
#[derive(Debug, Clone, Default)]
pub struct MarkdownTable {
    rows: Vec<Vec<String>>,
}

impl MarkdownTable {
    /// A table with this head.
    #[must_use]
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> MarkdownTable {
        MarkdownTable { rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as text, ending in a newline.
    #[must_use]
    pub fn render(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cell = |row: &Vec<String>| row.get(column).map_or(0, |text| text.chars().count());
            self.rows.iter().map(cell).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            text.push('|');
            for (column, width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let padding = " ".repeat(width - cell.chars().count());
                let _ = write!(text, " {cell}{padding} |");
            }
            text.push('\n');
            if number == 0 {
                text.push('|');
                for width in &widths {
                    let _ = write!(text, " {} |", "-".repeat(*width));
                }
                text.push('\n');
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_line_up() {
        let mut table = MarkdownTable::new(["n", "coverage"]);
        table.row(["1000", ".95"]);
        assert_eq!(
            table.render(),
            "| n    | coverage |\n| ---- | -------- |\n| 1000 | .95      |\n"
        );
    }
}
