//! Same splits.

use super::cuts;
use super::target_rows::{TargetRows, coefficient};
use crate::segment::centred::Centred;
use crate::segment::forced::forced;
use crate::{Grid, Judge, NoAnswer, Question, Score, Sequence, Sign};
use std::ops::Range;

/// How much of the metric's movement lines explain that are cut where the target's are: R². The
/// paper's inverse of the error would depend on the metric's unit.
#[derive(Debug)]
pub(super) struct SameSplits<'q> {
    grid: &'q Grid,
    windows: &'q [Range<usize>],
    /// The target's lines.
    asked: TargetRows,
    /// The first row of each line, in all windows.
    starts: Vec<usize>,
}

impl SameSplits<'_> {
    pub(super) fn new(question: &Question) -> Result<SameSplits<'_>, NoAnswer> {
        TargetRows::target(question)?;
        let cuts = cuts::of_target(question)?;
        let heights = cuts::heights(&cuts);
        let asked = TargetRows::new(question, |row| heights.get(row))?;
        let start =
            |line: &crate::segment::Line, rows: &[usize]| rows.get(line.points.start).copied();
        let starts = cuts.iter().flat_map(|cut| {
            cut.lines.lines.iter().filter_map(|line| start(line, cut.points.rows()))
        });
        let starts = starts.collect();
        Ok(SameSplits { grid: &question.grid, windows: &question.windows, asked, starts })
    }
}

impl Judge for SameSplits<'_> {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let common = self.asked.common(metric)?;
        // Lines through two points each fit everything.
        if common.rows.len() <= 2 * self.starts.len() {
            return None;
        }
        let values = Centred::new(common.metric)?.values;
        let (mut error, mut spread, mut heights) = (0.0, 0.0, Vec::new());
        for window in self.windows {
            let start = common.rows.partition_point(|&row| row < window.start);
            let end = common.rows.partition_point(|&row| row < window.end);
            let rows = common.rows.get(start..end)?;
            let fit = forced(self.grid, rows, values.get(start..end)?, &self.starts);
            error += fit.error;
            spread += fit.spread;
            heights.extend(fit.heights);
        }
        if spread <= 0.0 {
            return None;
        }
        let sign = match (Centred::new(common.asked.into_owned()), Centred::new(heights)) {
            (Some(asked), Some(fit)) => Sign::of(coefficient(&asked.standard(), &fit.standard())),
            _ => Sign::Unsaid,
        };
        Score::new((1.0 - error / spread).clamp(0.0, 1.0), sign)
    }
}
