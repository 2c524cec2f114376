//! Correlators of shape: the paper's eight, and what it left to others.

mod auto_pattern;
mod best_splits;
mod cuts;
mod distance;
mod euclidean;
mod lagged;
mod manhattan;
mod manual_pattern;
mod pearson;
mod running;
mod same_splits;
mod spearman;
mod target_rows;
mod warping;

use crate::segment::{Points, Segmentation};
use crate::{Correlator, Judge, NoAnswer, Question};

/// Prepares a correlator of shape for a question.
///
/// # Errors
/// If it has nothing to say on it: the target does not change, too little of it was seen, no pattern
/// was drawn, or it is not one of [`Correlator::Pearson`] to [`Correlator::Lagged`].
pub fn prepare(
    correlator: Correlator,
    question: &Question,
) -> Result<Box<dyn Judge + '_>, NoAnswer> {
    Ok(match correlator {
        Correlator::Pearson => Box::new(pearson::Pearson::new(question)?),
        Correlator::Spearman => Box::new(spearman::Spearman::new(question)?),
        Correlator::Euclidean => Box::new(euclidean::Euclidean::new(question)?),
        Correlator::Manhattan => Box::new(manhattan::Manhattan::new(question)?),
        Correlator::Warping => Box::new(warping::Warping::new(question)?),
        Correlator::SameSplits => Box::new(same_splits::SameSplits::new(question)?),
        Correlator::BestSplits => Box::new(best_splits::BestSplits::new(question)?),
        Correlator::ManualPattern => Box::new(manual_pattern::ManualPattern::new(question)?),
        Correlator::AutoPattern => Box::new(auto_pattern::AutoPattern::new(question)?),
        Correlator::Lagged => Box::new(lagged::Lagged::new(question)?),
        other => return Err(NoAnswer(format!("{other} does not compare shapes"))),
    })
}

/// The lines that the target is cut into in each window, and what they are fitted to.
pub(crate) fn lines_of_target(
    question: &Question,
) -> Result<Vec<(Points, Segmentation)>, NoAnswer> {
    let cuts = cuts::of_target(question)?;
    Ok(cuts.into_iter().map(|cut| (cut.points, cut.lines)).collect())
}
