//! Changes of level before anybody asked.

use super::past::{Least, Past};
use crate::change::ChangeEvidence;
use crate::{Question, Sequence};
use std::ops::Range;

/// As the change score has it: the stretch that a window is compared with is so many times as long.
const TIMES_AS_LONG: usize = 4;
/// A change of less than this share of the level, or of the deviation, is never a large one.
const NEGLIGIBLE: f64 = 0.001;
/// A history of fewer rows has no places.
const FEWEST_BEFORE: usize = 6;

/// Looks for changes of level in the baseline, between stretches as long as the windows.
#[derive(Debug, Clone, PartialEq)]
pub struct PastChanges {
    baseline: Range<usize>,
    windows: Vec<Range<usize>>,
}

impl PastChanges {
    /// For a question.
    #[must_use]
    pub fn new(question: &Question) -> PastChanges {
        let baseline = question.baseline.clone().unwrap_or(0..0);
        PastChanges { baseline, windows: question.windows.clone() }
    }

    /// Of a metric; its evidence says how many independent changes its usual size rests on.
    #[must_use]
    pub fn of(&self, metric: &Sequence, evidence: &ChangeEvidence) -> Past {
        let is_asked = |row: &usize| self.windows.iter().any(|window| window.contains(row));
        let rows = self.baseline.clone().filter(|row| !is_asked(row));
        let history: Vec<f64> = rows.filter_map(|row| metric.get(row)).collect();
        let count = history.len();
        let largest = history.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if count < FEWEST_BEFORE || largest == 0.0 {
            return Past::default();
        }
        let asked = self.windows.iter().map(ExactSizeIterator::len).sum::<usize>();
        let asked = asked.div_ceil(self.windows.len().max(1)).max(1);
        let before = asked.saturating_mul(TIMES_AS_LONG).min(count / 2);
        let window = asked.min(count / 6).max(1);
        let level = history.iter().map(|value| value / largest).sum::<f64>() / count as f64;
        let centred = history.iter().map(|value| value / largest - level);
        let (mut sum, mut square) = (0.0, 0.0);
        let mut sums = vec![0.0];
        for value in centred {
            sum += value;
            square += value * value;
            sums.push(sum);
        }
        let mean = |from: usize, rows: usize| {
            let at = |row: usize| sums.get(row).copied().unwrap_or(sum);
            (at(from + rows) - at(from)) / rows as f64
        };
        let changes: Vec<f64> = (before..=count - window)
            .map(|place| mean(place, window) - mean(place - before, before))
            .collect();
        let deviation = (square / count as f64).sqrt();
        let least = Least { size: NEGLIGIBLE * deviation, margin: NEGLIGIBLE * level.abs() };
        let places = changes.len() as f64 / asked as f64;
        let degrees = evidence.degrees;
        // What follows is compared with it.
        let reach = [window - 1, window + before - 1];
        Past::new(&changes, places, reach, least, [degrees, degrees.max(places)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::ChangeJudge;
    use crate::significance::Pool;
    use crate::{Grid, Segments};

    fn past(metric: &[Option<f64>], baseline: Option<Range<usize>>, window: Range<usize>) -> Past {
        let rows = metric.len();
        let question = Question {
            grid: Grid::new((0..=rows as i64).collect()).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: std::iter::once(window).collect(),
            baseline,
            segments: Segments::Auto,
            pattern: None,
        };
        let metric = Sequence::new(metric);
        let evidence = ChangeJudge::new(&question).ok().and_then(|judge| judge.evidence(&metric));
        evidence.map_or_else(Past::default, |evidence| {
            PastChanges::new(&question).of(&metric, &evidence)
        })
    }

    fn noise(rows: usize) -> Vec<Option<f64>> {
        (0..rows).map(|n| Some(((n * n * 37 + n * 11) % 101) as f64 - 50.0)).collect()
    }

    /// A burst within the window is less of a surprise if there was one before.
    #[test]
    fn bursts_of_the_past_are_found() {
        let mut metric = noise(1020);
        let calm = Pool::new(&[past(&metric, Some(0..1000), 1000..1020)], 1);
        assert_eq!(calm.share(1e-6), 0.0, "{calm:?}");
        metric[400..420].iter_mut().flatten().for_each(|value| *value += 900.0);
        let burst = Pool::new(&[past(&metric, Some(0..1000), 1000..1020)], 1);
        // One in the past and the one asked about, in 45 windows.
        assert!((burst.share(1e-6) - 2.0 / 46.0).abs() < 0.002, "{burst:?}");
        // With gaps it is the same burst.
        metric.iter_mut().step_by(7).for_each(|value| *value = None);
        let gappy = Pool::new(&[past(&metric, Some(0..1000), 1000..1020)], 1);
        assert!(gappy.share(1e-6) > 0.04, "{gappy:?}");
        // Within the window it is no past.
        let asked = Pool::new(&[past(&metric, Some(0..1000), 380..440)], 1);
        assert_eq!(asked.share(1e-6), 0.0, "{asked:?}");
    }

    #[test]
    fn little_or_nothing_is_no_past() {
        assert_eq!(past(&noise(30), None, 10..30), Past::default());
        assert_eq!(past(&[Some(0.0); 30], Some(0..20), 20..30), Past::default());
        for rows in [7, 8, 13, 50] {
            let short = Pool::new(&[past(&noise(rows), Some(0..6), 6..rows)], 1);
            assert!(short.share(0.0) > 0.1, "{rows}: {short:?}");
        }
        let wild: Vec<Option<f64>> =
            (0..90).map(|n| Some(if n % 3 == 0 { f64::MAX } else { f64::MIN })).collect();
        let wild = Pool::new(&[past(&wild, Some(0..80), 80..90)], 1);
        assert!(wild.share(0.0).is_finite());
    }
}
