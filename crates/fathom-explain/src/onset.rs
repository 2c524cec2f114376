//! When a metric began to do what it does in the window.
//!
//! The page is `docs/methods/onset.md`; `calibrate onset` of the testkit counts how often intervals cover.

mod order;
#[cfg(test)]
mod tests;

pub use order::{Lead, OrderBy};

use crate::suggest::noise::{Noise, Products};
use crate::{Question, Sequence};
use fathom_record::{Span, Timestamp};
use std::ops::Range;

/// Fewer rows before say nothing of the level there.
const FEWEST: usize = 8;
/// The level is that of this many lengths of the window before the search begins.
const TIMES_AS_LONG: usize = 4;
/// How many standard errors the change must have: an onset of something that may be nothing is none.
const CLEAR: f64 = 6.0;
/// What twice the logarithm of the likelihood ratio of a change point exceeds in 2.5% of all cases. Two
/// intervals of 97.5% give a lead of 95%.
const RATIO: f64 = 8.751;
/// The height of the change and where it ends are found in turns.
const ROUNDS: usize = 4;

/// When a change began, with the interval in which it did so with 97.5% confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Onset {
    /// At best.
    pub at: Timestamp,
    /// At the earliest.
    pub low: Timestamp,
    /// At the latest.
    pub high: Timestamp,
}

/// An onset in rows: the first row that is changed, and the first and last that may be it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnsetRows {
    /// At best.
    pub at: usize,
    /// At the earliest.
    pub first: usize,
    /// At the latest.
    pub last: usize,
}

impl Onset {
    /// Of a metric on the rows of a question, sampled at least as often as `sampled` says. `None` if
    /// it is not clear when it changed, or whether.
    #[must_use]
    pub fn of(question: &Question, metric: &Sequence, sampled: Span) -> Option<Onset> {
        let rows = OnsetRows::of(question, metric)?;
        // What happens within a row shows in that row or in the next: as far as the row is long.
        let start = |row: usize| question.grid.row(row).map(|(start, _)| start);
        let length = |row: usize| {
            let (start, end) = question.grid.row(row)?;
            Some((end - start).max(sampled).divided_by(2))
        };
        Some(Onset {
            at: start(rows.at)?,
            low: start(rows.first)? - length(rows.first.saturating_sub(1))?,
            high: start(rows.last)? + length(rows.last)?,
        })
    }
}

impl OnsetRows {
    /// In the first window of a question, or as long before it as it is long.
    #[must_use]
    pub fn of(question: &Question, metric: &Sequence) -> Option<OnsetRows> {
        let window = question.windows.first()?;
        let start = window.start.checked_sub(window.len())?;
        let before = start.saturating_sub(TIMES_AS_LONG * window.len())..start;
        find(metric.bridged(), &before, &(start..window.end.min(metric.len())))
    }
}

/// A stretch that is clearly at another level than the values before, and where it begins.
fn find(values: &[f64], before: &Range<usize>, within: &Range<usize>) -> Option<OnsetRows> {
    let earlier = values.get(before.clone()).filter(|part| part.len() >= FEWEST)?;
    let searched = values.get(within.clone()).filter(|part| !part.is_empty())?;
    // Squares of the largest numbers are not finite.
    let largest = earlier.iter().chain(searched).fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let level = earlier.iter().map(|value| value / largest).sum::<f64>() / earlier.len() as f64;
    let left: Vec<f64> = earlier.iter().map(|value| value / largest - level).collect();
    let searched: Vec<f64> = searched.iter().map(|value| value / largest - level).collect();
    let Stretch { rows, height } = stretch(&searched)?;
    let part = searched.get(rows.clone())?;
    // As much noise as there is on the noisier side.
    let after: Vec<f64> = part.iter().map(|value| value - height).collect();
    let noise = [(&left, left.len()), (&after, part.len())].map(|(left, count)| {
        let noise = Noise::of(&Products::of(left), 1);
        (noise.variance * noise.factor, count as f64)
    });
    let [(one, many), (other, fewer)] = noise;
    let variance = one.max(other);
    let error = (variance / many + variance / fewer).sqrt();
    if height.abs() < CLEAR * error || height.abs() < 1e-12 {
        return None;
    }
    // Twice the logarithm of how much likelier the best row is than each other one.
    let gain = |value: f64| 2.0 * height * (value - height / 2.0) / variance.max(f64::MIN_POSITIVE);
    let is_likely = |ratio: f64| ratio <= RATIO;
    let mut ratio = 0.0;
    let mut first = rows.start;
    for (row, value) in searched.iter().enumerate().take(rows.start).rev() {
        ratio -= gain(*value);
        if is_likely(ratio) {
            first = row;
        }
    }
    let mut ratio = 0.0;
    let mut last = rows.start;
    for (row, value) in (rows.start..).zip(part) {
        ratio += gain(*value);
        // The stretch has a row at least.
        if is_likely(ratio) && row + 1 < rows.end {
            last = row + 1;
        }
    }
    // It may have begun before the search did.
    if first == 0 {
        return None;
    }
    let [at, first, last] = [rows.start, first, last].map(|row| within.start + row);
    Some(OnsetRows { at, first, last })
}

/// Where the values are at another level than 0.
struct Stretch {
    rows: Range<usize>,
    height: f64,
}

/// The likeliest stretch, whose height is its own mean; the one with the larger sum, up or down.
fn stretch(values: &[f64]) -> Option<Stretch> {
    let up = one_way(values, 1.0);
    let down = one_way(values, -1.0);
    let weight = |one: &Stretch| one.rows.len() as f64 * one.height * one.height;
    up.into_iter().chain(down).max_by(|a, b| weight(a).total_cmp(&weight(b)))
}

fn one_way(values: &[f64], sign: f64) -> Option<Stretch> {
    let mean = |rows: &Range<usize>| {
        let part = values.get(rows.clone()).unwrap_or_default();
        part.iter().sum::<f64>() / part.len().max(1) as f64
    };
    // From the stretch with the largest sum on.
    let mut rows = largest_sum(values, |value| sign * value);
    for _ in 0..ROUNDS {
        let height = mean(&rows);
        let next = largest_sum(values, |value| sign * (value - height / 2.0));
        if rows.is_empty() || next == rows {
            break;
        }
        rows = next;
    }
    let height = mean(&rows);
    (!rows.is_empty() && sign * height > 0.0).then_some(Stretch { rows, height })
}

/// The stretch with the largest sum; empty if no value is above 0.
fn largest_sum(values: &[f64], term: impl Fn(f64) -> f64) -> Range<usize> {
    let (mut best, mut best_rows) = (0.0, 0..0);
    let (mut sum, mut start) = (0.0, 0);
    for (row, value) in values.iter().enumerate() {
        if sum <= 0.0 {
            (sum, start) = (0.0, row);
        }
        sum += term(*value);
        if sum > best {
            (best, best_rows) = (sum, start..row + 1);
        }
    }
    best_rows
}
