//! What lines are fitted to.

use super::centred::{Centred, length};
use super::moments::Moments;
use crate::{Grid, Sequence};
use std::ops::Range;

/// The rows of a sequence that were seen, each at its middle.
///
/// Inside, time is in rows and values are centred and scaled, so that neither nanoseconds nor 1e300
/// bytes go beyond what numbers can hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    rows: Vec<usize>,
    seconds: Vec<f64>,
    /// In mean distances between points, from the first one on.
    times: Vec<f64>,
    values: Vec<f64>,
    centre: f64,
    unit: f64,
}

impl Points {
    /// Of some rows of a sequence; those that were not seen are left out.
    #[must_use]
    pub fn of(grid: &Grid, sequence: &Sequence, rows: Range<usize>) -> Points {
        let seen = rows.filter_map(|row| Some((row, sequence.get(row)?)));
        let (rows, values) = seen.unzip();
        Points::new(grid, rows, values)
    }

    /// Of rows in the order of time, and the value of each.
    pub(crate) fn new(grid: &Grid, rows: Vec<usize>, values: Vec<f64>) -> Points {
        let seconds: Vec<f64> = rows.iter().map(|&row| grid.middle(row)).collect();
        let first = seconds.first().copied().unwrap_or(0.0);
        let span = seconds.last().map_or(0.0, |last| last - first);
        let step = if span > 0.0 { span / (length(&rows) - 1.0) } else { 1.0 };
        let times = seconds.iter().map(|second| (second - first) / step).collect();
        let level = values.first().copied().unwrap_or(0.0);
        let still = Centred { values: vec![0.0; values.len()], centre: level, unit: 1.0 };
        let Centred { values, centre, unit } = Centred::new(values).unwrap_or(still);
        Points { rows, seconds, times, values, centre, unit }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Which rows of the grid they are.
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// When they are, in seconds.
    #[must_use]
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Each on its own.
    pub(super) fn singles(
        &self,
        stretch: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Moments> {
        let times = self.times.get(stretch.clone()).unwrap_or_default();
        let values = self.values.get(stretch).unwrap_or_default();
        times.iter().zip(values).map(|(&time, &value)| Moments::of(time, value))
    }

    /// A stretch of them.
    pub(super) fn moments(&self, stretch: Range<usize>) -> Moments {
        self.singles(stretch).fold(Moments::default(), Moments::and)
    }

    /// The height of a stretch's line at one of the points, in the sequence's own unit.
    pub(super) fn height(&self, line: &Moments, point: usize) -> f64 {
        let time = self.times.get(point).copied().unwrap_or(0.0);
        let height = self.centre + self.unit * line.at(time);
        height.clamp(f64::MIN, f64::MAX)
    }
}
