//! Stretches in which the common metric tells nothing: a level with noise around it. Noise matches noise
//! somewhere, so that the cheapest path wanders there; evenly passing time is the better guess.

use super::warped::mean_and_deviation;
use crate::suggest::level_changes;
use fathom_dtw::{Path, Warp, WarpError};
use std::ops::Range;

/// Samples that vary by no more of the whole's standard deviation tell nothing.
const STILL: f64 = 0.1;
/// Fewer samples are left as they are.
const FEWEST: usize = 8;
/// Fewer samples have no order that could be reversed.
const FEWEST_REVERSED: usize = 16;
/// What fits its mirror image as well as this has nothing in common but its level.
const LIKE_CHANCE: f64 = 0.8;

/// A stretch of the reference through which time passes evenly, and the same stretch of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EvenStretch {
    pub(super) here: Range<usize>,
    pub(super) there: Range<usize>,
}

/// Where time passes evenly: the levels of the reference in which the run has nothing else in common.
pub(super) fn even_stretches(
    path: &Path,
    x: &[f64],
    y: &[f64],
    how: Warp<'_>,
) -> Result<Vec<EvenStretch>, WarpError> {
    let still = STILL * mean_and_deviation(x).1.max(mean_and_deviation(y).1);
    let cuts = level_changes(x);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(std::iter::once(x.len()));
    let mut all = Vec::new();
    for here in starts.zip(ends).map(|(start, end)| start..end).filter(|here| !here.is_empty()) {
        let Some(matched) = path.window(here.start..=here.end - 1) else { continue };
        let there = *matched.start()..*matched.end() + 1;
        let (Some(one), Some(other)) = (x.get(here.clone()), y.get(there.clone())) else { continue };
        if one.len().min(other.len()) < FEWEST {
            continue;
        }
        let is_still = |values: &[f64]| mean_and_deviation(values).1 <= still;
        let is_even = (is_still(one) && is_still(other)) || fits_mirrored(one, other, how)?;
        if is_even {
            all.push(EvenStretch { here, there });
        }
    }
    Ok(all)
}

/// Whether a stretch of the run fits about as well when it is turned around.
fn fits_mirrored(one: &[f64], other: &[f64], how: Warp<'_>) -> Result<bool, WarpError> {
    if one.len().min(other.len()) < FEWEST_REVERSED {
        return Ok(false);
    }
    let mirrored: Vec<f64> = other.iter().rev().copied().collect();
    let (fits, chance) = (how.distance(one, other)?, how.distance(one, &mirrored)?);
    Ok(fits >= LIKE_CHANCE * chance)
}

/// The path, but straight through even stretches.
pub(super) fn straightened(path: &Path, stretches: &[EvenStretch]) -> Path {
    let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(path.len());
    let mut next = stretches.iter().peekable();
    let mut all = path.iter().peekable();
    while let Some(pair) = all.next() {
        let Some(stretch) = next.next_if(|stretch| stretch.here.start == pair.0) else {
            pairs.push(pair);
            continue;
        };
        let mut last = pair;
        while let Some(inside) = all.next_if(|inside| inside.0 < stretch.here.end) {
            last = inside;
        }
        let (wide, high) = (last.0 - pair.0, last.1 - pair.1);
        let steps = wide.max(high);
        let part = |whole: usize, n: usize| (2 * whole * n + steps) / (2 * steps).max(1);
        pairs.extend((0..=steps).map(|n| (pair.0 + part(wide, n), pair.1 + part(high, n))));
    }
    Path::through(pairs).unwrap_or_else(|| path.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64, rows: usize) -> Vec<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        (0..rows).map(|_| next()).collect()
    }

    /// Levels of 60, 80 and 70 samples, at this pace, with noise.
    fn levels(pace: usize, size: f64, seed: u64) -> Vec<f64> {
        let levels = [(1.0, 60), (6.0, 80), (3.0, 70)];
        let rows = levels.iter().flat_map(|&(level, rows)| std::iter::repeat_n(level, rows * pace));
        let rows: Vec<f64> = rows.collect();
        let noise = noise(seed, rows.len());
        rows.iter().zip(noise).map(|(level, noise)| level + size * noise).collect()
    }

    fn straight(x: &[f64], y: &[f64]) -> (Vec<EvenStretch>, Path, Path) {
        let path = Warp::new().align(x, y).unwrap().path;
        let stretches = even_stretches(&path, x, y, Warp::new()).unwrap();
        let straight = straightened(&path, &stretches);
        (stretches, path, straight)
    }

    #[test]
    fn time_goes_evenly_through_levels() {
        for size in [0.0, 0.5, 1.5] {
            let (x, y) = (levels(1, size, 1), levels(2, size, 2));
            let (stretches, path, straight) = straight(&x, &y);
            assert_eq!(stretches.len(), 3, "{size}: {stretches:?}");
            assert_eq!((straight.start(), straight.end()), (path.start(), path.end()));
            // The middle of each level is the middle of the other.
            for (here, there) in [(30, 60), (100, 200), (175, 350)] {
                let matched = straight.window(here..=here).unwrap();
                assert!(matched.start().abs_diff(there) <= 8, "{size}: {here} {matched:?}");
            }
        }
    }

    /// What both runs show within a level is not passed over.
    #[test]
    fn shapes_within_levels_are_kept() {
        let shape = noise(7, 210);
        let mut x = levels(1, 0.0, 1);
        x.iter_mut().zip(&shape).for_each(|(value, shape)| *value += 2.0 * shape);
        let y: Vec<f64> = x.iter().flat_map(|value| [*value, *value]).collect();
        let (stretches, path, straight) = straight(&x, &y);
        assert_eq!((stretches.len(), &path), (0, &straight));
    }
}
