//! By how many of its usual changes the level moved.

use super::ChangeEvidence;
use super::contrast::{Contrast, seen};
use super::held_back::hold_back;
use super::level::{Level, scale_of, without_rounding};
use super::usual::{Placed, Usual};
use crate::{Judge, NoAnswer, Question, Score, Sequence, Sign};
use std::ops::Range;

/// A history of fewer rows has too few places to put a window.
const FEWEST_BEFORE: usize = 6;

/// The stretch that windows are compared with is this many times as long as they are.
const TIMES_AS_LONG: usize = 4;

/// A change of less than this share of the level, or of the deviation, is never a large one.
const NEGLIGIBLE: f64 = 0.001;

/// Compares the level within the windows with the level right before them, and the difference with
/// those between other stretches as long, in the baseline.
///
/// A z of 3 is a change three times as large as the metric's usual one. With
/// [`ChangeEvidence::degrees`] it is about distributed as Student's t if nothing happened, whether the
/// metric has no memory or is a random walk: see `docs/methods/change-correlators.md` for what was
/// measured. The degrees may be below 1: the baseline is then shorter than the window, and shows
/// almost nothing of what is usual.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeJudge {
    contrast: Contrast,
    /// How many rows the baseline has.
    rows: usize,
}

impl ChangeJudge {
    /// Prepared for a question.
    ///
    /// # Errors
    /// If there is no baseline, or too short a one.
    pub fn new(question: &Question) -> Result<ChangeJudge, NoAnswer> {
        let contrast = Contrast::new(question)?;
        let rows = contrast.baseline().iter().map(ExactSizeIterator::len).sum();
        if rows < FEWEST_BEFORE {
            return Err(NoAnswer(format!(
                "the baseline has {rows} rows outside the window, but {FEWEST_BEFORE} are needed to \
                 estimate the usual variation; choose a longer one (--against)"
            )));
        }
        Ok(ChangeJudge { contrast, rows })
    }

    /// How a metric changed; `None` if too few of its rows were seen.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    pub fn evidence(&self, metric: &Sequence) -> Option<ChangeEvidence> {
        let history = History::of(metric, self.contrast.baseline());
        let windows = Windows::of(metric, self.contrast.windows());
        let count = history.values.len();
        if count < FEWEST_BEFORE || windows.seen == 0 {
            return None;
        }
        let largest = history.values.iter().chain(windows.values()).fold(0.0, largest);
        let scale = scale_of(largest);
        let mut history = history.scaled(scale);
        let windows = windows.scaled(scale);
        // A row far out is neither the level nor the usual change; those of the windows are asked about.
        hold_back(&mut history.values);

        // Rows of a window, on average.
        let asked = windows.seen.div_ceil(windows.stretches.len().max(1));
        let before = asked.saturating_mul(TIMES_AS_LONG).min(count / 2);
        let level = Level::of(&history.values)?;
        let (mut shift, mut reference, mut mirrored) = (0.0, 0.0, 0.0);
        let mut placed = Vec::with_capacity(windows.stretches.len());
        for (rows, values) in &windows.stretches {
            let weight = values.len() as f64 / windows.seen as f64;
            let (nearest, gap, follows) = history.beside(rows, before);
            let nearest = Level::of(nearest)?.mean;
            mirrored += if follows { weight } else { 0.0 };
            shift += weight * (Level::of(values)?.mean - nearest);
            reference += weight * nearest;
            // In rows that are seen, as the history's are counted.
            let gap = gap.saturating_mul(count) / self.rows;
            placed.push(fitted(Placed { gap, rows: values.len(), weight }, count, before));
        }
        let possible = (count - before) as f64 / asked as f64;
        let mut evidence = ChangeEvidence {
            shift: finite(shift / scale),
            relative: (reference != 0.0).then(|| finite(shift / reference.abs())),
            z: 0.0,
            degrees: possible,
            constant_before: None,
        };
        if level.is_constant() {
            let moves = windows.values().any(|&value| value != level.mean);
            if moves {
                evidence.z = f64::INFINITY;
                evidence.constant_before = Some(count);
            }
            return Some(evidence);
        }
        let mut centred: Vec<f64> = history.values.iter().map(|value| value - level.mean).collect();
        if mirrored > 0.5 {
            centred.reverse();
        }
        let usual = Usual::of(&centred, before, &placed)?;
        // A period that the stretches are a multiple of has no changes at all.
        let size = usual.size.max(NEGLIGIBLE * level.deviation);
        evidence.z = shift.abs() / (size + NEGLIGIBLE * level.mean.abs());
        evidence.degrees = possible.min(usual.independent);
        Some(evidence)
    }
}

impl Judge for ChangeJudge {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let evidence = self.evidence(metric)?;
        Score::new(evidence.z, Sign::of(evidence.shift))
    }
}

/// A window so short and near that a third of the history's rows are places for it, and a sixth are
/// as many as it has.
fn fitted(window: Placed, history: usize, before: usize) -> Placed {
    let rows = window.rows.min((history / 6).max(1));
    let reach = history.saturating_sub(before + history / 3);
    Placed { rows, gap: window.gap.min(reach.saturating_sub(rows)), ..window }
}

fn largest(largest: f64, value: &f64) -> f64 {
    largest.max(value.abs())
}

/// The nearest number there is.
fn finite(number: f64) -> f64 {
    number.clamp(f64::MIN, f64::MAX)
}

/// What was seen of the baseline.
struct History {
    /// In which rows, increasing.
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl History {
    fn of(metric: &Sequence, stretches: &[Range<usize>]) -> History {
        let rows =
            stretches.iter().flat_map(|stretch| stretch.start..stretch.end.min(metric.len()));
        let (rows, values) =
            rows.filter_map(|row| Some((row, without_rounding(metric.get(row)?)))).unzip();
        History { rows, values }
    }

    fn scaled(mut self, scale: f64) -> History {
        self.values.iter_mut().for_each(|value| *value *= scale);
        self
    }

    /// The values nearest to a window, how many rows lie between, and whether they follow it: those
    /// before it, or after it if more follow than precede. At most half of the history is asked for,
    /// so there are as many.
    fn beside(&self, window: &Range<usize>, count: usize) -> (&[f64], usize, bool) {
        let preceding = self.rows.partition_point(|&row| row < window.start);
        let follows = preceding < self.rows.len() - preceding;
        let (values, gap) = if !follows {
            let last = preceding.checked_sub(1).and_then(|last| self.rows.get(last));
            let gap = last.map_or(0, |last| window.start - last - 1);
            (self.values.get(preceding.saturating_sub(count)..preceding), gap)
        } else {
            let next = self.rows.get(preceding);
            let gap = next.map_or(0, |next| next.saturating_sub(window.end));
            (self.values.get(preceding..preceding + count), gap)
        };
        (values.unwrap_or_default(), gap, follows)
    }
}

/// What was seen of the windows.
struct Windows {
    /// Those with values.
    stretches: Vec<(Range<usize>, Vec<f64>)>,
    /// How many rows.
    seen: usize,
}

impl Windows {
    fn of(metric: &Sequence, windows: &[Range<usize>]) -> Windows {
        let stretches: Vec<(Range<usize>, Vec<f64>)> = windows
            .iter()
            .map(|window| (window.clone(), seen(metric, std::slice::from_ref(window))))
            .filter(|(_, values)| !values.is_empty())
            .collect();
        let seen = stretches.iter().map(|(_, values)| values.len()).sum();
        Windows { stretches, seen }
    }

    fn values(&self) -> impl Iterator<Item = &f64> {
        self.stretches.iter().flat_map(|(_, values)| values)
    }

    fn scaled(mut self, scale: f64) -> Windows {
        let values = self.stretches.iter_mut().flat_map(|(_, values)| values);
        values.for_each(|value| *value *= scale);
        self
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::change::contrast::tests::question;

    fn evidence(
        metric: &[f64],
        windows: &[Range<usize>],
        baseline: Range<usize>,
    ) -> Option<ChangeEvidence> {
        let question = question(metric.len(), windows, Some(baseline));
        ChangeJudge::new(&question).unwrap().evidence(&Sequence::from(metric.to_vec()))
    }

    /// Noise without a pattern, between -50 and 50.
    fn noise(rows: i64) -> Vec<f64> {
        (0..rows).map(|n| ((n * n * 37 + n * 11) % 101) as f64 - 50.0).collect()
    }

    #[test]
    fn a_planted_shift_is_found_with_its_size() {
        let mut metric = noise(120);
        let calm = evidence(&metric, &[100..120], 0..100).unwrap();
        metric.iter_mut().skip(100).for_each(|value| *value += 400.0);
        let changed = evidence(&metric, &[100..120], 0..100).unwrap();
        assert!(calm.z < 3.0 && changed.z > 15.0, "{calm:?} {changed:?}");
        assert!((changed.shift - calm.shift - 400.0).abs() < 1e-9);
        assert_eq!(changed.constant_before, None);
    }

    #[test]
    fn a_baseline_that_follows_is_mirrored() {
        let mut metric = noise(120);
        metric.iter_mut().take(20).for_each(|value| *value += 400.0);
        let first = evidence(&metric, &[0..20], 20..120).unwrap();
        metric.reverse();
        let last = evidence(&metric, &[100..120], 0..100).unwrap();
        assert!((first.shift - last.shift).abs() < 1e-9);
        assert!((first.z / last.z - 1.0).abs() < 1e-9, "{first:?} {last:?}");
        assert!((first.degrees / last.degrees - 1.0).abs() < 1e-9, "{first:?} {last:?}");
    }

    #[test]
    fn what_was_constant_woke_up() {
        let mut metric = vec![3.0; 30];
        assert_eq!(evidence(&metric, &[20..30], 0..20).unwrap().z, 0.0);
        metric[25] = 4.0;
        let woke = evidence(&metric, &[20..30], 0..20).unwrap();
        assert_eq!((woke.z, woke.constant_before), (f64::INFINITY, Some(20)));
        assert!((woke.shift - 0.1).abs() < 1e-12);
        let metric: Vec<f64> = (0..30).map(|n| if n < 20 { 0.3 } else { 0.1 + 0.2 }).collect();
        assert_eq!(evidence(&metric, &[20..30], 0..20).unwrap().z, 0.0);
    }

    #[test]
    fn windows_count_by_their_rows() {
        let mut metric = noise(140);
        let level = |metric: &[f64]| metric.iter().sum::<f64>() / metric.len() as f64;
        let before = level(&metric[50..100]);
        metric[100..110].fill(before + 1000.0);
        metric[120..140].fill(before + 4000.0);
        let found = evidence(&metric, &[100..110, 120..140], 0..100).unwrap();
        assert!((found.shift - 3000.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn short_histories_and_long_windows_have_answers() {
        for (history, window) in [(6, 1), (6, 50), (10, 5), (11, 1), (60, 5), (7, 3)] {
            let metric = noise(history + window);
            let found =
                evidence(&metric, &[history as usize..metric.len()], 0..history as usize).unwrap();
            assert!(found.z.is_finite() && found.degrees > 0.0, "{history} {window} {found:?}");
        }
        let question = question(9, &[5..9], Some(0..5));
        assert!(ChangeJudge::new(&question).unwrap_err().0.contains("5 rows"));
    }

    #[test]
    fn a_far_baseline_is_compared_with_far_changes() {
        // It climbs all the time: far away is much higher, and that is usual.
        let metric: Vec<f64> = noise(400).iter().zip(0..).map(|(e, n)| e + f64::from(n)).collect();
        let near = evidence(&metric, &[200..210], 0..200).unwrap();
        let far = evidence(&metric, &[280..290], 0..200).unwrap();
        assert!(far.shift > 2.0 * near.shift, "{near:?} {far:?}");
        assert!(far.z < 1.5 && near.z < 2.5, "{near:?} {far:?}");
    }

    #[test]
    fn extremes_have_finite_evidence() {
        let metric: Vec<f64> =
            (0..40).map(|n| if n % 3 == 0 { f64::MAX } else { f64::MIN }).collect();
        let found = evidence(&metric, &[30..40], 0..30).unwrap();
        assert!(found.z.is_finite() && found.shift.is_finite(), "{found:?}");
        let tiny: Vec<f64> = noise(40).iter().map(|value| value * 1e-310).collect();
        let plain = evidence(&noise(40), &[30..40], 0..30).unwrap();
        assert!((evidence(&tiny, &[30..40], 0..30).unwrap().z / plain.z - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_period_without_changes_is_finite() {
        let metric: Vec<f64> = (0..50).map(|n| if n % 2 == 0 { -1.0 } else { 1.0 }).collect();
        let mut moved = metric.clone();
        moved[40..].iter_mut().for_each(|value| *value += 1.0);
        assert!(evidence(&metric, &[40..50], 0..40).unwrap().z < 1.0);
        let found = evidence(&moved, &[42..50], 0..40).unwrap();
        assert!(found.z > 100.0 && found.z.is_finite(), "{found:?}");
    }
}
