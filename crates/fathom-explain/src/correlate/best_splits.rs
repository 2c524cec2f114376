//! Best splits.

use super::cuts::{self, Cut, greedily};
use super::target_rows::{TargetRows, coefficient};
use crate::segment::Points;
use crate::segment::centred::Centred;
use crate::{Grid, Judge, NoAnswer, Question, Score, Segments, Sequence, Sign};
use fathom_record::Timestamp;
use std::ops::Range;

/// The inverse of how far the metric's own cuts are from the target's, summed up over the cuts, in
/// rows. Both are cut greedily, as in the paper.
#[derive(Debug)]
pub(super) struct BestSplits<'q> {
    grid: &'q Grid,
    /// The target's lines.
    asked: TargetRows,
    windows: Vec<Window>,
}

#[derive(Debug)]
struct Window {
    rows: Range<usize>,
    lines: usize,
    /// When the target's cuts are, in rows after the start of the window.
    cuts: Vec<f64>,
}

impl BestSplits<'_> {
    pub(super) fn new(question: &Question) -> Result<BestSplits<'_>, NoAnswer> {
        TargetRows::target(question)?;
        let mut cut = cuts::of_target(question)?;
        if question.segments == Segments::Auto {
            let anew = |cut: Cut| greedily(cut.points, cut.lines.lines.len());
            cut = cut.into_iter().map(anew).collect();
        }
        let heights = cuts::heights(&cut);
        let asked = TargetRows::new(question, |row| heights.get(row))?;
        let grid = &question.grid;
        let windows: Vec<Window> = question
            .windows
            .iter()
            .zip(&cut)
            .map(|(rows, cut)| Window {
                rows: rows.clone(),
                lines: cut.lines.lines.len(),
                cuts: moments_of(cut, grid, rows),
            })
            .collect();
        if windows.iter().all(|window| window.cuts.is_empty()) {
            let hint = "use --segments 2 or more";
            return Err(NoAnswer(format!(
                "one segment fits the target, so there are no split points to compare: {hint}"
            )));
        }
        Ok(BestSplits { grid, asked, windows })
    }
}

impl Judge for BestSplits<'_> {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let common = self.asked.common(metric)?;
        Centred::new(common.metric.clone())?;
        let (mut apart, mut heights) = (0.0, Vec::new());
        for window in &self.windows {
            let start = common.rows.partition_point(|&row| row < window.rows.start);
            let end = common.rows.partition_point(|&row| row < window.rows.end);
            let rows = common.rows.get(start..end)?.to_vec();
            let points = Points::new(self.grid, rows, common.metric.get(start..end)?.to_vec());
            let cut = greedily(points, window.lines);
            let own = moments_of(&cut, self.grid, &window.rows);
            apart += between(&window.cuts, &own, window.rows.len());
            heights.extend(cut.lines.fitted(&cut.points));
        }
        let sign = match (Centred::new(common.asked.into_owned()), Centred::new(heights)) {
            (Some(asked), Some(fit)) => Sign::of(coefficient(&asked.standard(), &fit.standard())),
            _ => Sign::Unsaid,
        };
        // Far less than a row: what is left of it is rounding.
        Score::of_distance(if apart < 1e-6 { 0.0 } else { apart }, sign)
    }
}

/// When the cuts are, in mean rows after the start of the window: halfway between the end of the row
/// before and the start of the row after.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn moments_of(cut: &Cut, grid: &Grid, window: &Range<usize>) -> Vec<f64> {
    let Some((start, end)) = grid.span(window) else { return Vec::new() };
    let row = (end - start).nanoseconds_f64() / window.len() as f64;
    let after_start = |moment: Timestamp| (moment - start).nanoseconds_f64();
    let rows = cut.points.rows();
    let moment = |at: usize| {
        let before = grid.row(*rows.get(at.checked_sub(1)?)?)?.1;
        let after = grid.row(*rows.get(at)?)?.0;
        Some((after_start(before) + after_start(after)) * 0.5 / row)
    };
    cut.lines.cuts().filter_map(moment).collect()
}

/// How far the cuts of one are from those of the other, in order. Where one has fewer, because it is
/// made of fewer lines, those that the other has more are a whole window away; which ones those are
/// is chosen such that the rest is closest.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn between(these: &[f64], those: &[f64], window: usize) -> f64 {
    let (few, many) = if these.len() < those.len() { (these, those) } else { (those, these) };
    let lonely = window as f64;
    // The least sum for the cuts of `few` so far, by how many of `many` have no partner so far.
    let spare = many.len() - few.len();
    let mut sums: Vec<f64> = (0..=spare).map(|alone| lonely * alone as f64).collect();
    for (place, cut) in few.iter().enumerate() {
        let mut least = f64::INFINITY;
        for (alone, sum) in sums.iter_mut().enumerate() {
            let apart = many.get(place + alone).map_or(lonely, |other| (cut - other).abs());
            least = (least + lonely).min(*sum + apart);
            *sum = least;
        }
    }
    sums.last().copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_paired_in_order() {
        assert_eq!(between(&[10.0, 20.0], &[12.0, 19.0], 100), 3.0);
        assert_eq!(between(&[10.0, 20.0], &[19.0], 100), 101.0);
        assert_eq!(between(&[19.0], &[10.0, 20.0, 50.0], 100), 201.0);
        assert_eq!(between(&[49.0, 52.0], &[10.0, 50.0, 51.0], 100), 102.0);
        assert_eq!(between(&[], &[10.0, 50.0], 100), 200.0);
        assert_eq!(between(&[], &[], 100), 0.0);
    }
}
