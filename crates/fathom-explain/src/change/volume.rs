//! By which share of it the mean moved.

use super::contrast::Contrast;
use super::level::Level;
use crate::{Judge, Score, Sequence, Sign};

/// The change of the mean in percent of the baseline's, times the share of the windows' rows that lie
/// on that side of the baseline's mean: what Netdata calls volume.
///
/// Infinite if the baseline's mean is 0 and the windows' is not, however close. Netdata gives those the
/// share of rows times the largest change of any metric; a score cannot depend on other metrics here,
/// and above all others is where most of them would be.
pub(super) struct Volume(pub(super) Contrast);

impl Judge for Volume {
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let levels = self.0.levels(metric)?;
        let before = Level::of(&levels.baseline)?.mean;
        let shift = Level::of(&levels.window)?.mean - before;
        let beyond = |value: &&f64| if shift > 0.0 { **value > before } else { **value < before };
        let share = levels.window.iter().filter(beyond).count() as f64 / levels.window.len() as f64;
        Score::new(100.0 * (shift / before).abs() * share, Sign::of(shift))
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::change::contrast::tests::question;

    fn score(values: &[f64]) -> Option<Score> {
        let question = question(values.len(), &[4..values.len()], Some(0..4));
        Volume(Contrast::new(&question).unwrap()).judge(&Sequence::from(values.to_vec()))
    }

    #[test]
    fn a_share_of_the_level_for_a_share_of_the_rows() {
        let up = score(&[1.0, 3.0, 2.0, 2.0, 4.0, 4.0]).unwrap();
        assert_eq!((up.value(), up.sign), (100.0, Sign::With));
        let half = score(&[1.0, 3.0, 2.0, 2.0, 6.0, 2.0]).unwrap();
        assert_eq!(half.value(), 50.0);
        let down = score(&[-1.0, -3.0, -2.0, -2.0, -4.0]).unwrap();
        assert_eq!((down.value(), down.sign), (100.0, Sign::Against));
    }

    #[test]
    fn a_row_at_the_level_is_on_neither_side() {
        let down = score(&[3.0, 3.0, 3.0, 3.0, 3.0, 1.5]).unwrap();
        assert_eq!((down.value(), down.sign), (12.5, Sign::Against));
        let up = score(&[3.0, 3.0, 3.0, 3.0, 3.0, 4.5]).unwrap();
        assert_eq!((up.value(), up.sign), (12.5, Sign::With));
    }

    #[test]
    fn from_nothing_to_something_is_infinite() {
        let woke = score(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
        assert_eq!((woke.value(), woke.sign), (f64::INFINITY, Sign::With));
        assert_eq!(score(&[0.0; 6]), None);
        let same = score(&[2.0; 6]).unwrap();
        assert_eq!((same.value(), same.sign), (0.0, Sign::Unsaid));
    }
}
