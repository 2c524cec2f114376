//! Lines that are cut where others were.

use super::moments::Moments;
use crate::Grid;

/// How well lines fit whose ends were given.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Forced {
    /// The sum of squares about the lines.
    pub(crate) error: f64,
    /// The sum of squares about the mean.
    pub(crate) spread: f64,
    /// The height of the lines at each row.
    pub(crate) heights: Vec<f64>,
}

/// Fits a line to each stretch of rows that begins with one of `starts`, which increase. Values must
/// be of a size whose squares are numbers.
pub(crate) fn forced(grid: &Grid, rows: &[usize], values: &[f64], starts: &[usize]) -> Forced {
    let mut fit = Forced { heights: Vec::with_capacity(rows.len()), ..Forced::default() };
    let mut whole = Moments::default();
    let origin = rows.first().map_or(0.0, |&row| grid.middle(row));
    let time = |row: usize| grid.middle(row) - origin;
    let mut begin = 0;
    while begin < rows.len() {
        let first = rows.get(begin).copied().unwrap_or_default();
        let next = starts.get(starts.partition_point(|&start| start <= first));
        let end = next.map_or(rows.len(), |&next| rows.partition_point(|&row| row < next));
        let rows = rows.get(begin..end).unwrap_or_default();
        let values = values.get(begin..end).unwrap_or_default();
        let singles = rows.iter().zip(values).map(|(&row, &value)| Moments::of(time(row), value));
        let line = singles.fold(Moments::default(), Moments::and);
        fit.error += line.error();
        fit.heights.extend(rows.iter().map(|&row| line.at(time(row))));
        whole = whole.and(line);
        begin = end;
    }
    fit.spread = whole.spread();
    fit
}
