//! Where an alignment may be wrong: the two ways of the paper's Figures 4 and 5.

use super::even::{EvenStretch, even_stretches, straightened};
use super::time_map::TimeMap;
use super::warped::{Warped, mean_and_deviation};
use fathom_dtw::{MatchedStretch, Path, Warp, WarpError, WhichSeries};
use fathom_record::{Span, Timestamp};
use std::ops::RangeInclusive;

/// What a step off the diagonal costs in the tighter alignment, in standard deviations.
const TIGHTER: f64 = 0.2;
/// By how much the pace may change within an even stretch, as a share.
const PACE: f64 = 0.6;
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
    /// The samples of the reference, from the first to the last, that match another repetition.
    pub(super) elsewhere: Option<RangeInclusive<usize>>,
}

impl Tighter {
    /// Aligns.
    pub(super) fn of(warped: &Warped, how: Warp<'_>) -> Result<Tighter, WarpError> {
        let (x, y) = (&warped.compared.x, &warped.compared.y);
        let deviation = mean_and_deviation(x).1.max(mean_and_deviation(y).1);
        let penalty = warped.penalty + TIGHTER * deviation;
        let cheapest = how.penalty(penalty).align(x, y)?.path;
        let elsewhere = elsewhere(warped, &cheapest, deviation);
        // What is straight in one is straight in both, or they would differ where neither knows.
        let path = straightened(&cheapest, &even_stretches(&cheapest, x, y, how)?);
        Ok(Tighter {
            map: TimeMap::new(&path, warped.x.edges(), warped.y.edges()),
            penalty: (penalty * warped.compared.scale).min(f64::MAX),
            elsewhere,
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
        let even = even_ends(warped, window);
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
    let pairs = warped.cheapest.matches().map(middle).zip(tighter.matches().map(middle));
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

/// How far the ends of a window may be off that lie on even stretches: as far as they would be if the pace
/// changed by [`PACE`] from the start of the stretch to its end. At its ends it is known where they are.
fn even_ends(warped: &Warped, (start, end): (Timestamp, Timestamp)) -> Span {
    let time = |edges: &[Timestamp], n: usize| edges.get(n).copied().unwrap_or_default();
    let off = |moment: Timestamp| {
        let edges = warped.x.edges();
        let within = |stretch: &&EvenStretch| {
            time(edges, stretch.here.start) < moment && moment < time(edges, stretch.here.end)
        };
        let Some(stretch) = warped.even.iter().find(within) else { return Span::ZERO };
        let (low, high) = (time(edges, stretch.here.start), time(edges, stretch.here.end));
        let edges = warped.y.edges();
        let there = time(edges, stretch.there.end) - time(edges, stretch.there.start);
        let share = (moment - low).share_of(high - low);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        let off = (PACE / 2.0 * share * (1.0 - share) * there.nanoseconds_f64()) as u64;
        Span::from_nanoseconds(off)
    };
    off(start).max(off(end))
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
