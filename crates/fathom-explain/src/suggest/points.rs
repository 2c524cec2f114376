//! The values that were seen, in a size that squares neither overflow nor vanish in.

use crate::Sequence;
use fathom_stats::{Probability, quantile};
use std::ops::Range;

/// Values one after the other, and which rows they are of.
///
/// Gaps are left out: a line across one would be an invented shape.
#[derive(Debug, Clone)]
pub(super) struct Points {
    /// Around 0, no further than 2 from it.
    values: Vec<f64>,
    /// The rows of each value; absent if value n is row n.
    rows: Option<Vec<Range<usize>>>,
    centre: f64,
    scale: f64,
    /// Whether they are logarithms.
    by_ratio: bool,
}

/// Values that are all positive are compared by their ratios if most of them span this factor: else
/// what is slow by nature would hide all that goes on where it is fast.
const SPAN: f64 = 20.0;

impl Points {
    /// Of a target; `None` if nothing of it differs.
    pub(super) fn of(target: &Sequence) -> Option<Points> {
        let mut values: Vec<f64> = target.seen().collect();
        let by_ratio = spans_much(&values);
        if by_ratio {
            values.iter_mut().for_each(|value| *value = value.ln());
        }
        let scale = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if scale == 0.0 {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= scale);
        let centre = quantile::of_unsorted(&mut values.clone(), Probability::HALF)?;
        values.iter_mut().for_each(|value| *value -= centre);
        if values.iter().all(|value| value.abs() < 1e-12) {
            return None;
        }
        let rows = target.mask().map(|mask| {
            let seen = mask.iter().enumerate().filter(|(_, seen)| **seen);
            seen.map(|(row, _)| row..row + 1).collect()
        });
        Some(Points { values, rows, centre, scale, by_ratio })
    }

    /// The numbers.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same points, levels in place of some stretches.
    pub(super) fn without(&self, parts: impl Iterator<Item = (Range<usize>, f64)>) -> Points {
        let mut points = self.clone();
        for (range, level) in parts {
            if let Some(part) = points.values.get_mut(range) {
                part.fill(level);
            }
        }
        points
    }

    /// Means of as many values each as are needed to have at most this many.
    pub(super) fn averaged_to(&self, most: usize) -> Points {
        match self.values.len().div_ceil(most.max(1)) {
            0 | 1 => self.clone(),
            length => self.averaged(length as f64),
        }
    }

    /// Means of this many values each; what is left over at the end joins the last one.
    pub(super) fn averaged(&self, length: f64) -> Points {
        let count = ((self.values.len() as f64 / length) as usize).max(1);
        let edge =
            |number: usize| ((number as f64 * length).round() as usize).min(self.values.len());
        let mut edges: Vec<usize> = (0..count).map(edge).collect();
        edges.push(self.values.len());
        let parts: Vec<Range<usize>> =
            edges.iter().zip(edges.iter().skip(1)).map(|(start, end)| *start..*end).collect();
        let mean = |part: &Range<usize>| {
            let values = self.values.get(part.clone()).unwrap_or_default();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        };
        let values = parts.iter().map(mean).collect();
        let rows = parts.iter().map(|part| self.rows(part)).collect();
        Points { values, rows: Some(rows), ..*self }
    }

    /// The rows from the first of these values to the last one.
    pub(super) fn rows(&self, range: &Range<usize>) -> Range<usize> {
        let Some(rows) = &self.rows else { return range.clone() };
        let first = rows.get(range.start).map_or(0, |rows| rows.start);
        let last = range.end.checked_sub(1).and_then(|last| rows.get(last));
        first..last.map_or(first, |rows| rows.end)
    }

    /// A value as the target has it.
    pub(super) fn original(&self, value: f64) -> f64 {
        // Two steps, because the difference of the largest numbers is not finite.
        let value = (value + self.centre).clamp(-1.0, 1.0) * self.scale;
        if self.by_ratio { value.exp().min(f64::MAX) } else { value }
    }
}

fn spans_much(values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| quantile::of_sorted(&sorted, Probability::new(share).ok()?);
    let is_positive = sorted.first().is_some_and(|least| *least > 0.0);
    is_positive && at(0.05).zip(at(0.95)).is_some_and(|(low, high)| high / low >= SPAN)
}
