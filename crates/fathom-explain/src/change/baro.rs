//! The largest distance from the median, in interquartile ranges.

use super::contrast::Contrast;
use super::level::Level;
use crate::{Judge, Score, Sequence, Sign};
use fathom_stats::Probability;
use fathom_stats::quantile::of_unsorted;

/// The interquartile range of a normal distribution of deviation 1.
const NORMAL_RANGE: f64 = 1.348_979_500_392_163_5;

/// The largest |x - median of the baseline| / interquartile range of the baseline within the windows:
/// BARO's score, which does not let outliers of the baseline widen the scale. BARO looks up only; here
/// a drop counts as much as a rise.
///
/// If half of the baseline is one value the range is 0, as is usual of errors and other rare things.
/// The scale is then the standard deviation's, unless it is 0 too: infinite, if the windows move.
pub(super) struct Baro(pub(super) Contrast);

impl Judge for Baro {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let mut levels = self.0.levels(metric)?;
        let mut quantile = |p: f64| of_unsorted(&mut levels.baseline, Probability::new(p).ok()?);
        let (low, median, high) = (quantile(0.25)?, quantile(0.5)?, quantile(0.75)?);
        let mut scale = high - low;
        if scale == 0.0 {
            scale = NORMAL_RANGE * Level::of(&levels.baseline)?.deviation;
        }
        let moves = levels.window.iter().map(|value| value - median);
        let furthest = moves.max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        Score::new(furthest.abs() / scale, Sign::of(furthest))
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::change::contrast::tests::question;

    fn score(values: &[f64]) -> Option<Score> {
        let question = question(values.len(), &[5..values.len()], Some(0..5));
        Baro(Contrast::new(&question).unwrap()).judge(&Sequence::from(values.to_vec()))
    }

    #[test]
    fn the_furthest_value_in_ranges() {
        let down = score(&[5.0, 1.0, 4.0, 2.0, 3.0, 5.0, -3.0, 4.0]).unwrap();
        assert_eq!((down.value(), down.sign), (3.0, Sign::Against));
        let outlier = score(&[999.0, 1.0, 4.0, 2.0, 3.0, 5.0, 9.0]).unwrap();
        assert_eq!((outlier.value(), outlier.sign), (3.0, Sign::With));
    }

    #[test]
    fn rare_things_have_the_scale_of_their_deviation() {
        let rare = score(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        assert!((rare.value() - 1.0 / (NORMAL_RANGE * 0.2_f64.sqrt())).abs() < 1e-12);
        assert_eq!(score(&[7.0, 7.0, 7.0, 7.0, 7.0, 8.0]).unwrap().value(), f64::INFINITY);
        assert_eq!(score(&[7.0; 9]), None);
    }
}
