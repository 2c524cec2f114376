//! Other metrics on the same rows, which are asked whether they depart from their level as well.

use super::excursions::{Bump, Scale, edges};
use super::sums::Sums;
use crate::Sequence;
use fathom_stats::{Probability, quantile};
use std::ops::Range;

/// Metrics of a run on the rows of one grid.
#[derive(Debug, Default)]
pub struct Company {
    members: Vec<Member>,
}

/// One of them.
#[derive(Debug)]
struct Member {
    values: Vec<f64>,
    sums: Sums,
    /// What the values were divided by.
    by: f64,
}

/// The members that depart from their level within some rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Departing {
    /// Which, and by how many times what chance reaches: the clearest first.
    pub members: Vec<(usize, f64)>,
    /// How many do so elsewhere, on average.
    pub elsewhere: f64,
}

impl Departing {
    /// How many more than elsewhere.
    pub(super) fn excess(&self) -> f64 {
        (self.members.len() as f64 - self.elsewhere).max(0.0)
    }

    /// How many are in another one as well.
    pub(super) fn shared(&self, other: &Departing) -> usize {
        let is_in = |member: usize| other.members.iter().any(|(one, _)| *one == member);
        self.members.iter().filter(|(member, _)| is_in(*member)).count()
    }
}

/// How many members depart at each place of one length.
pub(super) struct Counts {
    pub(super) length: usize,
    pub(super) stride: usize,
    pub(super) counts: Vec<usize>,
}

impl Company {
    /// Of metrics with as many rows each. What has no two values says nothing, and keeps its place.
    #[must_use]
    pub fn of(metrics: impl IntoIterator<Item = Sequence>) -> Company {
        let member = |metric: Sequence| {
            let (values, by) = scaled(metric.bridged());
            Member { sums: Sums::of(&values), values, by }
        };
        Company { members: metrics.into_iter().map(member).collect() }
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(super) fn rows(&self) -> usize {
        self.members.iter().map(|member| member.values.len()).max().unwrap_or(0)
    }

    /// Who departs within these rows, of those that have them.
    #[must_use]
    pub fn departing(&self, rows: &Range<usize>) -> Departing {
        let (mut members, mut elsewhere) = (Vec::new(), 0.0);
        for (number, member) in self.members.iter().enumerate() {
            let Some(scale) = member.scale(rows.len()) else { continue };
            elsewhere += scale.share_departing(rows);
            let bump = Bump::at(&member.sums, member.values.len(), rows.start, rows.len());
            let strength = bump.map_or(0.0, |bump| scale.strength(bump.signed()));
            if strength >= 1.0 {
                members.push((number, strength));
            }
        }
        members.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Departing { members, elsewhere }
    }

    /// How many depart at each place where a stretch of this length may be.
    pub(super) fn counts(&self, length: usize) -> Counts {
        let stride = Scale::stride(length);
        let places = (self.rows() + 1).saturating_sub(length).div_ceil(stride);
        let mut counts = vec![0; places];
        for member in &self.members {
            let Some(scale) = member.scale(length) else { continue };
            for (count, departs) in counts.iter_mut().zip(scale.departs()) {
                *count += usize::from(departs);
            }
        }
        Counts { length, stride, counts }
    }

    /// Where those that depart there begin and end: the middle of each.
    pub(super) fn edges(&self, departing: &Departing, rows: &Range<usize>) -> Range<usize> {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for member in departing.members.iter().filter_map(|(one, _)| self.members.get(*one)) {
            let bump = Bump::at(&member.sums, member.values.len(), rows.start, rows.len());
            let Some(bump) = bump else { continue };
            let found = edges(&member.values, rows, &bump);
            if !found.is_empty() {
                starts.push(found.start as f64);
                ends.push(found.end as f64);
            }
        }
        let middle = |values: &mut [f64]| quantile::of_unsorted(values, Probability::HALF);
        match middle(&mut starts).zip(middle(&mut ends)) {
            Some((start, end)) if start + 1.0 <= end => start as usize..end.ceil() as usize,
            _ => rows.clone(),
        }
    }

    /// By how many times what chance reaches the first member departs within some rows.
    pub(super) fn strength(&self, rows: &Range<usize>) -> f64 {
        let of = |member: &Member| {
            let scale = member.scale(rows.len())?;
            let bump = Bump::at(&member.sums, member.values.len(), rows.start, rows.len())?;
            Some(scale.strength(bump.signed()))
        };
        self.members.first().and_then(of).unwrap_or(0.0)
    }

    /// A level and what is reached, as they were measured.
    pub(super) fn measured(&self, member: usize, levels: (f64, f64)) -> (f64, f64) {
        let by = self.members.get(member).map_or(1.0, |member| member.by);
        let own = |value: f64| (value * by).clamp(f64::MIN, f64::MAX);
        (own(levels.0), own(levels.1))
    }

    /// The level around some rows of a member, and its mean within them.
    pub(super) fn bump(&self, member: usize, rows: &Range<usize>) -> Option<(f64, f64)> {
        let member = self.members.get(member)?;
        let bump = Bump::at(&member.sums, member.values.len(), rows.start, rows.len())?;
        Some((bump.level(), bump.within()))
    }
}

impl Member {
    /// Its stretches of one length; `None` if it does not move, or is not as long.
    fn scale(&self, length: usize) -> Option<Scale> {
        let is_long = length > 0 && self.values.len() > 2 * length;
        let scale = is_long.then(|| Scale::new(&self.sums, self.values.len(), length))?;
        scale.moves().then_some(scale)
    }
}

/// So that squares neither overflow nor vanish.
fn scaled(values: &[f64]) -> (Vec<f64>, f64) {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let by = if (1e-100..1e100).contains(&largest) || largest == 0.0 { 1.0 } else { largest };
    (values.iter().map(|value| value / by).collect(), by)
}
