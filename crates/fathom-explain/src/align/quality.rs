//! How well two runs fit together.

use super::warped::{Warped, mean_and_deviation};
use fathom_dtw::{Warp, WarpError};
use fathom_record::Span;
use std::fmt;
use std::ops::RangeInclusive;

/// How well a run fits the reference, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// The common metric tells which moments belong together.
    Good,
    /// It does so roughly.
    Fair,
    /// It does not: another order of the same samples fits about as well.
    Poor,
}

impl Fit {
    /// All of them.
    pub const ALL: [Fit; 3] = [Fit::Good, Fit::Fair, Fit::Poor];

    /// Its name in reports and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Fit::Good => "good",
            Fit::Fair => "fair",
            Fit::Poor => "poor",
        }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How well a run fits the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// In a word.
    pub fit: Fit,
    /// The mean difference of the samples that were matched: in the common metric's unit, per second
    /// for counters and events, or in standard deviations if normalised. Penalties are left out.
    pub cost_per_step: f64,
    /// The same within the windows; `None` if the common metric was not seen there.
    pub cost_in_window: Option<f64>,
    /// The cost per step by the standard deviation of the reference's common metric; `None` if that
    /// never changes.
    pub relative_cost: Option<f64>,
    /// The whole cost by what it is if the run is turned around or its parts are reordered: about 1
    /// for runs that have nothing to do with each other, and for metrics that look the same either
    /// way. `None` if there are too few samples, or if that costs nothing.
    pub against_chance: Option<f64>,
    /// How many samples of one run match a single one of the other, at most; 1 if none do.
    pub longest_stretch: usize,
    /// The same within the windows.
    pub longest_stretch_in_window: usize,
    /// How many times as long the windows are in this run.
    pub slope: f64,
    /// How far the ends of the windows move, at most, if the alignment is held a little tighter or
    /// goes evenly where the common metric is even; in this run's time.
    pub ends_uncertain: Span,
}

impl Quality {
    /// Of two alignments, one after the other: the costs are those of the worse one, and what is
    /// uncertain adds up.
    pub(super) fn and(self, next: Quality) -> Quality {
        let relative = |one: &Quality| one.relative_cost.unwrap_or(f64::INFINITY);
        let is_worse = (self.fit, relative(&self)) > (next.fit, relative(&next));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        let ends = (self.ends_uncertain.nanoseconds_f64() * next.slope.max(0.0)) as u64;
        let worse = if is_worse { self } else { next };
        Quality {
            slope: self.slope * next.slope,
            ends_uncertain: next.ends_uncertain + Span::from_nanoseconds(ends),
            ..worse
        }
    }
}

/// Samples fewer than this cannot be reordered in a way that means something.
const FEWEST_REORDERED: usize = 16;

/// What an alignment costs, whatever the windows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct WholeCosts {
    pub(super) per_step: f64,
    /// The standard deviation that costs are compared with; 0 if neither run changes.
    pub(super) deviation: f64,
    pub(super) against_chance: Option<f64>,
}

/// What an alignment costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Costs {
    pub(super) whole: WholeCosts,
    /// The cost per step within the windows.
    pub(super) in_window: Option<f64>,
}

impl WholeCosts {
    /// Sums the costs of an alignment up.
    #[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
    pub(super) fn of(warped: &Warped, how: Warp<'_>) -> Result<WholeCosts, WarpError> {
        let (x, y) = (&warped.compared.x, &warped.compared.y);
        let (mut all, mut steps) = (0.0, 0_usize);
        for (_, cost) in warped.differences() {
            all += cost;
            steps += 1;
        }
        let deviation = match mean_and_deviation(x).1 {
            deviation if deviation > 0.0 => deviation,
            _ => mean_and_deviation(y).1,
        };
        Ok(WholeCosts {
            per_step: warped.told(all / steps.max(1) as f64),
            deviation: warped.told(deviation),
            against_chance: against_chance(warped, how)?,
        })
    }

    pub(super) fn relative(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| self.per_step / self.deviation)
    }

    /// How well all of both runs fit. The limits are from simulation: see the page of the method.
    pub(super) fn fit(&self) -> Fit {
        let Some(relative) = self.relative() else { return Fit::Poor };
        let is_below = |limit: f64| self.against_chance.is_some_and(|chance| chance <= limit);
        if relative <= 0.25 && is_below(0.5) {
            Fit::Good
        } else if relative <= 0.2 || is_below(0.8) {
            Fit::Fair
        } else {
            Fit::Poor
        }
    }
}

impl Costs {
    /// Of windows, given as samples of the reference.
    #[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
    pub(super) fn of(
        whole: WholeCosts,
        warped: &Warped,
        windows: &[RangeInclusive<usize>],
    ) -> Costs {
        let (mut inside, mut steps) = (0.0, 0_usize);
        for (i, cost) in warped.differences() {
            if windows.iter().any(|window| window.contains(&i)) {
                inside += cost;
                steps += 1;
            }
        }
        let in_window = (steps > 0).then(|| warped.told(inside / steps as f64));
        Costs { whole, in_window }
    }

    pub(super) fn relative_in_window(&self) -> Option<f64> {
        let deviation = self.whole.deviation;
        (deviation > 0.0).then(|| Some(self.in_window? / deviation))?
    }

    /// How well the runs fit, the windows included.
    pub(super) fn fit(&self) -> Fit {
        let Some(relative) = self.whole.relative() else { return Fit::Poor };
        // A window that fits much worse than the rest is not where it should be.
        let is_worse_in_window = self
            .relative_in_window()
            .is_some_and(|in_window| in_window > 0.25 && in_window > 2.0 * relative);
        match (self.whole.fit(), is_worse_in_window) {
            (Fit::Good, true) => Fit::Fair,
            (_, true) => Fit::Poor,
            (fit, false) => fit,
        }
    }
}

/// The distance by that of the same samples in other orders: backwards, and in eight parts that
/// change places. Both keep the values and how they follow each other, but not what happened when.
fn against_chance(warped: &Warped, how: Warp<'_>) -> Result<Option<f64>, WarpError> {
    const ORDER: [usize; 8] = [5, 2, 7, 0, 4, 1, 6, 3];
    let (x, y) = (&warped.compared.x, &warped.compared.y);
    if x.len().min(y.len()) < FEWEST_REORDERED {
        return Ok(None);
    }
    let backwards: Vec<f64> = y.iter().rev().copied().collect();
    let part = |n: usize| n * y.len() / ORDER.len();
    let parts = ORDER.iter().filter_map(|&n| y.get(part(n)..part(n + 1)));
    let reordered: Vec<f64> = parts.flatten().copied().collect();
    let how = how.penalty(warped.penalty);
    let chance = 0.5 * how.distance(x, &backwards)? + 0.5 * how.distance(x, &reordered)?;
    Ok((chance > 0.0).then(|| warped.distance / chance))
}
