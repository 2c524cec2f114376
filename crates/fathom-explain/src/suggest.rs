//! Anomalies of a target that are worth a look, if there is no window yet.
//!
//! In this order, each on what the one before has left: dips and spikes, a period, steps and trends.
//! The page is `docs/methods/suggestions.md`; how often each is found, and how often something is
//! suggested in noise, is in `calibration/suggestions.md`.

mod asking;
mod excursions;
mod grouping;
mod noise;
mod periods;
mod pieces;
mod points;
mod returns;
mod suggestion;
mod sums;
#[cfg(test)]
mod tests;
mod words;

pub use suggestion::{Suggestion, SuggestionKind};

use crate::{Grid, Sequence};
use excursions::Excursion;
use fathom_stats::{Probability, quantile};
use periods::Period;
use pieces::Piece;
use points::Points;
use std::ops::Range;

/// Shorter series are not looked at.
const FEWEST: usize = 10;
/// Periods, steps and trends are looked for in at most this many values; longer series are
/// averaged.
const MOST: usize = 1 << 15;
/// Of many excursions that are alike, this many are asked about: the clearest.
const MOST_WINDOWS: usize = 20;

/// Where a series goes to another level for good, or begins to rise or fall, more than chance would:
/// the first value of each such piece but the first.
pub(crate) fn level_changes(values: &[f64]) -> Vec<usize> {
    if values.len() < FEWEST {
        return Vec::new();
    }
    pieces::find(values).iter().skip(1).map(|piece| piece.range.start).collect()
}

/// Anomalies of a target, the strongest first, at most this many.
///
/// Nothing is suggested of a target with fewer than 10 values or equal ones. Takes O(n log n) time.
///
/// ```
/// use fathom_explain::{Grid, Sequence, suggest::{suggest, SuggestionKind}};
/// use fathom_record::Span;
/// let grid = Grid::even(200, Span::from_milliseconds(100)).unwrap();
/// let noise = |row: u32| f64::from((31 * row * row + 37 * row) % 101) / 50.0;
/// let level = |row: u32| if (90..107).contains(&row) { 40.0 } else { 100.0 };
/// let target = Sequence::from((0..200).map(|row| level(row) + noise(row)).collect::<Vec<f64>>());
/// let found = suggest(&grid, &target, 5);
/// assert_eq!((found[0].kind, found[0].windows[0].clone()), (SuggestionKind::Dips, 90..107));
/// assert_eq!(found[0].about, "dips to 0.41 times its previous level for 1.7 s");
/// ```
#[must_use]
pub fn suggest(grid: &Grid, target: &Sequence, limit: usize) -> Vec<Suggestion> {
    if target.count() < FEWEST || target.len() != grid.rows() {
        return Vec::new();
    }
    let Some(points) = Points::of(target) else { return Vec::new() };
    let scene = Scene { grid, points: &points };
    let short = excursions::find(points.values());
    let rest =
        points.without(short.iter().map(|excursion| (excursion.range.clone(), excursion.level)));
    let coarse = rest.averaged_to(MOST);
    let mut found = Vec::new();
    let mut levels = coarse.clone();
    let mut least_change = 0.0;
    if let Some(period) = periods::find(coarse.values()) {
        // What the period itself does is not a step; means of whole periods do not have it.
        least_change = 0.5 * (period.extent.1 - period.extent.0);
        levels = coarse.averaged(period.length);
        found.push(scene.period(&coarse, &period));
    }
    let mut excursions: Vec<Excursion> =
        short.into_iter().map(|excursion| excursion.on(points.rows(&excursion.range))).collect();
    if levels.values().len() >= FEWEST {
        let (pieces, long) = returns::split(pieces::find(levels.values()));
        let long = long.iter().filter(|excursion| excursion.depth().abs() >= least_change);
        excursions.extend(long.map(|excursion| excursion.on(levels.rows(&excursion.range))));
        found.extend(scene.changes(&levels, &pieces, least_change));
    }
    found.extend(grouping::alike(excursions).iter().map(|group| scene.excursions(group)));
    for suggestion in &mut found {
        suggestion.about = words::about(suggestion);
    }
    found.sort_by(|a, b| {
        let earlier = a.windows.first().map(|w| w.start).cmp(&b.windows.first().map(|w| w.start));
        b.strength.total_cmp(&a.strength).then(earlier)
    });
    found.truncate(limit);
    found
}

/// What suggestions are made from: times and units of the target.
struct Scene<'a> {
    grid: &'a Grid,
    points: &'a Points,
}

impl Scene<'_> {
    fn period(&self, points: &Points, period: &Period) -> Suggestion {
        let rows = points.rows(&period.clearest);
        let periods = (period.clearest.len() as f64 / period.length).round().max(1.0);
        let typical = median(points.values().iter().copied());
        Suggestion {
            kind: SuggestionKind::Period,
            seconds: self.seconds(&rows) / periods,
            windows: vec![rows],
            strength: period.strength,
            level: self.points.original(typical + period.extent.0),
            reached: self.points.original(typical + period.extent.1),
            times: (points.values().len() as f64 / period.length) as usize,
            every_seconds: None,
            about: String::new(),
        }
    }

    fn changes(&self, points: &Points, pieces: &[Piece], least_change: f64) -> Vec<Suggestion> {
        let mut found = Vec::new();
        let mut before: Option<&Piece> = None;
        for piece in pieces {
            let from = if piece.slopes { Some(piece.from) } else { before.map(|before| before.to) };
            before = Some(piece);
            let Some(from) = from.filter(|_| piece.strength >= 1.0) else { continue };
            if (piece.to - from).abs() < least_change {
                continue;
            }
            let rows = points.rows(&piece.range);
            found.push(Suggestion {
                kind: match (piece.slopes, piece.to > from) {
                    (true, true) => SuggestionKind::Rise,
                    (true, false) => SuggestionKind::Fall,
                    (false, true) => SuggestionKind::StepUp,
                    (false, false) => SuggestionKind::StepDown,
                },
                seconds: self.seconds(&rows),
                windows: vec![rows],
                strength: piece.strength,
                level: self.points.original(from),
                reached: self.points.original(piece.to),
                times: 1,
                every_seconds: None,
                about: String::new(),
            });
        }
        found
    }

    fn excursions(&self, group: &[Excursion]) -> Suggestion {
        let middle = |pick: &dyn Fn(&Excursion) -> f64| median(group.iter().map(pick));
        let depth = middle(&Excursion::depth);
        let level = self.points.original(middle(&|excursion| excursion.level));
        let mut clearest: Vec<&Excursion> = group.iter().collect();
        clearest.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        clearest.truncate(MOST_WINDOWS);
        clearest.sort_by_key(|excursion| excursion.range.start);
        // Together they are as far from chance as the sum of their squares.
        let strength = group.iter().map(|e| e.strength * e.strength).sum::<f64>().sqrt();
        let per_row = self.seconds(&(0..self.grid.rows())) / self.grid.rows() as f64;
        Suggestion {
            kind: if depth < 0.0 { SuggestionKind::Dips } else { SuggestionKind::Spikes },
            windows: clearest.into_iter().map(|excursion| excursion.range.clone()).collect(),
            strength: strength.min(pieces::STRONGEST),
            level,
            reached: self.points.original(middle(&|excursion| excursion.reached)),
            times: group.len(),
            seconds: middle(&|excursion| self.seconds(&excursion.range)),
            every_seconds: grouping::spacing(group).map(|rows| rows * per_row),
            about: String::new(),
        }
    }

    fn seconds(&self, rows: &Range<usize>) -> f64 {
        self.grid.span(rows).map_or(0.0, |(start, end)| (end - start).nanoseconds_f64() * 1e-9)
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    quantile::of_unsorted(&mut values, Probability::HALF).unwrap_or(0.0)
}
