//! The lines that a sequence was cut into.

use super::Points;
use std::ops::Range;

/// Two ways to cut whose errors differ by no more than this share of the whole are equally good.
pub(super) const ROUNDING: f64 = 1e-12;

/// A stretch of points and the line that fits it best.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which of the points.
    pub points: Range<usize>,
    /// When the first of them is, in seconds, and how high the line is there.
    pub start: (f64, f64),
    /// The same of the last one.
    pub end: (f64, f64),
}

impl Line {
    /// How high it is at a moment, given in seconds.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f64 {
        let length = self.end.0 - self.start.0;
        let share = if length > 0.0 { (seconds - self.start.0) / length } else { 0.0 };
        self.start.1 * (1.0 - share) + self.end.1 * share
    }
}

/// Lines, one after the other, that cover all points.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    /// The lines, in the order of time. None if there are no points.
    pub lines: Vec<Line>,
    /// The sum of squares about the lines, as a share of that about the mean; 0 if nothing changes.
    pub unexplained: f64,
}

impl Segmentation {
    /// Of where each line but the first begins.
    pub(super) fn new(points: &Points, cuts: &[usize]) -> Segmentation {
        let whole = points.moments(0..points.len()).spread();
        let mut error = 0.0;
        let mut lines = Vec::with_capacity(cuts.len() + 1);
        let starts = std::iter::once(0).chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain(std::iter::once(points.len()));
        for (start, end) in starts.zip(ends).filter(|(start, end)| start < end) {
            let moments = points.moments(start..end);
            error += moments.error();
            let second = |point: usize| points.seconds().get(point).copied().unwrap_or(0.0);
            let knot = |point: usize| (second(point), points.height(&moments, point));
            lines.push(Line { points: start..end, start: knot(start), end: knot(end - 1) });
        }
        let unexplained = if whole > 0.0 { (error / whole).min(1.0) } else { 0.0 };
        Segmentation { lines, unexplained }
    }

    /// Where each line but the first begins: the number of its first point.
    pub fn cuts(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.lines.get(1..).unwrap_or_default().iter().map(|line| line.points.start)
    }

    /// The height of the lines at each of the points that were cut.
    #[must_use]
    pub fn fitted(&self, points: &Points) -> Vec<f64> {
        let line = |line: &Line| {
            let seconds = points.seconds().get(line.points.clone()).unwrap_or_default();
            seconds.iter().map(|&second| line.at(second)).collect::<Vec<f64>>()
        };
        self.lines.iter().flat_map(line).collect()
    }

    /// The height of the lines at a moment, given in seconds; between two lines that of the nearer
    /// one. 0 without lines.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f64 {
        let before = self.lines.partition_point(|line| line.start.0 <= seconds);
        let earlier = before.checked_sub(1).and_then(|n| self.lines.get(n));
        match (earlier, self.lines.get(before)) {
            (Some(earlier), Some(later)) if later.start.0 - seconds < seconds - earlier.end.0 => {
                later.at(seconds)
            }
            (Some(line), _) | (None, Some(line)) => line.at(seconds),
            (None, None) => 0.0,
        }
    }
}
