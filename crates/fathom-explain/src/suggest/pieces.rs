//! A series as levels and slopes, one after the other.

use super::noise::{Noise, Products};
use super::sums::Sums;
use fathom_stats::steady_state;
use std::ops::Range;

/// A level that begins in a step has to be this many standard errors away from the last.
const LEAST_STEP: f64 = 5.5;
/// A slope has to rise by this many of its standard errors.
const LEAST_SLOPE: f64 = 5.5;
/// In a series of n values, by this many n-ths more.
const CAUTION: f64 = 10.0;
/// A level that lasts has at least this many values.
const SHORTEST_LEVEL: usize = 3;
/// A slope has at least this many values.
const SHORTEST_SLOPE: usize = 8;
/// A slope may miss the levels that it lies between by this share of its rise, together.
const LARGEST_GAPS: f64 = 0.5;
/// A level is tried as a slope if it has this many values.
const SHORTEST_TREND: usize = 20;
/// Where slopes may begin and end is first tried at this many places.
const PLACES: usize = 24;
/// Stronger than this nothing has to be.
pub(super) const STRONGEST: f64 = 1000.0;

/// A stretch at one level, or one that goes up or down.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Where.
    pub(super) range: Range<usize>,
    /// Whether it goes up or down.
    pub(super) slopes: bool,
    /// Where it starts, and where it ends: the same for a level.
    pub(super) from: f64,
    /// See `from`.
    pub(super) to: f64,
    /// By how much a slope, or the step from the piece before, is more than chance: 1 is the least that
    /// is believed; 0 if there is neither.
    pub(super) strength: f64,
    products: Products,
}

/// The pieces of a series that are more than chance.
pub(super) fn find(values: &[f64]) -> Vec<Piece> {
    let sums = Sums::of(values);
    let points = steady_state::analyse(values, 0.0).change_points;
    let mut pieces = sloped(values, &sums, &points);
    drop_weak(values, &sums, &mut pieces);
    // Stairs up a slope are each too low to be believed, above all if the noise has steps of its own.
    for number in 0..pieces.len() {
        let Some(level) = pieces.get(number).filter(|piece| !piece.slopes) else { continue };
        if level.range.len() < SHORTEST_TREND {
            continue;
        }
        let slope = Piece::new(values, &sums, level.range.clone(), true);
        let mut sloped = pieces.clone();
        sloped.splice(number..=number, [slope]);
        let is_stronger = strengths(&sloped).iter().flatten().all(|&strength| strength >= 1.0);
        if is_stronger {
            pieces = sloped;
        }
    }
    drop_weak(values, &sums, &mut pieces);
    pieces
}

/// Takes away the weakest as long as it is not believed.
fn drop_weak(values: &[f64], sums: &Sums, pieces: &mut Vec<Piece>) {
    loop {
        let strengths = strengths(pieces);
        for (piece, strength) in pieces.iter_mut().zip(&strengths) {
            piece.strength = strength.unwrap_or(0.0);
        }
        let weak = strengths.iter().enumerate().filter_map(|(n, strength)| Some((n, (*strength)?)));
        let weakest = weak.min_by(|a, b| a.1.total_cmp(&b.1));
        match weakest {
            Some((number, strength)) if strength < 1.0 => merge(values, sums, pieces, number),
            _ => return,
        }
    }
}

impl Piece {
    fn new(values: &[f64], sums: &Sums, range: Range<usize>, slopes: bool) -> Piece {
        let line = sums.line(&range);
        let slope = if slopes { line.slope } else { 0.0 };
        let half = slope * range.len() as f64 / 2.0;
        let (from, to) = (line.middle - half, line.middle + half);
        let part = values.get(range.clone()).unwrap_or_default();
        let fitted = |place: usize| from + slope * (place as f64 + 0.5);
        let left: Vec<f64> = part.iter().enumerate().map(|(n, value)| value - fitted(n)).collect();
        Piece { range, slopes, from, to, strength: 0.0, products: Products::of(&left) }
    }

    /// Goes on with another one at about the same level, whatever lies between.
    pub(super) fn join(&mut self, other: &Piece) {
        let (here, there) = (self.range.len() as f64, other.range.len() as f64);
        let level = (self.to * here + other.to * there) / (here + there).max(1.0);
        (self.from, self.to) = (level, level);
        self.range.end = other.range.end;
    }
}

/// Change points that follow each other in one direction are stairs, or one slope.
fn sloped(values: &[f64], sums: &Sums, points: &[usize]) -> Vec<Piece> {
    let starts = std::iter::once(0).chain(points.iter().copied());
    let ends = points.iter().copied().chain(std::iter::once(values.len()));
    let levels: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
    let rises = |number: usize| {
        let pair = levels.get(number).zip(levels.get(number + 1));
        pair.map(|(one, two)| sums.mean(two) > sums.mean(one))
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut first = 0;
    // Up to where the level that the last slope ended in is used up.
    let mut begin = 0;
    while first < levels.len() {
        let mut last = first;
        while rises(last).is_some() && rises(last) == rises(first) {
            last += 1;
        }
        let stairs: Vec<Range<usize>> = levels.get(first..=last).unwrap_or_default().to_vec();
        let end = stairs.last().map_or(values.len(), |stair| stair.end);
        let region = begin.max(stairs.first().map_or(0, |stair| stair.start))..end;
        let shape = if last > first { shape(sums, &region, &stairs) } else { Shape::Stairs };
        let mut push = |range: Range<usize>, slopes: bool| {
            if !range.is_empty() {
                pieces.push(Piece::new(values, sums, range, slopes));
            }
        };
        // The last level of a run is the first one of the next run.
        let is_end = last + 1 >= levels.len();
        let keep = if is_end { end } else { stairs.last().map_or(end, |stair| stair.start) };
        begin = match shape {
            Shape::Slope(slope) => {
                push(region.start..slope.start, false);
                push(slope.clone(), true);
                if is_end {
                    push(slope.end..end, false);
                }
                slope.end
            }
            Shape::Step(split) => {
                push(region.start..split, false);
                if is_end {
                    push(split..end, false);
                }
                split
            }
            Shape::Stairs => {
                for stair in &stairs {
                    push(
                        stair.start.max(region.start)..stair.end.min(keep.max(region.start)),
                        false,
                    );
                }
                keep.max(region.start)
            }
        };
        if is_end {
            break;
        }
        first = last;
    }
    pieces
}

/// What a stretch is that goes one way.
enum Shape {
    Stairs,
    Step(usize),
    Slope(Range<usize>),
}

/// Of stairs, one step, and a slope between two levels, what fits a region best for the numbers that it
/// takes (Schwarz's criterion).
fn shape(sums: &Sums, region: &Range<usize>, stairs: &[Range<usize>]) -> Shape {
    let n = region.len() as f64;
    let criterion = |left: f64, numbers: usize| {
        n * (left / n).max(f64::MIN_POSITIVE).ln() + numbers as f64 * n.ln()
    };
    let stairs: Vec<Range<usize>> =
        stairs.iter().map(|stair| stair.start.max(region.start)..stair.end).collect();
    let by_stairs: f64 = stairs.iter().map(|stair| sums.left_by_level(stair)).sum();
    let mut best = (criterion(by_stairs, 2 * stairs.len() - 1), Shape::Stairs);
    if let Some((left, split)) = best_step(sums, region) {
        let step = criterion(left, 3);
        if step < best.0 {
            best = (step, Shape::Step(split));
        }
    }
    if let Some((left, slope)) = best_slope(sums, region) {
        let levels = usize::from(slope.start > region.start) + usize::from(slope.end < region.end);
        if criterion(left, 2 + 2 * levels) < best.0 {
            return Shape::Slope(slope);
        }
    }
    best.1
}

/// Where a level, a slope and a level fit a region best, and the sum of squares they leave.
fn best_slope(sums: &Sums, region: &Range<usize>) -> Option<(f64, Range<usize>)> {
    if region.len() < SHORTEST_SLOPE {
        return None;
    }
    let left = |start: usize, end: usize| {
        let (before, within, after) = (region.start..start, start..end, end..region.end);
        let line = sums.line(&within);
        let half = line.slope * within.len() as f64 / 2.0;
        // A slope leads from the level before it to the level after it; else it is a step that counts.
        let gap = |level: &Range<usize>, height: f64| {
            if level.is_empty() { 0.0 } else { (sums.mean(level) - height).abs() }
        };
        let gaps = gap(&before, line.middle - half) + gap(&after, line.middle + half);
        if gaps > LARGEST_GAPS * 2.0 * half.abs() {
            return f64::INFINITY;
        }
        sums.left_by_level(&before) + line.left + sums.left_by_level(&after)
    };
    let mut best: Option<(f64, usize, usize)> = None;
    let mut step = (region.len() / PLACES).max(1);
    let place = |number: usize| (region.start + number * step).min(region.end);
    for start in 0..=PLACES {
        for end in start + 1..=PLACES + 1 {
            let (start, end) = (place(start), if end > PLACES { region.end } else { place(end) });
            if end >= start + SHORTEST_SLOPE {
                let left = left(start, end);
                if best.is_none_or(|(least, ..)| left < least) {
                    best = Some((left, start, end));
                }
            }
        }
    }
    let (mut least, mut start, mut end) = best.filter(|(left, ..)| left.is_finite())?;
    while step > 1 {
        step /= 2;
        let (low, high) = (start.saturating_sub(step).max(region.start), start + step);
        for start_too in [low, high] {
            for end_too in [end.saturating_sub(step), end, (end + step).min(region.end)] {
                if end_too >= start_too + SHORTEST_SLOPE && left(start_too, end_too) < least {
                    (least, start, end) = (left(start_too, end_too), start_too, end_too);
                }
            }
        }
        for end_too in [end.saturating_sub(step), (end + step).min(region.end)] {
            if end_too >= start + SHORTEST_SLOPE && left(start, end_too) < least {
                (least, end) = (left(start, end_too), end_too);
            }
        }
    }
    Some((least, start..end))
}

/// How much each piece is more than chance; `None` where it has nothing to show.
fn strengths(pieces: &[Piece]) -> Vec<Option<f64>> {
    let products = pieces.iter().fold(Products::default(), |all, piece| all.and(&piece.products));
    let fitted = pieces.iter().map(|piece| 1 + usize::from(piece.slopes)).sum();
    let noise = Noise::of(&products, fitted);
    // What dependence there is, is hard to tell from a few values.
    let caution = 1.0 + CAUTION / products.count().max(1) as f64;
    let mut before: Option<&Piece> = None;
    let strength = |piece: &Piece, before: Option<&Piece>| {
        if piece.slopes {
            let variance = 12.0 * noise.of_mean(piece.range.len());
            return Some(ratio(piece.to - piece.from, variance) / (caution * LEAST_SLOPE));
        }
        let before = before.filter(|before| !before.slopes)?;
        let variance = noise.of_mean(piece.range.len()) + noise.of_mean(before.range.len());
        Some(ratio(piece.from - before.to, variance) / (caution * LEAST_STEP))
    };
    let mut all = Vec::with_capacity(pieces.len());
    for piece in pieces {
        all.push(strength(piece, before));
        before = Some(piece);
    }
    all
}

fn ratio(height: f64, variance: f64) -> f64 {
    let z = height.abs() / variance.sqrt();
    if z.is_nan() { 0.0 } else { z.min(STRONGEST) }
}

/// A step that is none joins two levels; a slope that is none may still be a step.
fn merge(values: &[f64], sums: &Sums, pieces: &mut Vec<Piece>, number: usize) {
    let slopes = |number: usize| pieces.get(number).is_none_or(|piece| piece.slopes);
    let is_slope = slopes(number);
    let first = match number.checked_sub(1) {
        Some(before) if !slopes(before) => before,
        _ => number,
    };
    let last = if is_slope && !slopes(number + 1) { number + 1 } else { number };
    let start = pieces.get(first).map_or(0, |piece| piece.range.start);
    let end = pieces.get(last).map_or(start, |piece| piece.range.end);
    let split =
        if is_slope { best_step(sums, &(start..end)).map(|(_, split)| split) } else { None };
    let split = split.unwrap_or(end);
    let parts = [start..split, split..end].into_iter().filter(|part| !part.is_empty());
    let parts = parts.map(|part| Piece::new(values, sums, part, false));
    pieces.splice(first..=last, parts.collect::<Vec<_>>());
}

/// Where two levels fit a region best, and the sum of squares they leave; `None` if it is too short.
fn best_step(sums: &Sums, region: &Range<usize>) -> Option<(f64, usize)> {
    let splits = region.start + SHORTEST_LEVEL..(region.end + 1).saturating_sub(SHORTEST_LEVEL);
    let left = |split: usize| {
        sums.left_by_level(&(region.start..split)) + sums.left_by_level(&(split..region.end))
    };
    splits.map(|split| (left(split), split)).min_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
mod tests;
