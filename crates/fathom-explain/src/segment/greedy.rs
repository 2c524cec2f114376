//! From the top down, one cut after the other.

use super::moments::Moments;
use super::segmentation::ROUNDING;
use super::{Points, Segmentation};
use std::ops::Range;

/// Cuts as the paper does: each time wherever the error falls most, and no cut is ever reconsidered.
///
/// Of equally good cuts the earliest is taken. There are fewer than `most` lines if no further cut
/// makes the error smaller, or none leaves `shortest` points on both sides.
#[must_use]
pub fn greedy(points: &Points, most: usize, shortest: usize) -> Segmentation {
    let rounding = ROUNDING * points.moments(0..points.len()).spread();
    let mut scratch = vec![0.0; points.len()];
    let mut best = |stretch: Range<usize>| {
        Stretch::new(points, stretch, shortest.max(1), rounding, &mut scratch)
    };
    let mut stretches = vec![best(0..points.len())];
    while stretches.len() < most {
        let mut chosen: Option<(usize, Cut)> = None;
        for (place, stretch) in stretches.iter().enumerate() {
            let least = chosen.map_or(0.0, |(_, cut)| cut.gain) + rounding;
            chosen = stretch.cut.filter(|cut| cut.gain > least).map(|cut| (place, cut)).or(chosen);
        }
        let Some((place, cut)) = chosen else { break };
        let Some(Stretch { points: whole, .. }) = stretches.get(place).cloned() else { break };
        let parts = [best(whole.start..cut.at), best(cut.at..whole.end)];
        stretches.splice(place..=place, parts);
    }
    let cuts: Vec<usize> = stretches.iter().skip(1).map(|stretch| stretch.points.start).collect();
    Segmentation::new(points, &cuts)
}

#[derive(Debug, Clone)]
struct Stretch {
    points: Range<usize>,
    cut: Option<Cut>,
}

/// Where a stretch is best cut.
#[derive(Debug, Clone, Copy)]
struct Cut {
    at: usize,
    /// By how much the error falls.
    gain: f64,
}

impl Stretch {
    fn new(
        points: &Points,
        stretch: Range<usize>,
        shortest: usize,
        rounding: f64,
        errors: &mut [f64],
    ) -> Stretch {
        // The errors of what would be right of each cut, then those of what would be left of it.
        let mut right = Moments::default();
        for (single, at) in points.singles(stretch.clone()).rev().zip(stretch.clone().rev()) {
            right = single.and(right);
            if let Some(error) = errors.get_mut(at) {
                *error = right.error();
            }
        }
        let whole = right.error();
        let mut left = Moments::default();
        let mut cut: Option<Cut> = None;
        for (single, at) in points.singles(stretch.clone()).zip(stretch.clone()) {
            let lengths = (at - stretch.start).min(stretch.end - at);
            if lengths >= shortest {
                let gain = whole - left.error() - errors.get(at).copied().unwrap_or(0.0);
                if gain > cut.map_or(0.0, |cut| cut.gain) + rounding {
                    cut = Some(Cut { at, gain });
                }
            }
            left = left.and(single);
        }
        Stretch { points: stretch, cut }
    }
}
