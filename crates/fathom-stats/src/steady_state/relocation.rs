//! The last touch: a fit of two levels to the values may move a point by up to three samples.
//!
//! Ranks find the change; the values, outliers clipped, say a little better where it is.

use super::level::interquartile_mean;
use crate::Probability;
use crate::quantile::{of_sorted, of_unsorted};

/// How far a point may move.
const FARTHEST: usize = 3;
/// The shortest part that is left on either side.
const SHORTEST: usize = 3;
/// The loss of one value, in squared deviations, is at most this.
const LARGEST_LOSS: f64 = 9.0;
/// Sums of losses that differ by less are equal, and the first counts.
const TIE: f64 = 1e-9;

/// A change point, before and after the last touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChangePoint {
    /// The first index at the new level.
    pub(super) position: usize,
    /// The later of this and where the ranks put it: from here on both agree.
    pub(super) settled: usize,
}

/// Fits all points in order.
pub(super) fn relocate(values: &[f64], points: &[usize]) -> Vec<ChangePoint> {
    let mut fit = Fit::default();
    let mut relocated = Vec::with_capacity(points.len());
    let mut start = 0;
    for (number, &point) in points.iter().enumerate() {
        let end = points.get(number + 1).copied().unwrap_or(values.len());
        let stretch = &values[start..end];
        let best = fit.best(stretch, point - start).map_or(point, |best| start + best);
        let position = if best.abs_diff(point) <= FARTHEST { best } else { point };
        relocated.push(ChangePoint { position, settled: position.max(point) });
        start = position;
    }
    relocated
}

#[derive(Default)]
struct Fit {
    sorted: Vec<f64>,
    deviations: Vec<f64>,
}

impl Fit {
    /// The split of `stretch` that two fixed levels fit best: those of its parts before and after
    /// `split`. `None` if the parts do not differ or have no spread.
    fn best(&mut self, stretch: &[f64], split: usize) -> Option<usize> {
        self.deviations.clear();
        let before = self.take(&stretch[..split])?;
        let after = self.take(&stretch[split..])?;
        let mean = self.deviations.iter().sum::<f64>() / stretch.len() as f64;
        let spread = 1.4826 * of_unsorted(&mut self.deviations, Probability::HALF)?;
        // More than half may sit at the median exactly: ticks of a clock.
        let spread = if spread > 0.0 { spread } else { mean };
        if spread <= 0.0 || before == after || stretch.len() < 2 * SHORTEST {
            return None;
        }
        let loss = |value: f64, level: f64| {
            let z = (value - level) / spread;
            (z * z).min(LARGEST_LOSS)
        };
        // The loss if the split came after each value, up to a constant.
        let losses = &mut self.deviations;
        losses.clear();
        let mut sum = 0.0;
        losses.extend(stretch.iter().map(|&value| {
            sum += loss(value, before) - loss(value, after);
            sum
        }));
        let admissible = &losses[SHORTEST - 1..=stretch.len() - SHORTEST - 1];
        let least = admissible.iter().copied().fold(f64::INFINITY, f64::min);
        admissible.iter().position(|&sum| sum <= least + TIE).map(|offset| offset + SHORTEST)
    }

    /// The level of a part; adds its absolute deviations from its median to the pool.
    fn take(&mut self, part: &[f64]) -> Option<f64> {
        self.sorted.clear();
        self.sorted.extend_from_slice(part);
        self.sorted.sort_unstable_by(f64::total_cmp);
        let median = of_sorted(&self.sorted, Probability::HALF)?;
        self.deviations.extend(part.iter().map(|value| (value - median).abs()));
        Some(interquartile_mean(&self.sorted))
    }
}
