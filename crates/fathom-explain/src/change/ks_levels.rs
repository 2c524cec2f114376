//! How far the values within the windows are from the baseline's, as distributions.

use super::contrast::Contrast;
use super::kolmogorov::distance;
use crate::{Judge, Score, Sequence};

/// Kolmogorov and Smirnov's distance of the values, from 0 to 1. Few rows have few distances: with a
/// window of five rows many metrics are at 1.
pub(super) struct KsLevels(pub(super) Contrast);

impl Judge for KsLevels {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let mut levels = self.0.levels(metric)?;
        let (distance, sign) = distance(&mut levels.baseline, &mut levels.window)?;
        Score::new(distance, sign)
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::Sign;
    use crate::change::contrast::tests::question;

    #[test]
    fn the_window_against_the_baseline() {
        let question = question(8, &[5..8], Some(0..5));
        let judge = KsLevels(Contrast::new(&question).unwrap());
        let metric = vec![5.0, 1.0, 4.0, 2.0, 3.0, 4.5, 9.0, 4.5];
        let score = judge.judge(&Sequence::from(metric)).unwrap();
        assert!((score.value() - 0.8).abs() < 1e-15);
        assert_eq!(score.sign, Sign::With);
        assert_eq!(judge.judge(&Sequence::from(vec![3.0; 8])), None);
    }
}
