//! Means, levels and lines of any stretch, each in a few operations.

use std::ops::Range;

/// Running sums of a series.
#[derive(Debug)]
pub(super) struct Sums {
    values: Vec<f64>,
    squares: Vec<f64>,
    products: Vec<f64>,
}

/// The straight line that fits best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// By how much it rises from value to value.
    pub(super) slope: f64,
    /// Its height in the middle.
    pub(super) middle: f64,
    /// The sum of squares that it leaves.
    pub(super) left: f64,
}

impl Sums {
    /// Of a series.
    pub(super) fn of(series: &[f64]) -> Sums {
        let running = |term: &dyn Fn(usize, f64) -> f64| {
            let mut sum = 0.0;
            let mut sums = Vec::with_capacity(series.len() + 1);
            sums.push(0.0);
            sums.extend(series.iter().enumerate().map(|(place, &value)| {
                sum += term(place, value);
                sum
            }));
            sums
        };
        Sums {
            values: running(&|_, value| value),
            squares: running(&|_, value| value * value),
            products: running(&|place, value| place as f64 * value),
        }
    }

    /// The mean of a stretch; 0 of none.
    pub(super) fn mean(&self, range: &Range<usize>) -> f64 {
        if range.is_empty() { 0.0 } else { between(&self.values, range) / range.len() as f64 }
    }

    /// The mean of a stretch that begins and ends within values; 0 of none.
    pub(super) fn mean_between(&self, start: f64, end: f64) -> f64 {
        let until = |edge: f64| {
            let place = edge as usize;
            let sum = between(&self.values, &(0..place));
            // Of the value in which it ends.
            let part = edge - place as f64;
            sum + if part > 0.0 { part * between(&self.values, &(place..place + 1)) } else { 0.0 }
        };
        if end > start { (until(end) - until(start)) / (end - start) } else { 0.0 }
    }

    /// The sum of squares that a level leaves.
    pub(super) fn left_by_level(&self, range: &Range<usize>) -> f64 {
        let sum = between(&self.values, range);
        let length = range.len().max(1) as f64;
        (between(&self.squares, range) - sum * sum / length).max(0.0)
    }

    /// The line of least squares.
    pub(super) fn line(&self, range: &Range<usize>) -> Line {
        let length = range.len() as f64;
        let middle = self.mean(range);
        let left = self.left_by_level(range);
        if range.len() < 3 {
            return Line { slope: 0.0, middle, left };
        }
        let centre = range.start as f64 + (length - 1.0) / 2.0;
        let along = between(&self.products, range) - centre * between(&self.values, range);
        let spread = length * (length * length - 1.0) / 12.0;
        Line { slope: along / spread, middle, left: (left - along * along / spread).max(0.0) }
    }
}

fn between(sums: &[f64], range: &Range<usize>) -> f64 {
    let at = |place: usize| sums.get(place).copied().unwrap_or(0.0);
    at(range.end) - at(range.start)
}
