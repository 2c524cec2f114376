//! Metrics that are made from the target.

use crate::Sequence;
use std::fmt;

/// From which coefficient on a metric is made from the target.
const MADE: f64 = 0.999;

/// From which on it still is without the target's most extreme rows, and without a trend.
const WITHOUT_EXTREMES: f64 = 0.9;

/// Below which coefficient of some rows the others are not looked at.
const HOPELESS: f64 = 0.9;

/// Fewer rows than these are alike by chance.
const FEWEST: usize = 10;

/// How a metric follows from the target. Says so in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// It is the target in another unit, or upside down.
    Rescaling,
    /// It grows by the target from row to row.
    RunningTotal,
    /// It is what the target grows by from row to row.
    Difference,
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Derivation::Rescaling => "the target in another scale",
            Derivation::RunningTotal => "the target's running total",
            Derivation::Difference => "the target's row-to-row difference",
        })
    }
}

/// The target, prepared to recognise what is made from it.
///
/// By Pearson's coefficient over the whole grid, of the metric with the target, of its differences with
/// the target, and of it with the target's differences: |r| of at least .999. A spike that all metrics
/// share says nothing, nor that two metrics climb: without the rows where the target is most extreme,
/// and apart from a straight trend, |r| must be at least .9 still. A running total is told by its
/// differences because any two totals look alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    target: Traced,
    differences: Traced,
}

impl Origin {
    /// Of the target.
    #[must_use]
    pub fn new(target: &Sequence) -> Origin {
        Origin {
            target: Traced::new(target.iter().collect()),
            differences: Traced::new(steps(target)),
        }
    }

    /// How a metric on the same grid is made from the target; `None` if it is not.
    #[must_use]
    pub fn derivation(&self, metric: &Sequence) -> Option<Derivation> {
        let level = |row: usize| metric.get(row);
        if self.target.makes(level, 0) {
            return Some(Derivation::Rescaling);
        }
        // A level that was sampled when its row began has grown by the row before.
        let step = |row: usize| difference(metric.get(row.checked_sub(1)?)?, metric.get(row)?);
        if self.target.makes(step, 0) || self.target.makes(step, 1) {
            return Some(Derivation::RunningTotal);
        }
        self.differences.makes(level, 0).then_some(Derivation::Difference)
    }
}

/// What each row grew by.
fn steps(sequence: &Sequence) -> Vec<Option<f64>> {
    let before = std::iter::once(None).chain(sequence.iter());
    sequence.iter().zip(before).map(|(value, before)| difference(before?, value?)).collect()
}

fn difference(from: f64, to: f64) -> Option<f64> {
    Some(to - from).filter(|step| step.is_finite())
}

/// Values that a metric may be made from.
#[derive(Debug, Clone, PartialEq)]
struct Traced {
    values: Vec<Option<f64>>,
    /// From this distance from the mean on a row is extreme: two rows are, or 1%.
    mean: f64,
    extreme: f64,
}

impl Traced {
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    fn new(values: Vec<Option<f64>>) -> Traced {
        let count = values.iter().flatten().count();
        let mean = values.iter().flatten().map(|value| value / count as f64).sum::<f64>();
        let mut distances: Vec<f64> =
            values.iter().flatten().map(|value| (value - mean).abs()).collect();
        distances.sort_unstable_by(f64::total_cmp);
        let place = count.saturating_sub(count.div_ceil(100).max(2));
        let extreme = distances.get(place).copied().unwrap_or(f64::INFINITY);
        Traced { values, mean, extreme }
    }

    /// Whether a metric, this many rows later, is made from these values.
    fn makes(&self, metric: impl Fn(usize) -> Option<f64>, later: usize) -> bool {
        let pairs = |every: usize| -> Vec<Pair> {
            let rows = self.values.iter().enumerate().step_by(every);
            rows.filter_map(|(row, value)| Some(Pair::new(row, (*value)?, metric(row + later)?)))
                .collect()
        };
        // Some rows tell most metrics apart from what is made.
        const SOME: usize = 16;
        let is_long = self.values.len() >= 100 * SOME;
        if is_long && Pair::coefficient(&pairs(SOME)).is_some_and(|r| r.abs() < HOPELESS) {
            return false;
        }
        let mut pairs = pairs(1);
        if pairs.len() < FEWEST || Pair::coefficient(&pairs).is_none_or(|r| r.abs() < MADE) {
            return false;
        }
        pairs.retain(|pair| (pair.value - self.mean).abs() < self.extreme);
        Pair::beyond_trend(&pairs).is_some_and(|r| r.abs() >= WITHOUT_EXTREMES)
    }
}

/// A row of what a metric may be made from, and of the metric.
#[derive(Debug, Clone, Copy)]
struct Pair {
    row: f64,
    value: f64,
    metric: f64,
}

impl Pair {
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    fn new(row: usize, value: f64, metric: f64) -> Pair {
        Pair { row: row as f64, value, metric }
    }

    /// Pearson's coefficient; `None` if one of them is constant.
    fn coefficient(pairs: &[Pair]) -> Option<f64> {
        coefficient(pairs.iter().map(|pair| (pair.value, pair.metric)))
    }

    /// The same apart from what a straight trend explains; `None` if that is all.
    fn beyond_trend(pairs: &[Pair]) -> Option<f64> {
        let together = Pair::coefficient(pairs)?;
        let value = coefficient(pairs.iter().map(|pair| (pair.row, pair.value)))?;
        let metric = coefficient(pairs.iter().map(|pair| (pair.row, pair.metric)))?;
        let left = (1.0 - value * value) * (1.0 - metric * metric);
        (left > 1e-24).then(|| (together - value * metric) / left.sqrt())
    }
}

/// Pearson's coefficient; `None` if one of them is constant.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn coefficient(pairs: impl ExactSizeIterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    // Sizes at which squares neither overflow nor vanish.
    let largest = pairs
        .clone()
        .fold((0.0_f64, 0.0_f64), |(x, y), pair| (x.max(pair.0.abs()), y.max(pair.1.abs())));
    let scale = |largest: f64| if (1e-100..1e100).contains(&largest) { 1.0 } else { largest };
    let (x_scale, y_scale) = (scale(largest.0), scale(largest.1));
    let count = pairs.len() as f64;
    let scaled = || pairs.clone().map(|(x, y)| (x / x_scale, y / y_scale));
    let sums = scaled().fold((0.0, 0.0), |(x_sum, y_sum), (x, y)| (x_sum + x, y_sum + y));
    let (x_mean, y_mean) = (sums.0 / count, sums.1 / count);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in scaled() {
        let (x, y) = (x - x_mean, y - y_mean);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    // What rounding leaves of a constant is not a change.
    let changes = |squares: f64, mean: f64| squares > count * (mean * 1e-12).powi(2);
    let r = xy / (xx.sqrt() * yy.sqrt());
    (changes(xx, x_mean) && changes(yy, y_mean) && r.is_finite()).then_some(r)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Restless enough that no two of them are alike.
    fn made_up(seed: u32, rows: u32) -> Vec<f64> {
        (0..rows)
            .map(|n| {
                let bits = (n + 1).wrapping_mul(2_654_435_761).wrapping_add(seed * 977);
                f64::from((bits ^ (bits >> 15)).wrapping_mul(2_246_822_519) >> 8) / 1e7 + 3.0
            })
            .collect()
    }

    fn found(target: &[f64], metric: &[f64]) -> Option<Derivation> {
        let origin = Origin::new(&Sequence::from(target.to_vec()));
        origin.derivation(&Sequence::from(metric.to_vec()))
    }

    fn running_total(values: &[f64]) -> Vec<f64> {
        let mut total = 0.0;
        values
            .iter()
            .map(|value| {
                total += value;
                total
            })
            .collect()
    }

    #[test]
    fn what_is_made_from_the_target_is_told() {
        for rows in [40, 5000] {
            let target = made_up(1, rows);
            let rescaled: Vec<f64> = target.iter().map(|x| 5.0 - x / 1024.0).collect();
            assert_eq!(found(&target, &rescaled), Some(Derivation::Rescaling));
            let total = running_total(&target);
            assert_eq!(found(&target, &total), Some(Derivation::RunningTotal));
            let mut sampled_first = vec![0.0];
            sampled_first.extend(&total[..total.len() - 1]);
            assert_eq!(found(&target, &sampled_first), Some(Derivation::RunningTotal));
            assert_eq!(found(&total, &target), Some(Derivation::Difference));
            let other = made_up(7, rows);
            assert_eq!(found(&target, &other), None);
            // Both climb all the time, and r is almost 1.
            assert_eq!(found(&target, &running_total(&other)), None);
            assert_eq!(found(&total, &running_total(&other)), None, "{rows}");
        }
    }

    #[test]
    fn a_shared_spike_makes_nothing() {
        let (mut target, mut metric) = (made_up(1, 300), made_up(2, 300));
        target[100] = 1e6;
        metric[100] = 1e9;
        assert_eq!(found(&target, &metric), None);
        let rescaled: Vec<f64> = target.iter().map(|x| x * 3.0).collect();
        assert_eq!(found(&target, &rescaled), Some(Derivation::Rescaling));
    }

    #[test]
    fn constants_gaps_and_extremes_make_nothing() {
        let target = made_up(1, 60);
        assert_eq!(found(&target, &[2.0; 60]), None);
        assert_eq!(found(&[2.0; 60], &target), None);
        assert_eq!(found(&target, &[f64::NAN; 60]), None);
        assert_eq!(found(&target, &target[..9]), None);
        assert_eq!(found(&[], &[]), None);
        let huge: Vec<f64> = target.iter().map(|x| (x - 3.5) * 1e307).collect();
        assert_eq!(found(&target, &huge), Some(Derivation::Rescaling));
        let mut gappy = target.clone();
        gappy.iter_mut().step_by(3).for_each(|value| *value = f64::NAN);
        assert_eq!(found(&target, &gappy), Some(Derivation::Rescaling));
    }
}
