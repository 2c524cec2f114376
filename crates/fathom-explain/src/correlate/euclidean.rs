//! The Euclidean distance.

use super::distance::{of_distances, sums};
use super::target_rows::TargetRows;
use crate::{Judge, NoAnswer, Question, Score, Sequence};

/// The inverse of the root of the mean squared difference of z-scores. It ranks as |r| does: the
/// mean squared difference is 2(1 - |r|).
#[derive(Debug)]
pub(super) struct Euclidean {
    asked: TargetRows,
}

impl Euclidean {
    pub(super) fn new(question: &Question) -> Result<Euclidean, NoAnswer> {
        Ok(Euclidean { asked: TargetRows::target(question)? })
    }
}

impl Judge for Euclidean {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let (with, against, count) = sums(&self.asked, metric, |apart| apart * apart)?;
        of_distances((with / count).sqrt(), (against / count).sqrt())
    }
}
