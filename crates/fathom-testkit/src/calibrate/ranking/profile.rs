//! How what happens comes and goes within a window.

use super::draw::{between, chance, normal};
use super::habit::Habit;
use crate::population::Generator;
use std::ops::Range;

/// 0 outside of the window, about 1 within it.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    start: usize,
    heights: Vec<f64>,
}

impl Profile {
    /// Begins in the first fifth of the window, and stays or ends before it; `is_ramp`: grows.
    pub(super) fn draw(window: Range<usize>, is_ramp: bool, rng: &mut Generator) -> Profile {
        let rows = window.len();
        let onset = (between(0.0, 0.2, rng) * rows as f64) as usize;
        let end =
            if chance(0.3, rng) { (between(0.5, 1.0, rng) * rows as f64) as usize } else { rows };
        let waves = Habit::Autoregressive(0.7).rows(rows, rng);
        let restless = between(0.0, 0.5, rng);
        let length = end.saturating_sub(onset).max(1) as f64;
        let height = |row: usize| {
            if row < onset || row >= end.max(onset + 1) {
                return 0.0;
            }
            let grown = if is_ramp { 1.5 * (row - onset + 1) as f64 / length } else { 1.0 };
            (grown * (1.0 + restless * waves[row])).max(0.0)
        };
        Profile { start: window.start, heights: (0..rows).map(height).collect() }
    }

    /// Different in every row: what a slow service's latencies look like at few rows.
    pub(super) fn restless(window: Range<usize>, rng: &mut Generator) -> Profile {
        let mut profile = Profile::draw(window, false, rng);
        let spread = between(0.2, 0.8, rng);
        profile.heights.iter_mut().for_each(|height| *height *= (spread * normal(rng)).exp());
        profile
    }

    /// The height in a row, if everything comes this many rows later.
    pub(super) fn at(&self, row: usize, delay: usize) -> f64 {
        let row = row.checked_sub(self.start + delay);
        row.and_then(|row| self.heights.get(row)).copied().unwrap_or(0.0)
    }
}
