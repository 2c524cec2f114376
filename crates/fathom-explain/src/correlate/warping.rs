//! The warping distance.

use super::distance::of_distances;
use super::target_rows::TargetRows;
use crate::segment::centred::{Centred, length, sum};
use crate::{Judge, NoAnswer, Question, Score, Sequence};
use fathom_dtw::Warp;
use std::ops::Range;

/// Longer windows are averaged down to no more rows than this: time grows with the square.
const LONGEST: usize = 2000;

/// The inverse of the warping distance of z-scores per row; of several windows, each is warped on
/// its own.
#[derive(Debug)]
pub(super) struct Warping<'q> {
    asked: TargetRows,
    windows: &'q [Range<usize>],
    /// How many rows are averaged to one.
    merged: usize,
}

impl Warping<'_> {
    pub(super) fn new(question: &Question) -> Result<Warping<'_>, NoAnswer> {
        let asked = TargetRows::target(question)?;
        let longest = question.windows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let merged = longest.div_ceil(LONGEST).max(1);
        Ok(Warping { asked, windows: &question.windows, merged })
    }

    /// The values of each window, averaged, and how many there are in each.
    fn averaged(&self, rows: &[usize], values: &[f64]) -> (Vec<f64>, Vec<usize>) {
        if self.merged == 1 && self.windows.len() == 1 {
            return (values.to_vec(), vec![values.len()]);
        }
        let (mut averaged, mut lengths) = (Vec::new(), Vec::new());
        for window in self.windows {
            let start = rows.partition_point(|&row| row < window.start);
            let end = rows.partition_point(|&row| row < window.end);
            let before = averaged.len();
            for some in values.get(start..end).unwrap_or_default().chunks(self.merged) {
                // Divided first: a sum of the largest numbers would not be finite.
                let parts: Vec<f64> = some.iter().map(|value| value / length(some)).collect();
                averaged.push(if some.len() == 1 { some.iter().sum() } else { sum(&parts) });
            }
            lengths.push(averaged.len() - before);
        }
        (averaged, lengths)
    }
}

impl Judge for Warping<'_> {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let common = self.asked.common(metric)?;
        let (asked, lengths) = self.averaged(&common.rows, &common.asked);
        let (metric, _) = self.averaged(&common.rows, &common.metric);
        let mut asked = Centred::new(asked)?.standard();
        let mut metric = Centred::new(metric)?.standard();
        let rows = length(&asked);
        asked.iter_mut().chain(&mut metric).for_each(|value| *value *= rows.sqrt());
        let with = warped(&asked, &metric, &lengths)?;
        metric.iter_mut().for_each(|value| *value = -*value);
        let against = warped(&asked, &metric, &lengths)?;
        of_distances(with / rows, against / rows)
    }
}

/// The distances of stretches of these lengths, summed up.
fn warped(asked: &[f64], metric: &[f64], lengths: &[usize]) -> Option<f64> {
    let mut total = 0.0;
    let mut start = 0;
    for length in lengths.iter().filter(|length| **length > 0) {
        let stretch = start..start + length;
        start = stretch.end;
        total += Warp::new().distance(asked.get(stretch.clone())?, metric.get(stretch)?).ok()?;
    }
    Some(total)
}
