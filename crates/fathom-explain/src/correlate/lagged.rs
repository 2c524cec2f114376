//! Pearson's coefficient with a lag.

use super::pearson::of_coefficient;
use super::running::Running;
use super::target_rows::{FEWEST, TargetRows, coefficient};
use crate::segment::centred::{Centred, dot, length, sum};
use crate::{Judge, NoAnswer, Question, Score, Sequence};
use std::ops::Range;

/// Lags go no further than this, nor further than a quarter of the shortest window.
const FURTHEST: usize = 100;

/// Coefficients that differ by less are equal: the shorter lag is taken.
const ROUNDING: f64 = 1e-12;

/// |r| at the lag at which it is largest. The target's rows stay, the metric's are those so many
/// rows later or earlier, also from outside of the window.
#[derive(Debug)]
pub(super) struct Lagged<'q> {
    question: &'q Question,
    furthest: usize,
    windows: Vec<Window>,
}

/// The target in a window.
#[derive(Debug)]
struct Window {
    rows: Range<usize>,
    /// Centred over all windows; 0 where it was not seen.
    values: Vec<f64>,
    squares: Vec<f64>,
    /// 1 where it was seen.
    seen: Vec<f64>,
    is_whole: bool,
    sums: Running,
    sums_of_squares: Running,
}

/// What a coefficient is made of.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    target: f64,
    targets: f64,
    metric: f64,
    metrics: f64,
    products: f64,
}

impl Lagged<'_> {
    pub(super) fn new(question: &Question) -> Result<Lagged<'_>, NoAnswer> {
        let asked = TargetRows::target(question)?;
        let centred = Centred::new(asked.values().to_vec()).map(|centred| centred.values);
        let mut values = asked.rows().iter().copied().zip(centred.unwrap_or_default()).peekable();
        let mut windows = Vec::new();
        for rows in &question.windows {
            let mut at = |row: usize| Some(values.next_if(|(next, _)| *next == row)?.1);
            let seen: Vec<Option<f64>> = rows.clone().map(&mut at).collect();
            windows.push(Window::new(rows.clone(), &seen));
        }
        let shortest = question.windows.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
        Ok(Lagged { question, furthest: FURTHEST.min(shortest / 4), windows })
    }

    /// The coefficient at one lag, each side centred for itself.
    fn at(&self, metric: &Sequence, lag: isize) -> Option<f64> {
        let rows = self.question.windows.iter().flat_map(|window| window.clone());
        let pair = |row: usize| {
            let shifted = row.checked_add_signed(lag)?;
            Some((self.question.target.get(row)?, metric.get(shifted)?))
        };
        let (target, metric): (Vec<f64>, Vec<f64>) = rows.filter_map(pair).unzip();
        if target.len() < FEWEST {
            return None;
        }
        Some(coefficient(&Centred::new(target)?.standard(), &Centred::new(metric)?.standard()))
    }
}

impl Judge for Lagged<'_> {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let mut shifted = Vec::with_capacity(self.windows.len());
        let scale = Scale::of(metric, &self.windows, self.furthest);
        for window in &self.windows {
            shifted.push(Shifted::new(metric, &scale, &window.rows, self.furthest));
        }
        let sums = |lag: isize| {
            let pairs = self.windows.iter().zip(&shifted);
            pairs.fold(Sums::default(), |sums, (window, shifted)| {
                sums.and(shifted.sums(window, self.furthest, lag))
            })
        };
        let lags: Vec<isize> = nearest_first(self.furthest).collect();
        let sums: Vec<Sums> = lags.iter().map(|&lag| sums(lag)).collect();
        // With few rows left, chance gives large coefficients.
        let enough = sums.iter().map(|sums| sums.count).fold(0.0, f64::max) * 0.5;
        let mut best: Option<(isize, f64)> = None;
        for (&lag, sums) in lags.iter().zip(&sums).filter(|(_, sums)| sums.count >= enough) {
            let Some(r) = sums.coefficient() else { continue };
            if best.is_none_or(|(_, most)| r.abs() > most + ROUNDING) {
                best = Some((lag, r.abs()));
            }
        }
        let found = best.and_then(|(lag, _)| Some((lag, self.at(metric, lag)?)));
        let (lag, r) = found.or_else(|| Some((0, self.at(metric, 0)?)))?;
        Some(of_coefficient(r)?.lag(lag))
    }
}

/// 0, -1, 1, -2, 2 and so on.
fn nearest_first(furthest: usize) -> impl Iterator<Item = isize> {
    let furthest = isize::try_from(furthest).unwrap_or(0);
    std::iter::once(0).chain((1..=furthest).flat_map(|lag| [-lag, lag]))
}

impl Window {
    fn new(rows: Range<usize>, values: &[Option<f64>]) -> Window {
        let seen: Vec<f64> =
            values.iter().map(|value| f64::from(u8::from(value.is_some()))).collect();
        let values: Vec<f64> = values.iter().map(|value| value.unwrap_or(0.0)).collect();
        let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
        Window {
            is_whole: seen.iter().all(|&seen| seen > 0.0),
            sums: Running::new(values.iter().copied()),
            sums_of_squares: Running::new(squares.iter().copied()),
            rows,
            values,
            squares,
            seen,
        }
    }
}

/// What the metric's values are made small and central by: for all windows the same.
#[derive(Debug)]
struct Scale {
    centre: f64,
    factor: f64,
}

impl Scale {
    fn of(metric: &Sequence, windows: &[Window], furthest: usize) -> Scale {
        let mut largest = 0.0_f64;
        for window in windows {
            let end = (window.rows.end + furthest).min(metric.len());
            let start = window.rows.start.saturating_sub(furthest).min(end);
            let values = metric.bridged().get(start..end).unwrap_or_default();
            largest = values.iter().fold(largest, |most, value| most.max(value.abs()));
        }
        let factor = if (1e-100..1e100).contains(&largest) { 1.0 } else { 1.0 / largest };
        // The inverse of the smallest numbers is none.
        let factor = if factor.is_finite() { factor } else { f64::MAX };
        let mut means = Vec::new();
        for window in windows {
            let values = metric.bridged().get(window.rows.clone()).unwrap_or_default();
            let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
            means.push(sum(&scaled) / length(values).max(1.0));
        }
        Scale { centre: sum(&means) / length(&means).max(1.0), factor }
    }
}

/// A metric around a window: as many rows more on either side as the furthest lag.
#[derive(Debug)]
struct Shifted {
    /// 0 where it was not seen, which it was not beyond the ends of the grid.
    values: Vec<f64>,
    squares: Vec<f64>,
    seen: Vec<f64>,
    /// Where it was seen, if that is without gaps.
    stretch: Option<Range<usize>>,
    counts: Running,
    sums: Running,
    sums_of_squares: Running,
}

impl Shifted {
    fn new(metric: &Sequence, scale: &Scale, window: &Range<usize>, furthest: usize) -> Shifted {
        let value = |place: usize| {
            let value = metric.get((window.start + place).checked_sub(furthest)?)?;
            Some(value * scale.factor - scale.centre)
        };
        let count = window.len() + 2 * furthest;
        let found: Vec<Option<f64>> = (0..count).map(value).collect();
        let seen: Vec<f64> =
            found.iter().map(|value| f64::from(u8::from(value.is_some()))).collect();
        let values: Vec<f64> = found.iter().map(|value| value.unwrap_or(0.0)).collect();
        let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
        let first = found.iter().position(Option::is_some).unwrap_or(0);
        let past = found.iter().rposition(Option::is_some).map_or(first, |last| last + 1);
        let is_one = found.get(first..past).unwrap_or_default().iter().all(Option::is_some);
        Shifted {
            stretch: is_one.then_some(first..past),
            counts: Running::new(seen.iter().copied()),
            sums: Running::new(values.iter().copied()),
            sums_of_squares: Running::new(squares.iter().copied()),
            values,
            squares,
            seen,
        }
    }

    /// The sums at a lag. What can be is taken from running sums.
    fn sums(&self, window: &Window, furthest: usize, lag: isize) -> Sums {
        let count = window.values.len();
        let start = furthest.saturating_add_signed(lag);
        let here = start..start + count;
        let of =
            |left: &[f64], right: &[f64]| dot(left, right.get(here.clone()).unwrap_or_default());
        let (rows, metric, metrics) = if window.is_whole {
            let sums = (&self.counts, &self.sums, &self.sums_of_squares);
            (sums.0.of(here.clone()), sums.1.of(here.clone()), sums.2.of(here.clone()))
        } else {
            let seen = &window.seen;
            (of(seen, &self.seen), of(seen, &self.values), of(seen, &self.squares))
        };
        let (target, targets) = match &self.stretch {
            Some(stretch) => {
                let begin = stretch.start.max(start) - start;
                let end = stretch.end.min(start + count).max(start) - start;
                let both = begin.min(end)..end;
                (window.sums.of(both.clone()), window.sums_of_squares.of(both))
            }
            None => (of(&window.values, &self.seen), of(&window.squares, &self.seen)),
        };
        let products = of(&window.values, &self.values);
        Sums { count: rows, target, targets, metric, metrics, products }
    }
}

impl Sums {
    fn and(self, other: Sums) -> Sums {
        Sums {
            count: self.count + other.count,
            target: self.target + other.target,
            targets: self.targets + other.targets,
            metric: self.metric + other.metric,
            metrics: self.metrics + other.metrics,
            products: self.products + other.products,
        }
    }

    /// `None` where one of them does not change, or almost all of it was taken by rounding.
    fn coefficient(&self) -> Option<f64> {
        if self.count < 3.0 {
            return None;
        }
        let target = self.targets - self.target * self.target / self.count;
        let metric = self.metrics - self.metric * self.metric / self.count;
        if target <= ROUNDING * self.targets || metric <= ROUNDING * self.metrics {
            return None;
        }
        let both = self.products - self.target * self.metric / self.count;
        let r = both / (target.sqrt() * metric.sqrt());
        r.is_finite().then_some(r)
    }
}
