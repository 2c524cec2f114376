//! Anomalies whose place is known: those of the paper, and others.

use fathom_explain::suggest::{Suggestion, SuggestionKind};
use std::f64::consts::TAU;
use std::ops::Range;

/// What is planted, 1 high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// From the first row to the last.
    GradualIncrease,
    /// Within the middle third.
    GradualIncreaseInside,
    /// At one half.
    SuddenIncrease,
    /// The last fifth.
    LateIncrease,
    /// Eight sine waves.
    Periodic,
    /// Eight saw teeth, the longest a fifth longer than the shortest.
    DistortedPeriodic,
    /// Five short dips, each after a longer while than the one before.
    DipsBeforeCollections,
    /// The same, but no two of the same length and depth.
    DistortedDips,
    /// A fifth of the series, in its middle.
    LongDip,
    /// One row.
    Spike,
}

/// The rows of the table: the paper's seven first, then what has to be told from them.
pub(super) const SHAPES: [Shape; 10] = [
    Shape::GradualIncrease,
    Shape::GradualIncreaseInside,
    Shape::SuddenIncrease,
    Shape::Periodic,
    Shape::DistortedPeriodic,
    Shape::DipsBeforeCollections,
    Shape::DistortedDips,
    Shape::LateIncrease,
    Shape::LongDip,
    Shape::Spike,
];

/// How long waves and teeth are, in rows of the whole.
const WAVES: f64 = 8.0;

impl Shape {
    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::GradualIncrease => "gradual increase",
            Shape::GradualIncreaseInside => "gradual increase, middle third",
            Shape::SuddenIncrease => "sudden increase",
            Shape::LateIncrease => "sudden increase, last fifth",
            Shape::Periodic => "periodic, 8 waves",
            Shape::DistortedPeriodic => "periodic, 8 teeth of unequal length",
            Shape::DipsBeforeCollections => "5 dips",
            Shape::DistortedDips => "5 dips of unequal length and depth",
            Shape::LongDip => "one dip, a fifth of the rows",
            Shape::Spike => "one row",
        }
    }

    /// How high it is.
    pub(super) fn at(self, row: usize, n: usize) -> f64 {
        let share = (row as f64 + 0.5) / n as f64;
        let within = |range: &Range<usize>| f64::from(u8::from(range.contains(&row)));
        let windows = self.windows(n);
        match self {
            Shape::GradualIncrease => share,
            Shape::GradualIncreaseInside => (3.0 * share - 1.0).clamp(0.0, 1.0),
            Shape::SuddenIncrease | Shape::LateIncrease | Shape::Spike => {
                windows.iter().map(within).sum()
            }
            Shape::Periodic => 0.5 + 0.5 * (TAU * WAVES * share).sin(),
            // Slower and faster again, by a tenth each way.
            Shape::DistortedPeriodic => (WAVES * share + 0.1 / TAU * (TAU * share).sin()).fract(),
            Shape::DipsBeforeCollections | Shape::LongDip => {
                1.0 - windows.iter().map(within).sum::<f64>()
            }
            Shape::DistortedDips => {
                let depths = windows.iter().zip([0.7, 1.0, 0.8, 0.9, 0.75]);
                1.0 - depths.map(|(range, depth)| depth * within(range)).sum::<f64>()
            }
        }
    }

    /// The rows to suggest; none for periods, because each period is as good.
    fn windows(self, n: usize) -> Vec<Range<usize>> {
        let place = |share: f64| (share * n as f64).round() as usize;
        let one = |from: f64, to: f64| std::iter::once(place(from)..place(to)).collect();
        let dips = |lengths: [f64; 5]| {
            let starts = [0.08, 0.23, 0.41, 0.61, 0.84].into_iter().zip(lengths);
            let range = |(start, length): (f64, f64)| {
                let length = ((length * n as f64).round() as usize).max(2);
                place(start)..place(start) + length
            };
            starts.map(range).collect()
        };
        match self {
            Shape::GradualIncrease => one(0.0, 1.0),
            Shape::GradualIncreaseInside => one(1.0 / 3.0, 2.0 / 3.0),
            Shape::SuddenIncrease => one(0.5, 1.0),
            Shape::LateIncrease => one(0.8, 1.0),
            Shape::Periodic | Shape::DistortedPeriodic => Vec::new(),
            Shape::DipsBeforeCollections => dips([0.02; 5]),
            Shape::DistortedDips => dips([0.03, 0.02, 0.026, 0.016, 0.022]),
            Shape::LongDip => one(0.4, 0.6),
            Shape::Spike => std::iter::once(n / 3..n / 3 + 1).collect(),
        }
    }

    /// How much of a suggestion's windows and of the truth is in both; 0 if it is of another kind. A
    /// period is all right or all wrong.
    pub(super) fn overlap(self, suggestion: &Suggestion, n: usize) -> f64 {
        let is_right = match self {
            Shape::GradualIncrease | Shape::GradualIncreaseInside => {
                suggestion.kind == SuggestionKind::Rise
            }
            Shape::SuddenIncrease | Shape::LateIncrease => {
                suggestion.kind == SuggestionKind::StepUp
            }
            Shape::Periodic | Shape::DistortedPeriodic => suggestion.kind == SuggestionKind::Period,
            Shape::DipsBeforeCollections | Shape::DistortedDips | Shape::LongDip => {
                suggestion.kind == SuggestionKind::Dips
            }
            Shape::Spike => suggestion.kind == SuggestionKind::Spikes,
        };
        if !is_right {
            return 0.0;
        }
        if suggestion.kind == SuggestionKind::Period {
            let truth = 0.1 * n as f64 / WAVES;
            return f64::from(u8::from((suggestion.seconds / truth - 1.0).abs() <= 0.1));
        }
        let mut rows = vec![(false, false); n];
        for row in suggestion.windows.iter().flat_map(Clone::clone) {
            rows[row].0 = true;
        }
        for row in self.windows(n).into_iter().flatten() {
            rows[row].1 = true;
        }
        let both = rows.iter().filter(|(one, two)| *one && *two).count() as f64;
        let either = rows.iter().filter(|(one, two)| *one || *two).count() as f64;
        both / either.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_at_most_one_high_and_inside() {
        for shape in SHAPES {
            for n in [60, 100, 1000] {
                let heights: Vec<f64> = (0..n).map(|row| shape.at(row, n)).collect();
                assert!(heights.iter().all(|height| (0.0..=1.0).contains(height)), "{shape:?}");
                let extent = heights.iter().copied().fold(0.0, f64::max);
                assert!(extent > 0.9, "{shape:?} {n}");
                let windows = shape.windows(n);
                let ends = windows.iter().map(|window| window.end).max();
                assert!(ends.is_none_or(|end| end <= n), "{shape:?} {n}");
            }
        }
    }
}
