//! Random walks, whose correlations mean little.

use crate::change::sum_of_products;
use crate::{Question, Sequence};

/// Fewer rows of a baseline are not enough to tell; all rows are taken then.
const ENOUGH: usize = 100;

/// Fewer rows than these cannot be tested.
const FEWEST: usize = 20;

/// Lags are at most this many, which is what series of 1600 rows have.
const MOST_LAGS: usize = 24;

/// The autocorrelation from one row to the next from which on a series is persistent.
const PERSISTENT: f64 = 0.9;

/// An augmented Dickey-Fuller test with a constant: whether a series returns to a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DickeyFuller {
    /// The t statistic of the level in a regression of the next step; the more negative, the more
    /// surely the series returns.
    pub statistic: f64,
    /// How many earlier steps the regression allows for.
    pub lags: usize,
    /// How many steps it is of.
    pub steps: usize,
}

impl DickeyFuller {
    /// Of a series, with floor(12 (n/100)^(1/4)) lags, at most 24 and at most n/2 - 2; `None` if it is
    /// constant, has fewer than 20 rows, or follows from its past without error.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<DickeyFuller> {
        if values.len() < FEWEST {
            return None;
        }
        DickeyFuller::with_lags(values, usual_lags(values.len()))
    }

    /// With this many lags; `None` also if they leave too few rows.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    pub fn with_lags(values: &[f64], lags: usize) -> Option<DickeyFuller> {
        let values = standardised(values)?;
        let steps: Vec<f64> =
            values.iter().zip(values.iter().skip(1)).map(|(from, to)| to - from).collect();
        let count = steps.len().checked_sub(lags)?;
        let degrees = count.checked_sub(lags + 2).filter(|degrees| *degrees > 0)?;
        let products = Products::of(&values, &steps, lags)?;
        let factor = cholesky(products.0)?;
        let (level, rest) =
            (factor.get(lags + 1)?.get(lags)?, factor.get(lags + 1)?.get(lags + 1)?);
        let statistic = level / rest * (degrees as f64).sqrt();
        statistic.is_finite().then_some(DickeyFuller { statistic, lags, steps: count })
    }

    /// Below this statistic a random walk is unlikely at 5%: MacKinnon's response surface.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    pub fn critical(&self) -> f64 {
        let one_by = 1.0 / self.steps as f64;
        -2.86154 + one_by * (-2.8903 + one_by * (-4.234 + one_by * -40.040))
    }

    /// Whether it may be a random walk.
    #[must_use]
    pub fn may_be_random_walk(&self) -> bool {
        self.statistic >= self.critical()
    }
}

/// Whether a metric looks like a random walk: its autocorrelation from row to row, without the bias that it
/// has in short series, is above .9, and a Dickey-Fuller test at 5% does not find that it returns to a level.
///
/// It is judged by the baseline if 100 of its rows or more were seen, so that a metric that was steady
/// until it changed within the windows is not taken for a random walk; else by all rows. Trends are
/// flagged too. Short series that return slowly cannot be told from random walks, and are flagged.
#[must_use]
pub fn wanders(question: &Question, metric: &Sequence) -> bool {
    let before = question.baseline.clone().map(|rows| metric.rows(rows).seen().collect());
    let values = before
        .filter(|values: &Vec<f64>| values.len() >= ENOUGH)
        .unwrap_or_else(|| metric.seen().collect());
    if values.len() < FEWEST || !persists(&values) {
        return false;
    }
    // What follows from its past without error is a straight line, or is not a random walk.
    DickeyFuller::of(&values).map_or_else(|| is_line(&values), |test| test.may_be_random_walk())
}

/// Whether each row tells the next.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn persists(values: &[f64]) -> bool {
    let Some(values) = standardised(values) else { return false };
    let squares = sum_of_products(&values, &values);
    let products = sum_of_products(&values, values.get(1..).unwrap_or_default());
    // Short series seem to remember less than they do; Kendall says by how much.
    let count = values.len() as f64;
    (count * products / squares + 1.0) / (count - 3.0) > PERSISTENT
}

/// Whether it always grows, or always falls, by the same.
fn is_line(values: &[f64]) -> bool {
    let Some(values) = standardised(values) else { return false };
    let mut steps = values.iter().zip(values.iter().skip(1)).map(|(from, to)| to - from);
    let first = steps.next().unwrap_or(0.0);
    steps.all(|step| (step - first).abs() <= 1e-9 * first.abs())
}

/// Schwert's longer rule.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small number that is not negative"
)]
fn usual_lags(rows: usize) -> usize {
    let rule = (12.0 * (rows as f64 / 100.0).sqrt().sqrt()).floor() as usize;
    rule.min(MOST_LAGS).min((rows / 2).saturating_sub(2))
}

/// Of mean 0 and deviation 1; `None` if all are equal.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let count = values.len() as f64;
    let first = values.first()? / largest;
    let mut values: Vec<f64> = values.iter().map(|value| value / largest - first).collect();
    let mean = values.iter().sum::<f64>() / count;
    values.iter_mut().for_each(|value| *value -= mean);
    let deviation = (values.iter().map(|value| value * value).sum::<f64>() / count).sqrt();
    // What rounding leaves of a constant is not a change; nothing but zeros is not a number.
    if deviation.is_nan() || deviation <= 1e-12 {
        return None;
    }
    values.iter_mut().for_each(|value| *value /= deviation);
    Some(values)
}

/// The products of what the regression is of, each about its mean: earlier steps, the level, the step.
struct Products(Vec<Vec<f64>>);

impl Products {
    /// Sums of products of steps that lie equally far apart differ at their ends only, so that the
    /// whole table takes no longer than its first row.
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    fn of(values: &[f64], steps: &[f64], lags: usize) -> Option<Products> {
        let last = steps.len().checked_sub(1)?;
        let count = steps.len().checked_sub(lags)?;
        let step = |row: usize| steps.get(row).copied().unwrap_or(0.0);
        let lagged = |lag: usize| steps.get(lags - lag..=last - lag).unwrap_or_default();
        let levels = values.get(lags..=last)?;

        let mut raw = vec![vec![0.0; lags + 1]; lags + 1];
        for lag in 0..=lags {
            let mut sum = sum_of_products(lagged(0), lagged(lag));
            for near in 0..=lags - lag {
                let far = near + lag;
                *raw.get_mut(far)?.get_mut(near)? = sum;
                if far < lags {
                    sum += step(lags - 1 - near) * step(lags - 1 - far);
                    sum -= step(last - near) * step(last - far);
                }
            }
        }
        let size = lags + 2;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / count as f64;
        // In this order: steps from the nearest to the furthest, the level, the step itself.
        let means: Vec<f64> = (1..=lags).map(lagged).chain([levels, lagged(0)]).map(mean).collect();
        let mut table = vec![vec![0.0; size]; size];
        for (row, cells) in table.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate().take(row + 1) {
                let raw = |a: usize, b: usize| raw.get(a.max(b))?.get(a.min(b)).copied();
                let lag = |place: usize| if place < lags { place + 1 } else { 0 };
                let sum = match (row == lags, column == lags) {
                    (true, true) => sum_of_products(levels, levels),
                    (true, false) => sum_of_products(levels, lagged(lag(column))),
                    (false, true) => sum_of_products(levels, lagged(lag(row))),
                    (false, false) => raw(lag(row), lag(column))?,
                };
                *cell = sum - count as f64 * means.get(row)? * means.get(column)?;
            }
        }
        Some(Products(table))
    }
}

/// The lower triangle whose square this is; `None` if one of its rows follows from those above it.
fn cholesky(mut table: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for row in 0..table.len() {
        for column in 0..=row {
            let (above, below) = table.split_at_mut(row);
            let current = below.first_mut()?;
            let cell = *current.get(column)?;
            let done = if column == row { &*current } else { above.get(column)? };
            let products = current.iter().zip(done).take(column).map(|(a, b)| a * b);
            let left = cell - products.sum::<f64>();
            let value = if column == row {
                if left <= cell * 1e-12 {
                    return None;
                }
                left.sqrt()
            } else {
                left / done.get(column)?
            };
            *current.get_mut(column)? = value;
        }
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Segments};
    use fathom_record::Span;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn series(n: usize, memory: f64, random: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let mut level = 0.0;
        let mut normal = || {
            (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>()
                - 6.0
        };
        let values = (0..n + 200).map(|_| {
            level = memory * level + normal();
            level
        });
        values.skip(200).collect()
    }

    fn question(rows: usize, baseline: Option<std::ops::Range<usize>>) -> Question {
        Question {
            grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: std::iter::once(rows - 3..rows).collect(),
            baseline,
            segments: Segments::Auto,
            pattern: None,
        }
    }

    fn wander(values: &[f64]) -> bool {
        wanders(&question(values.len(), None), &Sequence::from(values.to_vec()))
    }

    #[test]
    fn random_walks_wander_and_noise_does_not() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut share =
            |memory: f64| (0..200).filter(|_| wander(&series(1000, memory, &mut random))).count();
        let (noise, walks) = (share(0.5), share(1.0));
        assert_eq!(noise, 0);
        assert!(walks > 170, "{walks} of 200");
    }

    #[test]
    fn a_step_within_the_window_is_not_wandering() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut values = series(400, 0.0, &mut random);
        values.iter_mut().skip(300).for_each(|value| *value += 30.0);
        let metric = Sequence::from(values);
        assert!(wanders(&question(400, None), &metric));
        assert!(!wanders(&question(400, Some(0..300)), &metric));
        assert!(wanders(&question(400, Some(0..50)), &metric), "too short a baseline to tell");
    }

    #[test]
    fn what_cannot_be_tested_does_not_panic() {
        assert!(!wander(&[5.0; 100]));
        assert!(!wander(&[0.0; 100]));
        assert!(!wander(&[1.0, 2.0, 3.0]));
        let line: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(wander(&line), "a trend wanders");
        assert!(wander(&line[..20]) && !wander(&line[..19]), "fewer than 20 rows tell nothing");
        let wave: Vec<f64> = (0..400).map(|n| (f64::from(n) / 20.0).sin()).collect();
        assert!(!wander(&wave), "a wave returns");
        let widest: Vec<f64> = (0..100).map(|n| if n < 50 { f64::MAX } else { f64::MIN }).collect();
        let _ = wander(&widest);
        assert_eq!(DickeyFuller::with_lags(&line, 200), None);
        assert_eq!(DickeyFuller::of(&[]), None);
    }

    #[test]
    fn size_and_offset_do_not_matter() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        let values = series(300, 0.95, &mut random);
        let plain = DickeyFuller::of(&values).unwrap();
        for (factor, offset) in [(1e300, 0.0), (1e-300, 0.0), (-2.0, 1e4)] {
            let other: Vec<f64> = values.iter().map(|x| x * factor + offset).collect();
            let other = DickeyFuller::of(&other).unwrap();
            assert!((other.statistic - plain.statistic).abs() < 1e-8, "{factor}");
        }
    }
}
