//! Rows of cells in columns, below a head.

use crate::layout::{FAINT, Side, columns, padded, styled};
use std::fmt::Write as _;

/// How wide the lines are.
pub(super) fn width<R: AsRef<[String]>>(rows: &[R]) -> usize {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    (0..count).map(|column| 2 + column_width(rows, column)).sum()
}

/// How wide a column is.
pub(super) fn column_width<R: AsRef<[String]>>(rows: &[R], column: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
    cells.map(|cell| columns(cell)).max().unwrap_or(0)
}

/// Appends the rows, of which the first is the head.
pub(super) fn push<R: AsRef<[String]>>(
    text: &mut String,
    rows: &[R],
    side: impl Fn(usize) -> Side,
) {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..count).map(|column| column_width(rows, column)).collect();
    for (place, row) in rows.iter().enumerate() {
        let cells = row.as_ref().iter().zip(&widths).enumerate();
        let cells: Vec<String> =
            cells.map(|(column, (cell, &width))| padded(cell, width, side(column))).collect();
        let line = format!("  {}", cells.join("  "));
        let line = line.trim_end();
        let _ = match place {
            0 => writeln!(text, "{}", styled(line, FAINT)),
            _ => writeln!(text, "{line}"),
        };
    }
}
