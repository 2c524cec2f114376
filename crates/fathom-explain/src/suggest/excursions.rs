//! Short departures from a level: dips and spikes, of any length up to a twentieth of the series.
//!
//! At each of several lengths, the mean of a stretch is compared with what comes before it and with
//! what comes after it; the smaller difference counts, if both have the same sign. So neither a step
//! nor a slope is an excursion. What is usual at that length is measured on the series itself, which
//! allows for dependence of any kind, even for a random walk.

use super::sums::Sums;
use fathom_stats::{Probability, quantile};
use std::ops::Range;

/// Context on either side, in lengths of the stretch.
const CONTEXT: usize = 3;
/// A series has at least this many stretches of the longest kind.
const STRETCHES: usize = 24;
/// A spread is at least this share of the root mean square: what mostly stands still may move.
const LEAST_SPREAD: f64 = 0.1;
/// By how much a single value, alone, has to be further out than the next: chance may have long tails.
/// For means of n values, by √n less.
const GAP_ALONE: f64 = 1.5;
/// The same for several.
const GAP: f64 = 0.8;
/// At most one of this many stretches is an excursion.
const RAREST: f64 = 6.0;
/// Excursions are rare, or they are how the series is.
const LARGEST_SHARE: f64 = 0.25;

/// A departure from the level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Excursion {
    /// Where.
    pub(super) range: Range<usize>,
    /// What is around it.
    pub(super) level: f64,
    /// Its mean.
    pub(super) reached: f64,
    /// By how much it is more than chance: 1 is the least that is believed.
    pub(super) strength: f64,
    /// Whether it stands still there.
    pub(super) is_still: bool,
}

impl Excursion {
    /// How far it departs: negative for a dip.
    pub(super) fn depth(&self) -> f64 {
        self.reached - self.level
    }

    /// The same elsewhere.
    pub(super) fn on(&self, range: Range<usize>) -> Excursion {
        Excursion { range, ..self.clone() }
    }
}

/// An unusual stretch.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    start: usize,
    length: usize,
    strength: f64,
}

/// The excursions of a series, in its order.
pub(super) fn find(values: &[f64]) -> Vec<Excursion> {
    let mut found: Vec<Excursion> = Vec::new();
    let mut series = values.to_vec();
    let mut spreads = Vec::new();
    let mut candidates = Vec::new();
    let longest = (values.len() / STRETCHES).max(1);
    let mut length = 1;
    while length <= longest {
        let sums = Sums::of(&series);
        let scale = Scale::new(&sums, series.len(), length);
        candidates.extend(scale.candidates());
        spreads.push((length, scale.limit()));
        if length == 1 {
            scale.clip_single(&mut series);
        }
        length *= 2;
    }
    candidates.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    // Each is looked at again without those that were found before it: between two dips is not a
    // spike.
    let mut cleaned = values.to_vec();
    let mut taken = vec![false; values.len()];
    let is_free = |taken: &[bool], range: &Range<usize>| {
        taken.get(range.clone()).is_some_and(|rows| rows.iter().all(|&row| !row))
    };
    for candidate in candidates {
        let box_range = candidate.start..candidate.start + candidate.length;
        if !is_free(&taken, &box_range) {
            continue;
        }
        let limit = spreads.iter().find(|(length, _)| *length == candidate.length);
        let Some(&(_, limit)) = limit else { continue };
        let Some(bump) = Bump::direct(&cleaned, candidate.start, candidate.length) else {
            continue;
        };
        if bump.height() < limit {
            continue;
        }
        let range = edges(&cleaned, &box_range, &bump);
        if range.is_empty() || !is_free(&taken, &range) {
            continue;
        }
        let part = values.get(range.clone()).unwrap_or_default();
        let reached = part.iter().sum::<f64>() / part.len().max(1) as f64;
        if let Some(part) = cleaned.get_mut(range.clone()) {
            part.fill(bump.level());
        }
        if let Some(part) = taken.get_mut(range.clone()) {
            part.fill(true);
        }
        let strength = bump.height() / limit;
        let level = bump.level();
        found.push(Excursion { range, level, reached, strength, is_still: false });
    }
    let rows: usize = found.iter().map(|excursion| excursion.range.len()).sum();
    if rows as f64 > LARGEST_SHARE * values.len() as f64 {
        return Vec::new();
    }
    found.sort_by_key(|excursion| excursion.range.start);
    found
}

/// A stretch, and the means of what is on both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bump {
    before: f64,
    within: f64,
    after: f64,
}

impl Bump {
    /// The context of a stretch in a series; `None` too close to an end.
    fn context(n: usize, start: usize, length: usize) -> Option<(Range<usize>, Range<usize>)> {
        let least = length.max(CONTEXT);
        let end = start + length;
        let left = start.saturating_sub(CONTEXT * length.max(2))..start;
        let right = end..(end + CONTEXT * length.max(2)).min(n);
        (left.len() >= least && right.start < n && right.len() >= least).then_some((left, right))
    }

    pub(super) fn at(sums: &Sums, n: usize, start: usize, length: usize) -> Option<Bump> {
        Bump::by(n, start, length, |range| sums.mean(range))
    }

    fn direct(values: &[f64], start: usize, length: usize) -> Option<Bump> {
        Bump::by(values.len(), start, length, |range| {
            let part = values.get(range.clone()).unwrap_or_default();
            part.iter().sum::<f64>() / part.len().max(1) as f64
        })
    }

    /// The middle one of three means on either side, so that another excursion there does no harm.
    fn by(
        n: usize,
        start: usize,
        length: usize,
        mean: impl Fn(&Range<usize>) -> f64,
    ) -> Option<Bump> {
        let (left, right) = Bump::context(n, start, length)?;
        let middle = |range: &Range<usize>| {
            let cut = |third: usize| range.start + range.len() * third / CONTEXT;
            let [a, b, c] = [0, 1, 2].map(|third| mean(&(cut(third)..cut(third + 1))));
            a.min(b).max(a.max(b).min(c))
        };
        let within = mean(&(start..start + length));
        Some(Bump { before: middle(&left), within, after: middle(&right) })
    }

    /// The smaller difference, if both have the same sign; else 0.
    pub(super) fn signed(&self) -> f64 {
        let (left, right) = (self.within - self.before, self.within - self.after);
        if left * right <= 0.0 {
            0.0
        } else if left.abs() < right.abs() {
            left
        } else {
            right
        }
    }

    fn height(&self) -> f64 {
        self.signed().abs()
    }

    pub(super) fn level(&self) -> f64 {
        f64::midpoint(self.before, self.after)
    }

    pub(super) fn within(&self) -> f64 {
        self.within
    }
}

/// All stretches of one length.
pub(super) struct Scale {
    length: usize,
    stride: usize,
    /// The signed height at every stride.
    heights: Vec<f64>,
    spread: f64,
    /// How many stretches fit in.
    fit: f64,
}

impl Scale {
    pub(super) fn new(sums: &Sums, n: usize, length: usize) -> Scale {
        let stride = Scale::stride(length);
        let bumps = (0..n.saturating_sub(length) + 1).step_by(stride);
        let bumps: Vec<Option<Bump>> =
            bumps.map(|start| Bump::at(sums, n, start, length)).collect();
        let usual = bumps.iter().flatten().map(|bump| bump.within - bump.before).collect();
        Scale {
            length,
            stride,
            heights: bumps.iter().map(|bump| bump.map_or(0.0, |bump| bump.signed())).collect(),
            spread: spread(usual),
            fit: n as f64 / length as f64,
        }
    }

    /// How far apart the places are that are looked at.
    pub(super) fn stride(length: usize) -> usize {
        (length / 4).max(1)
    }

    /// The least height that is believed.
    fn limit(&self) -> f64 {
        self.spread * least(self.fit)
    }

    /// Whether anything moves at all.
    pub(super) fn moves(&self) -> bool {
        self.spread > 0.0 && self.spread.is_finite()
    }

    /// By how many times a height is what is believed.
    pub(super) fn strength(&self, signed: f64) -> f64 {
        signed.abs() / self.limit()
    }

    /// Whether each place departs by what is believed.
    pub(super) fn departs(&self) -> impl Iterator<Item = bool> + '_ {
        let limit = self.limit();
        self.heights.iter().map(move |height| height.abs() >= limit)
    }

    /// At which share of the places that have no row in common with these something departs.
    pub(super) fn share_departing(&self, rows: &Range<usize>) -> f64 {
        let (mut all, mut departing) = (0_usize, 0_usize);
        for (place, departs) in self.departs().enumerate() {
            let start = place * self.stride;
            if start + self.length <= rows.start || start >= rows.end {
                all += 1;
                departing += usize::from(departs);
            }
        }
        departing as f64 / all.max(1) as f64
    }

    fn candidates(&self) -> Vec<Candidate> {
        if self.spread <= 0.0 {
            return Vec::new();
        }
        let peaks = self.peaks();
        let limit = self.apart(&peaks);
        let high = peaks.into_iter().filter(|(_, height)| *height >= limit);
        high.map(|(place, height)| Candidate {
            start: place * self.stride,
            length: self.length,
            strength: height / self.limit(),
        })
        .collect()
    }

    /// Where the height is largest within a length, and how large.
    fn peaks(&self) -> Vec<(usize, f64)> {
        let reach = self.length.div_ceil(self.stride);
        let is_highest = |place: usize, height: f64| {
            let around = place.saturating_sub(reach)..(place + reach + 1).min(self.heights.len());
            let mut others = self.heights.get(around).unwrap_or_default().iter();
            others.all(|other| other.abs() <= height)
        };
        let high = self.heights.iter().map(|height| height.abs()).enumerate();
        high.filter(|(place, height)| *height > 0.0 && is_highest(*place, *height)).collect()
    }

    /// The least height that is believed and that is set apart from all lower ones; infinite if none is.
    fn apart(&self, peaks: &[(usize, f64)]) -> f64 {
        let mut heights: Vec<f64> = peaks.iter().map(|(_, height)| *height).collect();
        heights.sort_unstable_by(|a, b| b.total_cmp(a));
        let most = ((self.fit / RAREST) as usize).max(1);
        let limit = self.limit();
        // What is behind the last one is lower than anything.
        let lower = heights.iter().skip(1).copied().chain(std::iter::once(0.0));
        let pairs = heights.iter().copied().zip(lower).enumerate().take(most);
        let apart = pairs.filter(|(number, (high, low))| {
            let gap = if *number == 0 { GAP_ALONE } else { GAP };
            *high >= limit && *high >= (1.0 + gap / (self.length as f64).sqrt()) * low
        });
        apart.last().map_or(f64::INFINITY, |(_, (high, _))| high)
    }

    /// Extreme single values are pulled in, or the longer stretches around them would look unusual.
    fn clip_single(&self, series: &mut [f64]) {
        let most = 4.0 * self.spread;
        for (value, height) in series.iter_mut().zip(&self.heights) {
            if height.abs() > most {
                *value -= height.signum() * (height.abs() - most);
            }
        }
    }
}

/// How far apart stretches usually are: in standard deviations if they are normal.
fn spread(mut differences: Vec<f64>) -> f64 {
    let square: f64 = differences.iter().map(|difference| difference * difference).sum();
    let floor = LEAST_SPREAD * (square / differences.len().max(1) as f64).sqrt();
    let Some(centre) = quantile::of_unsorted(&mut differences, Probability::HALF) else {
        return 0.0;
    };
    differences.iter_mut().for_each(|difference| *difference = (*difference - centre).abs());
    let half = quantile::of_unsorted(&mut differences, Probability::HALF).unwrap_or(0.0);
    (half / 0.674_49).max(floor)
}

/// How many spreads are believed, where this many stretches fit in: what the largest of them reaches
/// by chance, and more where the spread itself is of a few.
fn least(fit: f64) -> f64 {
    1.4 + (2.0 * fit.max(1.0).ln()).sqrt() + 30.0 / fit
}

/// Where it is closer to what it reached than to the level.
pub(super) fn edges(values: &[f64], range: &Range<usize>, bump: &Bump) -> Range<usize> {
    let half = f64::midpoint(bump.level(), bump.within);
    let sign = bump.signed().signum();
    let mut range = range.clone();
    // At the very end of what was looked at, it may go on.
    for _ in 0..4 {
        let start = range.start.saturating_sub(range.len());
        let around = start..(range.end + range.len()).min(values.len());
        range = largest_sum(values, &around, |value| sign * (value - half));
        if range.is_empty() || (range.start > around.start && range.end < around.end) {
            break;
        }
    }
    range
}

/// The stretch with the largest sum.
fn largest_sum(values: &[f64], around: &Range<usize>, term: impl Fn(f64) -> f64) -> Range<usize> {
    let part = values.get(around.clone()).unwrap_or_default();
    let (mut best, mut best_range) = (0.0, around.start..around.start);
    let (mut sum, mut start) = (0.0, around.start);
    for (place, value) in (around.start..).zip(part) {
        if sum <= 0.0 {
            (sum, start) = (0.0, place);
        }
        sum += term(*value);
        if sum > best {
            (best, best_range) = (sum, start..place + 1);
        }
    }
    best_range
}

#[cfg(test)]
mod tests;
