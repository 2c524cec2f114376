//! What changed: the level within the windows against a baseline.
//!
//! What each score means and where it misleads is in `docs/methods/change-correlators.md`.

mod baro;
mod change_score;
mod contrast;
mod evidence;
mod held_back;
mod kolmogorov;
mod ks_differences;
mod ks_levels;
mod level;
mod n_sigma;
mod products;
mod usual;
mod volume;

pub use change_score::ChangeJudge;
pub use evidence::ChangeEvidence;
pub(crate) use held_back::hold_back;
pub(crate) use level::without_rounding;
pub(crate) use products::sum_of_products;

use crate::{Correlator, Judge, NoAnswer, Question};
use contrast::Contrast;

/// Prepares one of the correlators that compare the windows with a baseline.
///
/// # Errors
/// If the question has no baseline to compare with, or the correlator is of another family.
pub fn prepare(
    correlator: Correlator,
    question: &Question,
) -> Result<Box<dyn Judge + '_>, NoAnswer> {
    Ok(match correlator {
        Correlator::NSigma => Box::new(n_sigma::NSigma(Contrast::new(question)?)),
        Correlator::Volume => Box::new(volume::Volume(Contrast::new(question)?)),
        Correlator::KsLevels => Box::new(ks_levels::KsLevels(Contrast::new(question)?)),
        Correlator::KsDifferences => {
            Box::new(ks_differences::KsDifferences(Contrast::new(question)?))
        }
        Correlator::Baro => Box::new(baro::Baro(Contrast::new(question)?)),
        Correlator::ChangeScore => Box::new(ChangeJudge::new(question)?),
        other => {
            return Err(NoAnswer(format!("{other} does not compare windows with a baseline")));
        }
    })
}
