//! The rows of time that metrics are put on.

use fathom_record::{Span, Timestamp};
use std::ops::Range;

/// Rows of time without gaps between them, in the order of time: row n is from edge n to edge n + 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    edges: Vec<Timestamp>,
}

impl Grid {
    /// Of its edges, counted from the run's origin. `None` unless there are at least two and
    /// they increase.
    #[must_use]
    pub fn new(edges: Vec<Timestamp>) -> Option<Grid> {
        let increases = edges.windows(2).all(|pair| pair.first() < pair.last());
        (edges.len() > 1 && increases).then_some(Grid { edges })
    }

    /// So many rows of one length from the origin on. `None` unless there are some and they last.
    #[must_use]
    pub fn even(rows: usize, length: Span) -> Option<Grid> {
        Grid::new((0..=rows as u64).map(|n| Timestamp::ZERO + length.times(n)).collect())
    }

    /// The edges, one more than there are rows.
    #[must_use]
    pub fn edges(&self) -> &[Timestamp] {
        &self.edges
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.edges.len() - 1
    }

    /// When a row starts and when it ends; `None` if there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<(Timestamp, Timestamp)> {
        Some((*self.edges.get(row)?, *self.edges.get(row + 1)?))
    }

    /// The middle of a row, in seconds; 0 if there is no such row.
    #[must_use]
    pub fn middle(&self, row: usize) -> f64 {
        let middle = |(start, end): (Timestamp, Timestamp)| {
            (start.nanoseconds_f64() + end.nanoseconds_f64()) * 0.5e-9
        };
        self.row(row).map_or(0.0, middle)
    }

    /// The rows that end within a range of time, both ends included: a row's value is known at its
    /// end. Empty if there is none.
    #[must_use]
    pub fn rows_within(&self, start: Timestamp, end: Timestamp) -> Range<usize> {
        let ends = self.edges.get(1..).unwrap_or_default();
        let first = ends.partition_point(|&edge| edge < start);
        let past = ends.partition_point(|&edge| edge <= end);
        first..past.max(first)
    }

    /// From the start of the first of these rows to the end of the last one; `None` without rows.
    #[must_use]
    pub fn span(&self, rows: &Range<usize>) -> Option<(Timestamp, Timestamp)> {
        let last = rows.end.checked_sub(1).filter(|last| *last >= rows.start)?;
        Some((self.row(rows.start)?.0, self.row(last)?.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_ends() {
        let at = Timestamp::from_nanoseconds;
        assert_eq!(Grid::new([0].map(at).into()), None);
        assert_eq!(Grid::new([0, 2, 2].map(at).into()), None);
        let grid = Grid::new([0, 10, 20, 30].map(at).into()).unwrap();
        assert_eq!(Grid::even(3, Span::from_nanoseconds(10)).unwrap(), grid);
        assert_eq!(Grid::even(0, Span::from_nanoseconds(10)), None);
        assert_eq!(Grid::even(3, Span::ZERO), None);
        assert_eq!(grid.rows(), 3);
        assert_eq!(grid.rows_within(at(10), at(20)), 0..2);
        assert_eq!(grid.rows_within(at(11), at(19)), 1..1);
        assert_eq!(grid.rows_within(at(11), at(100)), 1..3);
        assert_eq!(grid.rows_within(at(31), at(100)), 3..3);
        assert_eq!(grid.rows_within(at(20), at(10)), 1..1);
        assert_eq!(grid.span(&(1..3)), Some((at(10), at(30))));
        assert_eq!(grid.span(&(1..1)), None);
        assert_eq!(grid.row(3), None);
        assert!((grid.middle(1) - 15e-9).abs() < 1e-20);
    }
}
