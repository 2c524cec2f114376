//! The manual linear pattern.

use super::pearson::of_coefficient;
use super::target_rows::TargetRows;
use crate::{Judge, NoAnswer, Question, Score, Sequence};

/// |r| with what somebody drew over the target. Where it was drawn it has a height in every row,
/// also where the target was not seen.
#[derive(Debug)]
pub(super) struct ManualPattern {
    asked: TargetRows,
}

impl ManualPattern {
    pub(super) fn new(question: &Question) -> Result<ManualPattern, NoAnswer> {
        let Some(pattern) = &question.pattern else {
            return Err(NoAnswer("there is no pattern: draw one with --pattern".into()));
        };
        let height = |row: usize| {
            let (start, end) = question.grid.row(row)?;
            Some(pattern.at(start.nanoseconds_f64() * 0.5 + end.nanoseconds_f64() * 0.5))
        };
        let asked = TargetRows::new(question, height)?;
        if asked.is_constant() {
            let hint = "draw one that rises or falls";
            return Err(NoAnswer(format!("the pattern is level within the window: {hint}")));
        }
        Ok(ManualPattern { asked })
    }
}

impl Judge for ManualPattern {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        of_coefficient(self.asked.correlation(metric)?)
    }
}
