//! Changes of level where nobody asked.

use super::past::{Least, Past};
use crate::change::ChangeEvidence;
use crate::{Question, Sequence};
use std::ops::Range;

/// As the change score has it: the stretch that a window is compared with is so many times as long.
const TIMES_AS_LONG: usize = 4;
/// A change of less than this share of the level, or of the deviation, is never a large one.
const NEGLIGIBLE: f64 = 0.001;
/// Fewer rows have no places.
const FEWEST: usize = 6;

/// Looks for changes of level before, between and after the windows, from stretch to stretch as long as
/// they are. What changes from one side of a window to the other is what was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct PastChanges {
    baseline: Range<usize>,
    /// All rows but those that were asked about.
    pieces: Vec<Range<usize>>,
    /// How many rows a window has.
    asked: usize,
}

impl PastChanges {
    /// For a question.
    #[must_use]
    pub fn new(question: &Question) -> PastChanges {
        let windows = &question.windows;
        let starts = std::iter::once(0).chain(windows.iter().map(|window| window.end));
        let ends = windows.iter().map(|window| window.start).chain([question.grid.rows()]);
        let asked = windows.iter().map(ExactSizeIterator::len).sum::<usize>();
        PastChanges {
            baseline: question.baseline.clone().unwrap_or(0..0),
            pieces: starts.zip(ends).map(|(start, end)| start..end).collect(),
            asked: asked.div_ceil(windows.len().max(1)).max(1),
        }
    }

    /// Of a metric; its evidence says how many independent changes its usual size rests on, which is
    /// that in the baseline.
    #[must_use]
    pub fn of(&self, metric: &Sequence, evidence: &ChangeEvidence) -> Past {
        let seen = |rows: &Range<usize>| -> Vec<f64> {
            rows.clone().filter_map(|row| metric.get(row)).collect()
        };
        let mut pieces: Vec<Vec<f64>> = self.pieces.iter().map(seen).collect();
        let values = || pieces.iter().flatten();
        let count = values().count();
        let longest = pieces.iter().map(Vec::len).max().unwrap_or(0);
        let largest = values().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if longest < FEWEST || largest == 0.0 {
            return Past::default();
        }
        let level = values().map(|value| value / largest).sum::<f64>() / count as f64;
        pieces.iter_mut().flatten().for_each(|value| *value = *value / largest - level);
        let square = pieces.iter().flatten().map(|value| value * value).sum::<f64>();
        let before = self.asked.saturating_mul(TIMES_AS_LONG).min(longest / 2);
        let window = self.asked.min(longest / 6).max(1);
        // What follows is compared with it.
        let reach = [window - 1, window + before - 1];
        let mut all = Vec::with_capacity(count);
        for piece in &pieces {
            all.extend(changes(piece, before, window));
            // What happens in one piece is not in the next.
            all.extend(std::iter::repeat_n(f64::NAN, reach[1]));
        }
        let deviation = (square / count as f64).sqrt();
        let least = Least { size: NEGLIGIBLE * deviation, margin: NEGLIGIBLE * level.abs() };
        let known = all.iter().filter(|change| !change.is_nan()).count();
        let places = known as f64 / self.asked as f64;
        // The usual size of all places rests on more than that of the baseline.
        let in_baseline =
            self.pieces.iter().map(|piece| overlap(piece, &self.baseline)).sum::<usize>();
        let in_all = self.pieces.iter().map(ExactSizeIterator::len).sum::<usize>();
        let degrees = evidence.degrees * in_all as f64 / in_baseline.max(1) as f64;
        Past::new(&all, places, reach, least, [degrees, degrees.max(places)])
    }
}

/// By how much the level of `window` rows is above that of the rows before, at every place.
fn changes(values: &[f64], before: usize, window: usize) -> impl Iterator<Item = f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    for value in values {
        sum += value;
        sums.push(sum);
    }
    let mean = move |from: usize, rows: usize| {
        let at = |row: usize| sums.get(row).copied().unwrap_or(sum);
        (at(from + rows) - at(from)) / rows as f64
    };
    let end = (values.len() + 1).saturating_sub(window);
    (before..end).map(move |place| mean(place, window) - mean(place - before, before))
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
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
        let asked = Pool::new(&[past(&metric, Some(0..1000), 395..425)], 1);
        assert_eq!(asked.share(1e-6), 0.0, "{asked:?}");
    }

    /// What follows the window says as much of a metric as what precedes it.
    #[test]
    fn rows_after_the_window_are_looked_at_too() {
        let mut metric = noise(1020);
        let little = Pool::new(&[past(&metric[..220], Some(0..200), 200..220)], 1);
        assert!(little.share(1e-6) > 0.1, "{little:?}");
        let more = Pool::new(&[past(&metric, Some(0..200), 200..220)], 1);
        assert_eq!(more.share(1e-6), 0.0, "{more:?}");
        // A change from one side of the window to the other is the one asked about.
        metric[210..].iter_mut().flatten().for_each(|value| *value += 900.0);
        let step = Pool::new(&[past(&metric, Some(0..200), 200..220)], 1);
        assert_eq!(step.share(1e-6), 0.0, "{step:?}");
        metric[600..620].iter_mut().flatten().for_each(|value| *value += 900.0);
        let burst = Pool::new(&[past(&metric, Some(0..200), 200..220)], 1);
        assert!(burst.share(1e-6) > 0.04, "{burst:?}");
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
