//! Which rows count: the stretches of a run that are left out of everything.

use crate::{Grid, Question, Sequence};
use fathom_record::Timestamp;
use std::ops::Range;

/// Stretches of a run's time that count for nothing: each is after its start and up to its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mask {
    /// In order, apart, none empty.
    stretches: Vec<(Timestamp, Timestamp)>,
}

impl Mask {
    /// Of stretches in any order, which may overlap.
    #[must_use]
    pub fn new(mut stretches: Vec<(Timestamp, Timestamp)>) -> Mask {
        stretches.retain(|(start, end)| start < end);
        stretches.sort_unstable();
        let mut apart: Vec<(Timestamp, Timestamp)> = Vec::with_capacity(stretches.len());
        for (start, end) in stretches {
            match apart.last_mut() {
                Some(last) if last.1 >= start => last.1 = last.1.max(end),
                _ => apart.push((start, end)),
            }
        }
        Mask { stretches: apart }
    }

    /// Whether everything counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The stretches, in order and apart.
    #[must_use]
    pub fn stretches(&self) -> &[(Timestamp, Timestamp)] {
        &self.stretches
    }

    /// Without what either leaves out.
    #[must_use]
    pub fn and(&self, other: &Mask) -> Mask {
        Mask::new(self.stretches.iter().chain(&other.stretches).copied().collect())
    }

    /// The part of it between two moments, in another run's time. What lies beyond what was recorded is not
    /// carried over: that run may have been recorded there.
    pub(crate) fn carried(
        &self,
        (first, last): (Timestamp, Timestamp),
        to: impl Fn(Timestamp) -> Timestamp,
    ) -> Mask {
        let within = |&(start, end): &(Timestamp, Timestamp)| (start.max(first), end.min(last));
        let within = self.stretches.iter().map(within).filter(|(start, end)| start < end);
        Mask::new(within.map(|(start, end)| (to(start), to(end))).collect())
    }

    /// Whether something between two moments is left out.
    #[must_use]
    pub fn touches(&self, start: Timestamp, end: Timestamp) -> bool {
        let next = self.stretches.partition_point(|one| one.1 <= start);
        // A moment lies in a stretch if it is inside of it.
        self.stretches.get(next).is_some_and(|one| one.0 < end)
    }

    /// For each row between these edges whether all of it counts.
    #[must_use]
    pub(crate) fn keeps(&self, edges: &[Timestamp]) -> Vec<bool> {
        edges.windows(2).map(|pair| !self.touches(pair[0], pair[1])).collect()
    }
}

/// How many rows of the target a mask leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaskedRows {
    /// All rows of the target.
    pub rows: usize,
    /// Those that count.
    pub kept: usize,
    /// The rows of the windows.
    pub rows_in_windows: usize,
    /// Those that count.
    pub kept_in_windows: usize,
}

/// The rows of a question that count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeptRows {
    /// The edges of all rows, in the run's time.
    pub(crate) edges: Vec<Timestamp>,
    /// Which of them count, in order.
    pub(crate) kept: Vec<usize>,
}

impl KeptRows {
    /// Only the values of rows that count.
    pub(crate) fn of(&self, values: &[Option<f64>]) -> Vec<Option<f64>> {
        self.kept.iter().map(|&row| values.get(row).copied().flatten()).collect()
    }

    /// The edges of the rows that count: each ends where it did, and takes in what was left out before
    /// it.
    pub(crate) fn kept_edges(&self) -> Vec<Timestamp> {
        let first = self.kept.first().and_then(|&row| self.edges.get(row));
        let ends = self.kept.iter().filter_map(|&row| self.edges.get(row + 1));
        first.into_iter().chain(ends).copied().collect()
    }
}

/// A question without the rows that do not count; `None` if none of them does.
///
/// The rows that remain stand next to each other, as if nothing had been between them: the paper's
/// filtering of collections.
pub(crate) fn cut(question: &Question, keeps: &[bool]) -> Option<(Question, Vec<usize>)> {
    let kept: Vec<usize> =
        keeps.iter().enumerate().filter(|(_, keeps)| **keeps).map(|(row, _)| row).collect();
    let rows = KeptRows { edges: question.grid.edges().to_vec(), kept };
    let grid = Grid::new(rows.kept_edges())?;
    let target: Vec<Option<f64>> = question.target.iter().collect();
    let target = Sequence::new(&rows.of(&target));
    let place = |row: usize| rows.kept.partition_point(|&kept| kept < row);
    let moved = |one: &Range<usize>| place(one.start)..place(one.end);
    let windows: Vec<Range<usize>> =
        question.windows.iter().map(moved).filter(|one| !one.is_empty()).collect();
    let baseline = question.baseline.as_ref().map(moved).filter(|one| !one.is_empty());
    let question = Question { grid, target, windows, baseline, ..question.clone() };
    Some((question, rows.kept))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segments;
    use fathom_record::Span;

    fn at(time: i64) -> Timestamp {
        Timestamp::from_nanoseconds(time)
    }

    fn mask(stretches: &[(i64, i64)]) -> Mask {
        Mask::new(stretches.iter().map(|&(start, end)| (at(start), at(end))).collect())
    }

    #[test]
    fn rows_count_if_all_of_them_does() {
        let mask = mask(&[(30, 40), (5, 12), (11, 20), (7, 7)]);
        assert_eq!(mask.stretches(), [(at(5), at(20)), (at(30), at(40))]);
        let edges = [0, 5, 6, 20, 25, 30, 31, 39, 40, 50].map(at);
        let keeps = [true, false, false, true, true, false, false, false, true];
        assert_eq!(mask.keeps(&edges), keeps);
        // Moments: inside, at the start, at the end.
        assert!(mask.touches(at(10), at(10)));
        assert!(!mask.touches(at(5), at(5)) && !mask.touches(at(20), at(20)));
        assert!(Mask::default().is_empty() && !Mask::default().touches(at(0), at(9)));
        let carried = mask.carried((at(10), at(35)), |time| time + Span::from_nanoseconds(100));
        assert_eq!(carried.stretches(), [(at(110), at(120)), (at(130), at(135))]);
        let both = mask.and(&Mask::new(vec![(at(20), at(30)), (Timestamp::MIN, at(0))]));
        assert_eq!(both.stretches(), [(Timestamp::MIN, at(0)), (at(5), at(40))]);
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
    fn what_is_left_stands_next_to_each_other() {
        let question = Question {
            grid: Grid::new((0..=10).map(|n| at(n * 10)).collect()).unwrap(),
            target: Sequence::from((0..10).map(f64::from).collect::<Vec<_>>()),
            windows: vec![4..7, 9..10],
            baseline: Some(0..4),
            segments: Segments::Auto,
            pattern: None,
        };
        let keeps = [true, false, true, true, false, true, true, true, true, false];
        let (cut, kept) = cut(&question, &keeps).unwrap();
        assert_eq!(kept, [0, 2, 3, 5, 6, 7, 8]);
        assert_eq!(cut.grid.edges(), [0, 10, 30, 40, 60, 70, 80, 90].map(at));
        let target: Vec<f64> = cut.target.seen().collect();
        assert_eq!(target, [0.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!((cut.windows, cut.baseline), (vec![3..5], Some(0..3)));
        assert_eq!(super::cut(&question, &[false; 10]), None);
    }
}
