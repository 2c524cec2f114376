//! The automatic linear pattern.

use super::pearson::of_coefficient;
use super::target_rows::TargetRows;
use crate::segment::automatic_pattern;
use crate::{Judge, NoAnswer, Question, Score, Sequence};

/// |r| with the lines that fit the target best, its spikes removed: what the paper's analyst draws by
/// hand.
#[derive(Debug)]
pub(super) struct AutoPattern {
    asked: TargetRows,
}

impl AutoPattern {
    pub(super) fn new(question: &Question) -> Result<AutoPattern, NoAnswer> {
        TargetRows::target(question)?;
        let pattern = |window: &std::ops::Range<usize>| {
            automatic_pattern(&question.grid, &question.target, window.clone())
        };
        let patterns: Vec<(usize, Vec<f64>)> =
            question.windows.iter().map(|window| (window.start, pattern(window))).collect();
        let height = |row: usize| {
            question.target.get(row)?;
            let window = patterns.partition_point(|(start, _)| *start <= row).checked_sub(1)?;
            let (start, heights) = patterns.get(window)?;
            heights.get(row - start).copied()
        };
        let asked = TargetRows::new(question, height)?;
        if asked.is_constant() {
            let hint = "use --pattern, or select another window";
            return Err(NoAnswer(format!("the target changes only by spikes: {hint}")));
        }
        Ok(AutoPattern { asked })
    }
}

impl Judge for AutoPattern {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        of_coefficient(self.asked.correlation(metric)?)
    }
}
