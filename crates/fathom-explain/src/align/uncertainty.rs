//! Where an alignment may be wrong: the two ways of the paper's Figures 4 and 5.

use super::time_map::TimeMap;
use super::warped::{Warped, mean_and_deviation};
use fathom_dtw::{MatchedStretch, Path, Warp, WarpError, WhichSeries};
use fathom_record::{Span, Timestamp};
use std::ops::RangeInclusive;

/// What a step off the diagonal costs in the tighter alignment, in standard deviations.
const TIGHTER: f64 = 0.2;
/// Samples that differ by no more of the standard deviation are even.
const EVEN: f64 = 0.1;
/// Shifts as small as one noisy sample causes are ignored.
const FEWEST_MOVED: usize = 4;

/// What a tighter alignment shows about the first one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Uncertainty {
    /// What a step off the diagonal cost, in the unit of costs.
    pub(super) penalty: f64,
    /// How far the ends of the windows move, at most.
    pub(super) ends: Span,
    /// Whether that is a good part of a window.
    pub(super) are_ends_uncertain: bool,
    /// Whether a window lies mostly elsewhere.
    pub(super) is_window_elsewhere: bool,
    /// The samples of the reference, from the first to the last, that match another repetition.
    pub(super) elsewhere: Option<RangeInclusive<usize>>,
}

/// The runs aligned once more, tighter, whatever the windows.
#[derive(Debug, Clone)]
pub(super) struct Tighter {
    pub(super) path: Path,
    pub(super) map: TimeMap,
    /// In the unit of costs.
    penalty: f64,
    /// The larger of both runs, in the unit of what was compared.
    deviation: f64,
    /// The samples of the reference, from the first to the last, that match another repetition.
    pub(super) elsewhere: Option<RangeInclusive<usize>>,
}

impl Tighter {
    /// Aligns.
    pub(super) fn of(warped: &Warped, how: Warp<'_>) -> Result<Tighter, WarpError> {
        let (x, y) = (&warped.compared.x, &warped.compared.y);
        let deviation = mean_and_deviation(x).1.max(mean_and_deviation(y).1);
        let penalty = warped.penalty + TIGHTER * deviation;
        let path = how.penalty(penalty).align(x, y)?.path;
        Ok(Tighter {
            map: TimeMap::new(&path, warped.x.edges(), warped.y.edges()),
            penalty: (penalty * warped.compared.scale).min(f64::MAX),
            deviation,
            elsewhere: elsewhere(warped, &path, deviation),
            path,
        })
    }
}

/// Compares the windows of both alignments, which are in the reference's time.
pub(super) fn uncertainty(
    warped: &Warped,
    tighter: &Tighter,
    windows: &[(Timestamp, Timestamp)],
) -> Uncertainty {
    let mut found = Uncertainty {
        penalty: tighter.penalty,
        ends: Span::ZERO,
        are_ends_uncertain: false,
        is_window_elsewhere: false,
        elsewhere: tighter.elsewhere.clone(),
    };
    for &window in windows {
        let first = warped.carried(window);
        let second = warped.carried_by(&tighter.path, &tighter.map, window);
        let by_penalty = first.0.abs_diff(second.0).max(first.1.abs_diff(second.1));
        let even = even_ends(warped, window, tighter.deviation);
        let moved = by_penalty.max(even);
        found.ends = found.ends.max(moved);
        let length = (first.1 - first.0).max(second.1 - second.0).max(Span::from_nanoseconds(1));
        // One sample more or less is how windows are cut.
        let sample = sample_length(warped);
        if moved > sample + sample.divided_by(2) && moved > length.divided_by(10) {
            found.are_ends_uncertain = true;
        }
        let both = first.1.min(second.1) - first.0.max(second.0);
        if both < length.divided_by(2) && moved > sample.times(3) {
            found.is_window_elsewhere = true;
        }
    }
    found
}

/// The usual length of the run's samples.
fn sample_length(warped: &Warped) -> Span {
    let (first, last) = warped.y.span();
    (last - first).divided_by(warped.y.len() as u64)
}

/// The samples of the reference that both alignments match with samples of the same height between
/// which the run goes elsewhere: two repetitions of one pattern.
#[allow(clippy::cast_precision_loss, reason = "samples are far fewer than 2^53")]
fn elsewhere(warped: &Warped, tighter: &Path, deviation: f64) -> Option<RangeInclusive<usize>> {
    let y = &warped.compared.y;
    let mut sums = Vec::with_capacity(y.len() + 1);
    sums.push(0.0);
    for value in y {
        sums.push(sums.last().copied().unwrap_or(0.0) + value);
    }
    let middle = |matched: RangeInclusive<usize>| matched.start().midpoint(*matched.end());
    let pairs = warped.path.matches().map(middle).zip(tighter.matches().map(middle));
    let is_elsewhere = |(one, other): (usize, usize)| -> Option<bool> {
        let (low, high) = (one.min(other), one.max(other));
        if high - low < FEWEST_MOVED {
            return Some(false);
        }
        let (first, last) = (y.get(low)?, y.get(high)?);
        let mean = (sums.get(high)? - sums.get(low + 1)?) / (high - low - 1) as f64;
        let level = 0.5 * first + 0.5 * last;
        Some((first - last).abs() <= 0.5 * deviation && (mean - level).abs() > deviation)
    };
    let moved: Vec<usize> = pairs
        .enumerate()
        .filter(|(_, pair)| is_elsewhere(*pair) == Some(true))
        .map(|(n, _)| n)
        .collect();
    let enough = moved.len() >= (warped.x.len() / 100).max(3);
    Some(*moved.first()?..=*moved.last()?).filter(|_| enough)
}

/// How far the ends of a window move if time goes evenly where both runs are even around them.
fn even_ends(warped: &Warped, (start, end): (Timestamp, Timestamp), deviation: f64) -> Span {
    let Some(samples) = warped.x.overlapped(start, end) else { return Span::ZERO };
    let Some(matched) = warped.path.window(samples.clone()) else { return Span::ZERO };
    let (x, y) = (&warped.compared.x, &warped.compared.y);
    let tolerance = EVEN * deviation;
    // The edge before the first sample, and the one after the last.
    let ends = [
        (*samples.start(), *samples.start(), *matched.start(), *matched.start()),
        (*samples.end(), *samples.end() + 1, *matched.end(), *matched.end() + 1),
    ];
    let moves = ends.map(|(i, x_edge, j, y_edge)| {
        let (here, there) = (even_around(x, i, tolerance), even_around(y, j, tolerance));
        let time = |edges: &[Timestamp], n: usize| edges.get(n).copied().unwrap_or_default();
        let (x_edges, y_edges) = (warped.x.edges(), warped.y.edges());
        let (low, high) = (time(x_edges, here.start), time(x_edges, here.end));
        let (from, to) = (time(y_edges, there.start), time(y_edges, there.end));
        let at = time(x_edges, x_edge);
        // At the end of an even stretch it is known where it is.
        if at <= low || at >= high {
            return Span::ZERO;
        }
        let wide = |span: Span| u128::from(span.nanoseconds());
        let share = wide(at - low) * wide(to - from) / wide(high - low);
        let even = from + Span::from_nanoseconds(u64::try_from(share).unwrap_or(u64::MAX));
        even.abs_diff(time(y_edges, y_edge))
    });
    moves.into_iter().max().unwrap_or_default()
}

/// The samples around one that are about as high.
fn even_around(values: &[f64], n: usize, tolerance: f64) -> std::ops::Range<usize> {
    let Some(&level) = values.get(n) else { return n..n };
    let is_even = |value: &&f64| (**value - level).abs() <= tolerance;
    let before = values.iter().take(n).rev().take_while(is_even).count();
    let after = values.iter().skip(n).take_while(is_even).count();
    n - before..n + after
}

/// The longest stretch in which several samples match one, of those that have to do with the windows.
pub(super) fn longest(path: &Path, windows: &[RangeInclusive<usize>]) -> Option<MatchedStretch> {
    let touches = |stretch: &MatchedStretch| {
        let (first, last) = match stretch.single {
            WhichSeries::X => (stretch.index, stretch.index),
            WhichSeries::Y => (*stretch.matched.start(), *stretch.matched.end()),
        };
        windows.iter().any(|window| *window.start() <= last && first <= *window.end())
    };
    let longer = |best: MatchedStretch, next: MatchedStretch| {
        if next.len() > best.len() { next } else { best }
    };
    path.stretches().filter(touches).reduce(longer)
}
