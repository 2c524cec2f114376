//! From segments to a class: which of them are at the last level, and what came before.

use super::Class;
use super::level::{Level, Leveller};
use super::relocation::ChangePoint;
use std::ops::Range;

/// Levels closer than this, relative to the last, are the same for practical purposes.
const SAME: f64 = 0.005;
/// Levels closer than this many standard errors are the same, for all we know.
const STANDARD_ERRORS: f64 = 2.5;
/// Departures and returns may take this share of the series in all.
const DISTURBED: f64 = 0.10;
/// The steady part has at least this share of the series, and this many values.
const STEADY_SHARE: f64 = 0.25;
const STEADY_FEWEST: f64 = 10.0;

/// What the segments amount to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Classification {
    pub(super) class: Class,
    pub(super) start: usize,
    pub(super) disturbances: Vec<Range<usize>>,
}

/// Classifies a series by its segments.
pub(super) fn classify(
    values: &[f64],
    ranks: &[u32],
    clock_step: f64,
    points: &[ChangePoint],
) -> Classification {
    let n = values.len();
    // Segment i goes from bounds[i] to bounds[i + 1].
    let positions = points.iter().map(|point| point.position);
    let bounds: Vec<usize> =
        std::iter::once(0).chain(positions).chain(std::iter::once(n)).collect();
    let levels: Vec<Level> = if points.is_empty() {
        Vec::new() // one segment, which is at its own level
    } else {
        let mut leveller = Leveller::new(n);
        let segments = bounds.windows(2).map(|pair| pair[0]..pair[1]);
        segments.map(|at| leveller.level(&values[at.clone()], &ranks[at])).collect()
    };
    let same = same_as_last(&levels, clock_step);

    // Back from the last segment over those at its level, and over short departures from it.
    let mut first = points.len();
    let mut budget = DISTURBED * n as f64;
    let mut disturbances = Vec::new();
    while let Some(back) = same[..first].iter().rposition(|&same| same) {
        let departure = bounds[back + 1]..bounds[first];
        if departure.len() as f64 > budget {
            break;
        }
        budget -= departure.len() as f64;
        if !departure.is_empty() {
            disturbances.push(departure);
        }
        first = back;
    }
    disturbances.reverse();

    let Some(point) = first.checked_sub(1).and_then(|before| points.get(before)) else {
        return Classification { class: Class::Flat, start: 0, disturbances };
    };
    let start = point.settled;
    let steady = (n - start) as f64;
    let class = if same[..first].contains(&true) {
        // The level was held before, left for long, and came back: it may leave again.
        Class::None
    } else if steady < (STEADY_SHARE * n as f64).max(STEADY_FEWEST) {
        Class::None
    } else {
        let last = levels.last().map_or(f64::NAN, |level| level.value);
        let slower = levels[..first].iter().all(|level| level.value > last);
        if slower { Class::WarmUp } else { Class::SlowDown }
    };
    Classification { class, start, disturbances }
}

/// Which segments are at the level of the last one.
fn same_as_last(levels: &[Level], clock_step: f64) -> Vec<bool> {
    let Some((last, earlier)) = levels.split_last() else { return Vec::new() };
    let practical = (SAME * last.value.abs()).max(clock_step);
    let neighbour = earlier.len().saturating_sub(1);
    let same = |(index, level): (usize, &Level)| {
        // The neighbour is known to differ: there is a change point between.
        let tolerance = if index == neighbour {
            practical
        } else {
            practical.max(STANDARD_ERRORS * level.standard_error.hypot(last.standard_error))
        };
        (level.value - last.value).abs() <= tolerance
    };
    earlier.iter().enumerate().map(same).chain(std::iter::once(true)).collect()
}
