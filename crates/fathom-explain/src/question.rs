//! What metrics are compared with.

use crate::{Grid, Sequence};
use fathom_record::Timestamp;
use std::ops::Range;

/// The target in one run, and what is asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The rows of time.
    pub grid: Grid,
    /// The target, from the first row to the last, with what lies outside of the windows.
    pub target: Sequence,
    /// The rows that are asked about: in order, apart, none empty.
    pub windows: Vec<Range<usize>>,
    /// The rows that what changed is compared with; `None` if there are none.
    pub baseline: Option<Range<usize>>,
    /// Into how many lines the target is cut, in each window.
    pub segments: Segments,
    /// A shape that the user drew over the target.
    pub pattern: Option<Pattern>,
}

impl Question {
    /// How many rows are asked about.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.windows.iter().map(ExactSizeIterator::len).sum()
    }

    /// The target where it is asked about, one window after the other.
    #[must_use]
    pub fn target_asked(&self) -> Sequence {
        self.target.joined(&self.windows)
    }
}

/// Into how many lines a sequence is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segments {
    /// As many as are worth it.
    Auto,
    /// This many.
    Exactly(usize),
}

/// A shape of straight lines from knot to knot, drawn over the target.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// When, in the time of the same run, and how high; in the order of time, at least two.
    knots: Vec<(Timestamp, f64)>,
}

impl Pattern {
    /// Of its knots; `None` unless there are two or more, their times increase and their heights are
    /// finite.
    #[must_use]
    pub fn new(knots: Vec<(Timestamp, f64)>) -> Option<Pattern> {
        let increases =
            knots.windows(2).all(|pair| pair.first().map(|k| k.0) < pair.last().map(|k| k.0));
        let is_finite = knots.iter().all(|(_, height)| height.is_finite());
        (knots.len() > 1 && increases && is_finite).then_some(Pattern { knots })
    }

    /// The knots.
    #[must_use]
    pub fn knots(&self) -> &[(Timestamp, f64)] {
        &self.knots
    }

    /// How high it is at a moment, given in nanoseconds that need not be whole; before the first knot
    /// and after the last it stays level.
    #[must_use]
    pub fn at(&self, moment: f64) -> f64 {
        let next = self.knots.partition_point(|(time, _)| time.nanoseconds_f64() <= moment);
        let before = next.checked_sub(1).and_then(|n| self.knots.get(n));
        match (before, self.knots.get(next)) {
            (Some((start, low)), Some((end, high))) => {
                let (start, end) = (start.nanoseconds_f64(), end.nanoseconds_f64());
                let share = (moment - start) / (end - start);
                low * (1.0 - share) + high * share
            }
            (Some((_, height)), None) | (None, Some((_, height))) => *height,
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_lines_between_knots() {
        let pattern = |knots: &[(i64, f64)]| {
            let knots = knots.iter();
            Pattern::new(knots.map(|&(at, y)| (Timestamp::from_nanoseconds(at), y)).collect())
        };
        assert_eq!(pattern(&[(0, 1.0)]), None);
        assert_eq!(pattern(&[(0, 1.0), (0, 2.0)]), None);
        assert_eq!(pattern(&[(0, 1.0), (1, f64::NAN)]), None);
        let pattern = pattern(&[(0, 1.0), (10, 3.0), (20, 0.0)]).unwrap();
        let heights: Vec<f64> =
            [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0, 99.0].map(|t| pattern.at(t)).into();
        assert_eq!(heights, [1.0, 1.0, 2.0, 3.0, 1.5, 0.0, 0.0]);
    }
}
