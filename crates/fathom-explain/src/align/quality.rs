//! How well two runs fit together.

use super::warped::{Warped, mean_and_deviation};
use fathom_dtw::{Warp, WarpError};
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
    /// goes evenly where the common metric is even; in nanoseconds of this run.
    pub ends_uncertain_ns: i64,
}

/// Samples fewer than this cannot be reordered in a way that means something.
const FEWEST_REORDERED: usize = 16;

/// What an alignment costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Costs {
    pub(super) per_step: f64,
    pub(super) in_window: Option<f64>,
    /// The standard deviation that costs are compared with; 0 if neither run changes.
    pub(super) deviation: f64,
    pub(super) against_chance: Option<f64>,
}

impl Costs {
    pub(super) fn relative(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| self.per_step / self.deviation)
    }

    pub(super) fn relative_in_window(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| Some(self.in_window? / self.deviation))?
    }

    /// The limits are from simulation: see the page of the method.
    pub(super) fn fit(&self) -> Fit {
        let Some(relative) = self.relative() else { return Fit::Poor };
        let chance = self.against_chance;
        let is_below = |limit: f64| chance.is_some_and(|chance| chance <= limit);
        let fit = if relative <= 0.25 && is_below(0.5) {
            Fit::Good
        } else if relative <= 0.2 || is_below(0.8) {
            Fit::Fair
        } else {
            Fit::Poor
        };
        // A window that fits much worse than the rest is not where it should be.
        let is_worse_in_window = self
            .relative_in_window()
            .is_some_and(|in_window| in_window > 0.25 && in_window > 2.0 * relative);
        match (fit, is_worse_in_window) {
            (Fit::Good, true) => Fit::Fair,
            (_, true) => Fit::Poor,
            (fit, false) => fit,
        }
    }
}

/// Sums the costs of an alignment up; `windows` are samples of the reference.
#[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
pub(super) fn costs(
    warped: &Warped,
    windows: &[RangeInclusive<usize>],
    how: Warp<'_>,
) -> Result<Costs, WarpError> {
    let (x, y) = (&warped.compared.x, &warped.compared.y);
    let (mut all, mut inside, mut steps, mut steps_inside) = (0.0, 0.0, 0_usize, 0_usize);
    for (i, j) in warped.path.iter() {
        let (Some(here), Some(there)) = (x.get(i), y.get(j)) else { continue };
        let cost = (here - there).abs();
        all += cost;
        steps += 1;
        if windows.iter().any(|window| window.contains(&i)) {
            inside += cost;
            steps_inside += 1;
        }
    }
    let deviation = match mean_and_deviation(x).1 {
        deviation if deviation > 0.0 => deviation,
        _ => mean_and_deviation(y).1,
    };
    let scale = warped.compared.scale;
    let told = |cost: f64| (cost * scale).min(f64::MAX);
    Ok(Costs {
        per_step: told(all / steps.max(1) as f64),
        in_window: (steps_inside > 0).then(|| told(inside / steps_inside as f64)),
        deviation: told(deviation),
        against_chance: against_chance(warped, how)?,
    })
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
