//! As many lines as are worth it.

use super::centred::length;
use super::optimal::up_to;
use super::segmentation::ROUNDING;
use super::{Points, Segmentation, despike};
use crate::{Grid, Sequence};
use std::ops::Range;

/// Fewer points than this are not cut: they are their own best picture.
const FEWEST: usize = 20;

/// No more lines than this: what has more is noise or a rhythm.
const MOST: usize = 10;

/// How many points a line has at least where the number of lines is chosen.
#[must_use]
pub fn shortest(points: usize) -> usize {
    (points / 50).max(3)
}

/// The best cuts into as many lines as the data speak for; `None` for fewer than 20 points.
///
/// Of up to ten lines, the number with the least n ln(SSE/n) + (3k - 1) ln n (BIC): a line more has a
/// slope, a height and a cut more. Of equals it is the smallest.
#[must_use]
pub fn best(points: &Points) -> Option<Segmentation> {
    if points.len() < FEWEST {
        return None;
    }
    let whole = points.moments(0..points.len()).spread();
    let count = length(points.rows());
    let mut least = f64::INFINITY;
    let mut chosen = Vec::new();
    for (way, lines) in up_to(points, MOST, shortest(points.len())).into_iter().zip(1_u32..) {
        // Below that, errors are rounding: a perfect fit is not made better by more lines.
        let error = way.error.max(ROUNDING * whole);
        let price = f64::from(3 * lines - 1) * count.ln();
        let worth = if whole > 0.0 { count * (error / whole).ln() + price } else { price };
        if worth < least {
            (least, chosen) = (worth, way.cuts);
        }
    }
    Some(Segmentation::new(points, &chosen))
}

/// The pattern of some rows, as a person who sees through the noise would draw it: the best lines of
/// the despiked values, a height for every row. Too few rows for that are taken as they are, with
/// gaps bridged.
#[must_use]
pub fn automatic_pattern(grid: &Grid, sequence: &Sequence, rows: Range<usize>) -> Vec<f64> {
    let stretch = sequence.rows(rows.clone());
    let calm = despike(&stretch);
    let seen = (rows.start..).zip(calm.iter()).filter_map(|(row, value)| Some((row, value?)));
    let (seen, values) = seen.unzip();
    let points = Points::new(grid, seen, values);
    match best(&points) {
        Some(lines) => {
            (rows.start..).take(stretch.len()).map(|row| lines.at(grid.middle(row))).collect()
        }
        None => calm.bridged().to_vec(),
    }
}
