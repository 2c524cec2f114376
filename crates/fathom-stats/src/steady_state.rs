//! Where a series settles: change points with a controlled false alarm rate, and classes.
//!
//! A change of level is claimed when normal scores of the ranks differ by more than chance and
//! dependence explain; at most 5% of independent series get a point. Scores are scanned over seeded
//! intervals ([Kovács et al. 2023][seeded]), the series is split recursively, and every point is
//! tested and placed again between its neighbours. The segments then say whether the series was
//! flat, warmed up, slowed down, or never settled, the classes of Barrett et al. 2017. The method's
//! page is `docs/methods/steady-state.md`, its error rates are in `calibration/steady_state.md`.
//!
//! [seeded]: https://doi.org/10.1093/biomet/asac052

mod autocorrelation;
mod classification;
mod critical_value;
mod interval_test;
mod level;
mod ranks;
mod refinement;
mod relocation;
mod scores;
mod seeded_scan;
mod segmentation;

use crate::magnitude::{Ordinary, ordinary};
pub use interval_test::Split;

use interval_test::Tester;
use relocation::ChangePoint;
use std::ops::Range;

/// From this factor on, [`SteadyState::strongly_autocorrelated`].
const STRONG: f64 = 4.0;

/// How a series behaves, small values being good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// At one level throughout, but for short disturbances and differences too small to matter.
    Flat,
    /// Slower at first, then steady.
    WarmUp,
    /// Steady in the end, but not always slower before.
    SlowDown,
    /// No steady state: too short an end, or a level that was left and came back.
    None,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 4] = [Class::Flat, Class::WarmUp, Class::SlowDown, Class::None];

    /// Its name in JSON.
    ///
    /// ```
    /// use fathom_stats::steady_state::Class;
    /// assert_eq!(Class::WarmUp.name(), "warmup");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class::Flat => "flat",
            Class::WarmUp => "warmup",
            Class::SlowDown => "slowdown",
            Class::None => "none",
        }
    }
}

/// Where and how a series settles. Nothing is dropped: what to do with the beginning is for the
/// caller to decide and to report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteadyState {
    /// The behaviour.
    pub class: Class,
    /// The first steady index: 0 if flat. Without a steady state, where the last level begins.
    pub start: usize,
    /// The first indices of new levels, however small the difference.
    pub change_points: Vec<usize>,
    /// Short departures from the steady level, at most 10% of the series in all.
    pub disturbances: Vec<Range<usize>>,
    /// Whether there was anything to test: false for fewer than 12 values or equal ones. Below 20
    /// only large changes are found.
    pub tested: bool,
    /// Whether dependence inflates the variance of a sum more than fourfold. Changes are then hard
    /// to tell from random drift.
    pub strongly_autocorrelated: bool,
}

/// Finds where a series settles. `values` are finite and in time order, `clock_step` is the
/// smallest difference the clock can show, or 0.
///
/// Takes O(n log n) time for a series with few changes, and linear memory.
///
/// ```
/// use fathom_stats::steady_state::{analyse, Class};
/// let noise = |i: u32| f64::from((31 * i * i + 37 * i) % 101) / 10.0;
/// let values: Vec<f64> =
///     (0..40).map(|i| noise(i) + if i < 10 { 1050.0 } else { 1000.0 }).collect();
/// let found = analyse(&values, 0.0);
/// assert_eq!((found.class, found.start), (Class::WarmUp, 10));
/// assert_eq!(found.change_points, [10]);
/// ```
#[must_use]
pub fn analyse(values: &[f64], clock_step: f64) -> SteadyState {
    let untested = SteadyState {
        class: Class::Flat,
        start: 0,
        change_points: Vec::new(),
        disturbances: Vec::new(),
        tested: false,
        strongly_autocorrelated: false,
    };
    let Some(ranks) = ranks::dense(values) else { return untested };
    let mut tester = Tester::new(&ranks);
    let Some(root) = tester.seeded(0..values.len()) else { return untested };
    let points = segmentation::split(&mut tester, root);
    let points = refinement::refine(&mut tester, points);
    let Ordinary { values, scale } = ordinary(values);
    let clock_step = clock_step * scale;
    let points: Vec<ChangePoint> = relocation::relocate(&values, &points);
    let verdict = classification::classify(&values, &ranks, clock_step, &points);
    SteadyState {
        class: verdict.class,
        start: verdict.start,
        change_points: points.iter().map(|point| point.position).collect(),
        disturbances: verdict.disturbances,
        tested: true,
        strongly_autocorrelated: root.factor > STRONG,
    }
}

/// The first test of [`analyse`]: the best split of the whole series, with its statistic T and the
/// factor f. `None` for fewer than 12 values or equal ones.
///
/// ```
/// use fathom_stats::steady_state::{critical_value, root_split};
/// let noise = |i: u32| f64::from((31 * i * i + 37 * i) % 101) / 10.0;
/// let values: Vec<f64> =
///     (0..40).map(|i| noise(i) + if i < 10 { 1050.0 } else { 1000.0 }).collect();
/// let split = root_split(&values).ok_or("too short")?;
/// assert_eq!(split.position, 10);
/// assert!(split.statistic > critical_value(40));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn root_split(values: &[f64]) -> Option<Split> {
    Tester::new(&ranks::dense(values)?).seeded(0..values.len())
}

/// What T must exceed for a series of length n to get a change point.
#[must_use]
pub fn critical_value(n: usize) -> f64 {
    critical_value::of(n)
}
