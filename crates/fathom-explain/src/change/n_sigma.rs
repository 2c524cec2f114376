//! By how many standard deviations the mean moved.

use super::contrast::Contrast;
use super::level::Level;
use crate::{Judge, Score, Sequence, Sign};

/// |mean of the windows - mean of the baseline| / standard deviation of the baseline.
///
/// Some tools take the largest distance of a single value instead; one spike decides then. Infinite
/// if the baseline is constant and the windows' mean is another one, however close.
pub(super) struct NSigma(pub(super) Contrast);

impl Judge for NSigma {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let levels = self.0.levels(metric)?;
        let before = Level::of(&levels.baseline)?;
        let shift = Level::of(&levels.window)?.mean - before.mean;
        // 0 / 0 is not a number, and no score.
        Score::new(shift.abs() / before.deviation, Sign::of(shift))
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::change::contrast::tests::question;

    fn score(values: &[f64]) -> Option<Score> {
        let question = question(values.len(), &[5..values.len()], Some(0..5));
        NSigma(Contrast::new(&question).unwrap()).judge(&Sequence::from(values.to_vec()))
    }

    #[test]
    fn a_shift_in_standard_deviations() {
        let up = score(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]).unwrap();
        assert!((up.value() - 4.0 / 2.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(up.sign, Sign::With);
        let down = score(&[1.0, 2.0, 3.0, 4.0, 5.0, 0.0]).unwrap();
        assert_eq!(down.sign, Sign::Against);
    }

    #[test]
    fn a_constant_baseline_is_infinitely_far_or_says_nothing() {
        assert_eq!(score(&[2.0, 2.0, 2.0, 2.0, 2.0, 3.0]).unwrap().value(), f64::INFINITY);
        assert_eq!(score(&[2.0; 8]), None);
        // 0.1 + 0.2 is 0.3, rounding apart.
        assert_eq!(score(&[0.3, 0.3, 0.3, 0.3, 0.3, 0.1 + 0.2]), None);
    }

    #[test]
    fn extremes_have_scores() {
        let large = score(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|x| x * 1e307)).unwrap();
        let small = score(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|x| x * 1e-305)).unwrap();
        let plain = score(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert!((large.value() / plain.value() - 1.0).abs() < 1e-10);
        assert!((small.value() / plain.value() - 1.0).abs() < 1e-10);
        let widest = score(&[f64::MIN, f64::MAX, f64::MIN, f64::MAX, 0.0, f64::MAX]);
        assert!(widest.unwrap().value().is_finite());
    }
}
