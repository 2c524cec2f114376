//! Pearson's coefficient.

use super::target_rows::TargetRows;
use crate::{Judge, NoAnswer, Question, Score, Sequence, Sign};

/// |r|, the paper's first.
#[derive(Debug)]
pub(super) struct Pearson {
    asked: TargetRows,
}

impl Pearson {
    pub(super) fn new(question: &Question) -> Result<Pearson, NoAnswer> {
        Ok(Pearson { asked: TargetRows::target(question)? })
    }
}

impl Judge for Pearson {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        of_coefficient(self.asked.correlation(metric)?)
    }
}

/// The score of a coefficient of any kind.
pub(super) fn of_coefficient(r: f64) -> Option<Score> {
    Score::new(r.abs(), Sign::of(r))
}
