//! The rows within the windows, and those that they are compared with.

use super::level::{scale_of, without_rounding};
use crate::{NoAnswer, Question, Sequence};
use std::ops::Range;

/// Fewer rows than these say nothing of how much a metric usually moves.
const FEWEST_BEFORE: usize = 3;

/// Which rows are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contrast {
    /// The baseline without the windows: a row that is asked about is not a row to compare with.
    baseline: Vec<Range<usize>>,
    windows: Vec<Range<usize>>,
}

/// The values of one metric that are compared, of ordinary size and without what rounding adds. None
/// of the scores depends on the size.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Levels {
    pub(super) baseline: Vec<f64>,
    pub(super) window: Vec<f64>,
}

impl Contrast {
    pub(super) fn new(question: &Question) -> Result<Contrast, NoAnswer> {
        let Some(baseline) = &question.baseline else {
            return Err(NoAnswer(
                "no rows are before or after the window, so there is no baseline; choose a shorter \
                 window, or set a baseline (--against)"
                    .to_string(),
            ));
        };
        let baseline = without(baseline, &question.windows);
        let rows: usize = baseline.iter().map(ExactSizeIterator::len).sum();
        if rows < FEWEST_BEFORE {
            return Err(NoAnswer(format!(
                "the baseline has {rows} rows outside the window, but {FEWEST_BEFORE} are needed; \
                 choose a longer one (--against)"
            )));
        }
        Ok(Contrast { baseline, windows: question.windows.clone() })
    }

    /// The baseline's stretches, in order, apart from the windows.
    pub(super) fn baseline(&self) -> &[Range<usize>] {
        &self.baseline
    }

    /// The windows.
    pub(super) fn windows(&self) -> &[Range<usize>] {
        &self.windows
    }

    /// A metric's values; `None` if too few were seen.
    pub(super) fn levels(&self, metric: &Sequence) -> Option<Levels> {
        let mut levels =
            Levels { baseline: seen(metric, &self.baseline), window: seen(metric, &self.windows) };
        if levels.baseline.len() < FEWEST_BEFORE || levels.window.is_empty() {
            return None;
        }
        let all = levels.baseline.iter().chain(&levels.window);
        let largest = all.fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let scale = scale_of(largest);
        if scale != 1.0 {
            let all = levels.baseline.iter_mut().chain(&mut levels.window);
            all.for_each(|value| *value *= scale);
        }
        Some(levels)
    }
}

/// What was seen of a metric in some stretches.
pub(super) fn seen(metric: &Sequence, stretches: &[Range<usize>]) -> Vec<f64> {
    let mut values = Vec::with_capacity(stretches.iter().map(ExactSizeIterator::len).sum());
    for stretch in stretches {
        let rows = stretch.start..stretch.end.min(metric.len());
        if metric.is_whole() {
            let all = metric.bridged().get(rows).unwrap_or_default();
            values.extend(all.iter().copied().map(without_rounding));
        } else {
            values.extend(rows.filter_map(|row| metric.get(row)).map(without_rounding));
        }
    }
    values
}

/// A stretch without others, which are in order.
fn without(stretch: &Range<usize>, others: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    let mut start = stretch.start;
    for other in others {
        left.push(start..other.start.min(stretch.end));
        start = start.max(other.end);
    }
    left.push(start..stretch.end);
    left.retain(|rows| !rows.is_empty());
    left
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
pub(super) mod tests {
    use super::*;
    use crate::{Grid, Segments};
    use fathom_record::Span;

    /// A question on as many rows; the target plays no part in what changed.
    pub(in crate::change) fn question(
        rows: usize,
        windows: &[Range<usize>],
        baseline: Option<Range<usize>>,
    ) -> Question {
        Question {
            grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: windows.to_vec(),
            baseline,
            segments: Segments::Auto,
            pattern: None,
        }
    }

    #[test]
    fn windows_are_no_part_of_the_baseline() {
        let windows = [2..4, 6..8];
        assert_eq!(without(&(0..10), &windows), [0..2, 4..6, 8..10]);
        assert_eq!(without(&(3..7), &windows), [4..6]);
        assert_eq!(without(&(0..2), &windows), [0..2]);
        assert_eq!(without(&(8..9), &windows), [8..9]);
        assert!(without(&(2..4), &windows).is_empty());
        assert!(without(&(6..7), &windows).is_empty());
    }

    #[test]
    fn without_a_baseline_it_says_what_to_do() {
        let none = Contrast::new(&question(9, &[0..9], None)).unwrap_err();
        assert!(none.0.contains("--against"), "{none}");
        let little = Contrast::new(&question(9, &[2..9], Some(0..9))).unwrap_err();
        assert!(little.0.contains("has 2 rows"), "{little}");
    }

    #[test]
    fn what_was_not_seen_is_left_out() {
        let contrast = Contrast::new(&question(8, &[5..8], Some(0..5))).unwrap();
        let metric = [Some(1.0), None, Some(2.0), Some(3.0), None, None, Some(9.0), Some(f64::NAN)];
        let levels = contrast.levels(&Sequence::new(&metric)).unwrap();
        assert_eq!(levels.baseline, [1.0, 2.0, 3.0]);
        assert_eq!(levels.window, [9.0]);
        assert_eq!(contrast.levels(&Sequence::new(&metric[..6])), None);
        assert_eq!(contrast.levels(&Sequence::new(&metric[2..])), None);
    }
}
