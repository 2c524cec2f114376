//! How far the steps within the windows are from the baseline's, as distributions.

use super::contrast::Contrast;
use super::kolmogorov::distance;
use super::level::Level;
use crate::{Judge, Score, Sequence, Sign};
use std::ops::Range;

/// Kolmogorov and Smirnov's distance of the differences from row to row, as in Netdata's metric
/// correlations (which turns it into a probability, with the same order for the same number of rows).
///
/// It sees that a metric became restless or calm, and hardly a new level. Its sign is that of the
/// levels.
pub(super) struct KsDifferences(pub(super) Contrast);

impl Judge for KsDifferences {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let levels = self.0.levels(metric)?;
        let shift = Level::of(&levels.window)?.mean - Level::of(&levels.baseline)?.mean;
        let mut before = differences(metric, self.0.baseline());
        let mut within = differences(metric, self.0.windows());
        let (distance, _) = distance(&mut before, &mut within)?;
        Score::new(distance, Sign::of(shift))
    }
}

/// The differences between neighbours that were both seen, never across two stretches.
fn differences(metric: &Sequence, stretches: &[Range<usize>]) -> Vec<f64> {
    let mut differences = Vec::new();
    for stretch in stretches {
        let rows = stretch.start..stretch.end.min(metric.len());
        let pairs = rows.clone().zip(rows.skip(1));
        differences.extend(pairs.filter_map(|(row, next)| {
            let (from, to) = (metric.get(row)?, metric.get(next)?);
            // May be infinite, which is an order like any other.
            let step = to - from;
            let is_rounding = step.abs() <= from.abs().max(to.abs()) * 1e-12;
            Some(if is_rounding { 0.0 } else { step })
        }));
    }
    differences
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::change::contrast::tests::question;

    #[test]
    fn restless_is_far_from_calm() {
        let question = question(12, &[6..12], Some(0..6));
        let judge = KsDifferences(Contrast::new(&question).unwrap());
        let ramp: Vec<f64> = (0..12).map(f64::from).collect();
        assert_eq!(judge.judge(&Sequence::from(ramp.clone())), None);
        let mut jumps = ramp;
        jumps.iter_mut().skip(7).step_by(2).for_each(|value| *value += 10.0);
        let score = judge.judge(&Sequence::from(jumps)).unwrap();
        assert!((score.value() - 0.6).abs() < 1e-15, "{score:?}");
        assert_eq!(score.sign, Sign::With);
    }

    #[test]
    fn differences_need_both_neighbours() {
        let metric = Sequence::new(&[Some(1.0), Some(3.0), None, Some(4.0), Some(9.0)]);
        assert_eq!(differences(&metric, &[0..9]), [2.0, 5.0]);
        assert!(differences(&metric, &[0..1, 1..2]).is_empty());
        let noise = Sequence::from(vec![0.3, 0.1 + 0.2, 0.3]);
        assert_eq!(differences(&noise, &[0..3]), [0.0, 0.0]);
        let widest = Sequence::from(vec![f64::MIN, f64::MAX]);
        assert_eq!(differences(&widest, &[0..2]), [f64::INFINITY]);
    }
}
