//! Anomalies of a target that are worth a look, if there is no window yet.
//!
//! In this order, each on what the one before has left: drop-outs, dips and spikes, a period, steps and
//! trends. Other metrics of the same run tell which dips are the same event, and, without a target,
//! where to look at all.
//! The page is `docs/methods/suggestions.md`; how often each is found, and how often something is
//! suggested in noise, is in `calibration/suggestions.md`.

mod agreement;
mod asking;
mod company;
mod dropouts;
mod excursions;
mod gathered;
mod grouping;
pub(crate) mod noise;
mod periods;
mod pieces;
mod points;
mod returns;
mod suggestion;
mod sums;
#[cfg(test)]
mod tests;
mod together;
mod words;

pub use company::{Company, Departing};
pub use gathered::Gathered;
pub use suggestion::{Suggestion, SuggestionKind};
pub use together::{Together, together};
pub(crate) use words::duration;

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
/// Where many metrics depart, this share of what is believed of the target alone is enough.
const FAINT: f64 = 0.5;
/// Windows that share this part of their rows are the same.
const SAME: f64 = 0.4;
/// So many events of other metrics are looked at in the target.
const MOST_FAINT: usize = 5;
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
    let found = suggest_among(grid, target, &Company::default(), limit);
    found.into_iter().map(|one| one.suggestion).collect()
}

/// A suggestion, and which other metrics depart from their level there.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportedSuggestion {
    /// What is odd in the target.
    pub suggestion: Suggestion,
    /// Who departs in the clearest window; nobody if no more do than elsewhere.
    pub departing: Departing,
}

impl SupportedSuggestion {
    /// What comes first: the clearer the target and the more metrics take part.
    fn weight(&self) -> f64 {
        self.suggestion.strength.ln_1p() * (1.0 + self.departing.excess()).sqrt()
    }
}

/// The same among other metrics of the run, on the same rows: they tell which dips and spikes are one
/// event, and which events come first. Where many of them depart, less is enough of the target.
#[must_use]
pub fn suggest_among(
    grid: &Grid,
    target: &Sequence,
    company: &Company,
    limit: usize,
) -> Vec<SupportedSuggestion> {
    if target.count() < FEWEST || target.len() != grid.rows() {
        return Vec::new();
    }
    let Some(points) = Points::of(target) else { return Vec::new() };
    let scene = Scene { grid, points: &points };
    let still = dropouts::find(points.values(), |value| points.original(value));
    let level = |one: &Excursion| (one.range.clone(), one.level);
    let moving = points.without(still.iter().map(level));
    let short = excursions::find(moving.values());
    let rest = moving.without(short.iter().map(level));
    let coarse = rest.averaged_to(MOST);
    let mut lasting = Vec::new();
    let mut levels = coarse.clone();
    let mut least_change = 0.0;
    if let Some(period) = periods::find(coarse.values()) {
        // What the period itself does is not a step; means of whole periods do not have it.
        least_change = 0.5 * (period.extent.1 - period.extent.0);
        levels = coarse.averaged(period.length);
        lasting.push(scene.period(&coarse, &period));
    }
    let on_rows = |one: Excursion| one.on(points.rows(&one.range));
    let mut excursions: Vec<Excursion> = short.into_iter().map(on_rows).collect();
    if levels.values().len() >= FEWEST {
        let (pieces, long) = returns::split(pieces::find(levels.values()));
        let long = long.iter().filter(|excursion| excursion.depth().abs() >= least_change);
        excursions.extend(long.map(|excursion| excursion.on(levels.rows(&excursion.range))));
        lasting.extend(scene.changes(&levels, &pieces, least_change));
    }
    let still = grouping::alike(still.into_iter().map(on_rows).collect());
    let groups = still.into_iter().chain(grouping::alike(excursions));
    let events = groups.flat_map(|group| agreement::events(group, company));
    let mut found: Vec<SupportedSuggestion> = events
        .map(|(event, departing)| SupportedSuggestion {
            suggestion: scene.excursions(&event),
            departing,
        })
        .collect();
    let alone = |suggestion| SupportedSuggestion { suggestion, departing: Departing::default() };
    found.extend(lasting.into_iter().map(alone));
    let more = scene.faint(target, company, &found);
    found.extend(more);
    for one in &mut found {
        one.suggestion.about = words::about(&one.suggestion);
    }
    found.sort_by(|a, b| {
        let start = |one: &SupportedSuggestion| one.suggestion.windows.first().map(|w| w.start);
        b.weight().total_cmp(&a.weight()).then(start(a).cmp(&start(b)))
    });
    found.truncate(limit);
    found
}

/// What a member of a company does where many depart, as a suggestion of that metric.
#[must_use]
pub fn suggestion_of(
    grid: &Grid,
    metric: &Sequence,
    company: &Company,
    together: &Together,
    member: usize,
) -> Option<Suggestion> {
    let points = Points::of(metric)?;
    let first = together.windows.first()?;
    let (level, reached) = company.bump(member, first)?;
    let excursion = |window: &Range<usize>| {
        let strength = together.departing.members.first().map_or(1.0, |(_, strength)| *strength);
        Excursion { range: window.clone(), level, reached, strength, is_still: false }
    };
    let group: Vec<Excursion> = together.windows.iter().map(excursion).collect();
    let scene = Scene { grid, points: &points };
    let mut suggestion = scene.excursions(&group);
    // Of the metric itself, which was not put on another scale.
    (suggestion.level, suggestion.reached) = company.measured(member, (level, reached));
    suggestion.about = words::about(&suggestion);
    Some(suggestion)
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
            kind: self.kind(group, depth),
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

    /// A series that stands still near its level neither dips nor rises.
    fn kind(&self, group: &[Excursion], depth: f64) -> SuggestionKind {
        /// A stretch that stands still is not lower than this quantile, and not higher than the other.
        const USUAL: [f64; 2] = [0.1, 0.9];
        let mut sorted = self.points.values().to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let limits = USUAL.map(|share| {
            Probability::new(share).ok().and_then(|share| quantile::of_sorted(&sorted, share))
        });
        let is_usual = |one: &Excursion| match limits {
            [Some(low), Some(high)] => (low..=high).contains(&one.reached),
            _ => false,
        };
        match depth {
            _ if group.iter().all(|one| one.is_still && is_usual(one)) => SuggestionKind::Still,
            depth if depth < 0.0 => SuggestionKind::Dips,
            _ => SuggestionKind::Spikes,
        }
    }

    /// Where many others depart and the target does by less than would be suggested of it alone.
    fn faint(
        &self,
        target: &Sequence,
        company: &Company,
        found: &[SupportedSuggestion],
    ) -> Vec<SupportedSuggestion> {
        let alone = Company::of([target.clone()]);
        // A step that lasts for half of the run is not what happens for a moment within it.
        let is_known = |rows: &Range<usize>| {
            let mut windows = found.iter().flat_map(|one| &one.suggestion.windows);
            windows.any(|window| shared(window, rows) >= SAME)
        };
        let mut more = Vec::new();
        for event in together(company, MOST_FAINT) {
            let windows = event.windows.iter().filter(|window| !is_known(window));
            let excursion = |window: &Range<usize>| {
                let strength = alone.strength(window);
                let (level, reached) = alone.bump(0, window)?;
                (strength >= FAINT).then(|| Excursion {
                    range: window.clone(),
                    level,
                    reached,
                    strength: strength.max(1.0),
                    is_still: false,
                })
            };
            let group: Vec<Excursion> = windows.filter_map(excursion).collect();
            let Some(middle) = group.first() else { continue };
            let (level, reached) = alone.measured(0, (middle.level, middle.reached));
            let suggestion = Suggestion { level, reached, ..self.excursions(&group) };
            more.push(SupportedSuggestion { suggestion, departing: event.departing.clone() });
        }
        more
    }

    fn seconds(&self, rows: &Range<usize>) -> f64 {
        self.grid.span(rows).map_or(0.0, |(start, end)| (end - start).nanoseconds_f64() * 1e-9)
    }
}

/// The rows in both, as a share of those in either.
fn shared(one: &Range<usize>, other: &Range<usize>) -> f64 {
    let both = one.end.min(other.end).saturating_sub(one.start.max(other.start)) as f64;
    both / ((one.len() + other.len()) as f64 - both).max(1.0)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    quantile::of_unsorted(&mut values, Probability::HALF).unwrap_or(0.0)
}
