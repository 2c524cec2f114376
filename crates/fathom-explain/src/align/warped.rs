//! One run's common metric warped onto the reference's.

use super::time_map::TimeMap;
use super::track::{self, Track};
use fathom_dtw::{Alignment, Path, Warp, WarpError};
use fathom_record::{Span, Timestamp};
use std::sync::Arc;

/// Two tracks and how they belong together.
#[derive(Debug, Clone)]
pub(super) struct Warped {
    pub(super) x: Arc<Track>,
    pub(super) y: Arc<Track>,
    pub(super) compared: Compared,
    /// In the unit of what was compared.
    pub(super) penalty: f64,
    /// The least sum of differences and penalties.
    pub(super) distance: f64,
    pub(super) path: Path,
    pub(super) map: TimeMap,
    /// Over what length of time samples were averaged first.
    pub(super) averaged: Option<Span>,
}

/// The values whose differences are summed.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// What they must be multiplied with to be in the unit that costs are told in.
    pub(super) scale: f64,
}

impl Compared {
    fn new(x: &[f64], y: &[f64], normalise: bool) -> Compared {
        let scale = harmless_scale(x.iter().chain(y));
        let scaled = |values: &[f64]| values.iter().map(|value| value / scale).collect::<Vec<_>>();
        let (x, y) = (scaled(x), scaled(y));
        match normalise {
            true => Compared { x: z_scores(&x), y: z_scores(&y), scale: 1.0 },
            false => Compared { x, y, scale },
        }
    }
}

/// A power of two, so that dividing is exact, by which sums of differences stay numbers.
fn harmless_scale<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let largest = values.fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Squares of what lies between 2^-300 and 2^324, and sums of millions of them, are numbers.
    if largest > 2.0_f64.powi(400) { 2.0_f64.powi(700) } else { 1.0 }
}

/// Mean 0 and standard deviation 1; zeros for what never changes.
fn z_scores(values: &[f64]) -> Vec<f64> {
    let (mean, deviation) = mean_and_deviation(values);
    let score = |value: &f64| if deviation > 0.0 { (value - mean) / deviation } else { 0.0 };
    values.iter().map(score).collect()
}

/// Of a population; (0, 0) of nothing.
#[allow(clippy::cast_precision_loss, reason = "samples are far fewer than 2^53")]
pub(super) fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let Some(&first) = values.first() else { return (0.0, 0.0) };
    if values.iter().all(|&value| value == first) {
        // The mean would round.
        return (first, 0.0);
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / count).sqrt())
}

/// Aligns the reference x with a run y.
pub(super) fn warp(
    x: &Arc<Track>,
    y: &Arc<Track>,
    normalise: bool,
    penalty: f64,
    how: Warp<'_>,
) -> Result<Warped, WarpError> {
    let (x, y, averaged) = match track::of_bearable_length(x, y) {
        Some((x, y, length)) => (Arc::new(x), Arc::new(y), Some(length)),
        None => (Arc::clone(x), Arc::clone(y), None),
    };
    let compared = Compared::new(x.values(), y.values(), normalise);
    let penalty = penalty / compared.scale;
    let Alignment { distance, path } = how.penalty(penalty).align(&compared.x, &compared.y)?;
    let map = TimeMap::new(&path, x.edges(), y.edges());
    Ok(Warped { x, y, compared, penalty, distance, path, map, averaged })
}

impl Warped {
    /// For each pair of the path, which sample of the reference it has, and how far apart its samples
    /// are, in the unit of what was compared.
    pub(super) fn differences(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (x, y) = (&self.compared.x, &self.compared.y);
        self.path.iter().filter_map(|(i, j)| Some((i, (x.get(i)? - y.get(j)?).abs())))
    }

    /// A difference in the unit that costs are told in.
    pub(super) fn told(&self, difference: f64) -> f64 {
        (difference * self.compared.scale).min(f64::MAX)
    }

    /// A stretch of the reference's time in the run's: from the start of the first sample that
    /// matches one of the stretch to the end of the last such sample, as the paper has it. What lies
    /// beyond the common metric is carried on at the same pace.
    pub(super) fn carried(&self, span: (Timestamp, Timestamp)) -> (Timestamp, Timestamp) {
        self.carried_by(&self.path, &self.map, span)
    }

    /// The same by another path through these tracks.
    pub(super) fn carried_by(
        &self,
        path: &Path,
        map: &TimeMap,
        (start, end): (Timestamp, Timestamp),
    ) -> (Timestamp, Timestamp) {
        let (first, last) = self.x.span();
        let matched = self.x.overlapped(start, end).and_then(|samples| path.window(samples));
        let edge = |n: usize| self.y.edges().get(n).copied();
        let matched = matched.and_then(|m| Some((edge(*m.start())?, edge(*m.end() + 1)?)));
        let Some((low, high)) = matched else { return (map.there(start), map.there(end)) };
        let low = if start < first { map.there(start) } else { low };
        let high = if end > last { map.there(end) } else { high };
        (low, high)
    }
}
