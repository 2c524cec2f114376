//! The Manhattan distance.

use super::distance::{of_distances, sums};
use super::target_rows::TargetRows;
use crate::{Judge, NoAnswer, Question, Score, Sequence};

/// The inverse of the mean absolute difference of z-scores.
#[derive(Debug)]
pub(super) struct Manhattan {
    asked: TargetRows,
}

impl Manhattan {
    pub(super) fn new(question: &Question) -> Result<Manhattan, NoAnswer> {
        Ok(Manhattan { asked: TargetRows::target(question)? })
    }
}

impl Judge for Manhattan {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let (with, against, count) = sums(&self.asked, metric, f64::abs)?;
        of_distances(with / count, against / count)
    }
}
