//! The rows of time that metrics are put on.

use std::ops::Range;

/// Rows of time without gaps between them, in the order of time: row n is from edge n to edge n + 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    edges: Vec<i64>,
}

impl Grid {
    /// Of its edges, in nanoseconds after the run's origin. `None` unless there are at least two and
    /// they increase.
    #[must_use]
    pub fn new(edges: Vec<i64>) -> Option<Grid> {
        let increases = edges.windows(2).all(|pair| pair.first() < pair.last());
        (edges.len() > 1 && increases).then_some(Grid { edges })
    }

    /// The edges, one more than there are rows.
    #[must_use]
    pub fn edges(&self) -> &[i64] {
        &self.edges
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.edges.len() - 1
    }

    /// When a row starts and when it ends; `None` if there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<(i64, i64)> {
        Some((*self.edges.get(row)?, *self.edges.get(row + 1)?))
    }

    /// The middle of a row, in seconds; 0 if there is no such row.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "times are far below 2^53 ns")]
    pub fn middle(&self, row: usize) -> f64 {
        self.row(row).map_or(0.0, |(start, end)| (start as f64 + end as f64) * 0.5e-9)
    }

    /// The rows that end within a span of time, both ends included: a row's value is known at its
    /// end. Empty if there is none.
    #[must_use]
    pub fn rows_within(&self, start_ns: i64, end_ns: i64) -> Range<usize> {
        let ends = self.edges.get(1..).unwrap_or_default();
        let first = ends.partition_point(|&end| end < start_ns);
        let past = ends.partition_point(|&end| end <= end_ns);
        first..past.max(first)
    }

    /// From the start of the first of these rows to the end of the last one; `None` without rows.
    #[must_use]
    pub fn span(&self, rows: &Range<usize>) -> Option<(i64, i64)> {
        let last = rows.end.checked_sub(1).filter(|last| *last >= rows.start)?;
        Some((self.row(rows.start)?.0, self.row(last)?.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_ends() {
        assert_eq!(Grid::new(vec![0]), None);
        assert_eq!(Grid::new(vec![0, 2, 2]), None);
        let grid = Grid::new(vec![0, 10, 20, 30]).unwrap();
        assert_eq!(grid.rows(), 3);
        assert_eq!(grid.rows_within(10, 20), 0..2);
        assert_eq!(grid.rows_within(11, 19), 1..1);
        assert_eq!(grid.rows_within(11, 100), 1..3);
        assert_eq!(grid.rows_within(31, 100), 3..3);
        assert_eq!(grid.rows_within(20, 10), 1..1);
        assert_eq!(grid.span(&(1..3)), Some((10, 30)));
        assert_eq!(grid.span(&(1..1)), None);
        assert_eq!(grid.row(3), None);
        assert!((grid.middle(1) - 15e-9).abs() < 1e-20);
    }
}
