//! Work per second: a rate with the set-up time separated from it.
//!
//! Runs of different sizes take set-up + work / rate. A straight line through (work, time) has
//! the set-up as its intercept and the time per unit of work as its slope, so that a rate is not
//! spoilt by what every run pays once. (Pilot calls it work-per-second regression.)

mod fitted;
mod order;
mod rare;
mod uncertainty;

use crate::dependence::SAMPLES_TO_JUDGE;
use crate::{Confidence, Interval, Sides};
use fitted::Fitted;
use std::fmt;
use uncertainty::{Purpose, Uncertainty};

/// A rate, and the set-up time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkRate {
    /// Work per unit of time: one over the slope.
    pub rate: f64,
    /// The interval of the rate. Its upper end is infinite where the slope may be zero; everything
    /// where it is unknown.
    pub rate_interval: Interval,
    /// Time that every run takes before any work.
    pub setup: f64,
    /// The interval of the set-up time; everything where it is unknown.
    pub setup_interval: Interval,
    /// About how many such runs its interval needs, where there are fewer: a stall of one run in
    /// twenty may be missing among them, and the set-up time is a mean.
    pub setup_needs: Option<usize>,
    /// The sum of squared residuals.
    pub squares: f64,
    /// What the runs are worth for the rate, given how their errors depend on each other.
    pub effective: f64,
    /// How surprising the residuals' curvature would be if time were a straight line in work.
    pub curvature_p: Option<f64>,
    /// Whether the intervals hold only if the runs are independent, which so few cannot show.
    pub if_independent: bool,
    /// Why the interval of the rate is unknown, where it is.
    pub unknown: Option<UnknownInterval>,
}

/// What is taken for granted about the residuals of neighbouring runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residuals {
    /// They may depend on each other; that is judged and allowed for.
    MayDepend,
    /// They are independent.
    Independent,
}

/// Why a rate has no interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UnknownInterval {
    /// Neighbouring runs err so much alike that they tell too little.
    TooDependent {
        /// What they are worth.
        effective: f64,
        /// About how many runs would do, if they are like these.
        needed: usize,
    },
    /// All runs but one have the same amount of work, so nothing shows how that one varies.
    OneRunDecides,
    /// The times lie on the line exactly: a clock that is too coarse shows no spread.
    NoSpread,
    /// The amounts rise, fall or stay alike from run to run, so a machine that becomes slower looks
    /// like more work.
    AmountsInOrder,
}

/// Why pairs of work and time give no rate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WorkRateError {
    /// Two unknowns and a spread need three points.
    TooFew {
        /// How many there are.
        n: usize,
    },
    /// Set-up and rate cannot be told apart.
    SameWork,
    /// More work takes no more time.
    NoSlope {
        /// What the rate surely is at least: the largest slope that the runs allow.
        least: Option<f64>,
    },
}

impl fmt::Display for WorkRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkRateError::TooFew { n } => { let runs = if *n == 1 { "run is" } else { "runs are" }; write!(f, "{n} {runs} not enough data; at least 3 are needed") }
            WorkRateError::SameWork => f.write_str("all runs have the same amount of work, so set-up and rate cannot be separated; vary the amount"),
            WorkRateError::NoSlope { .. } => f.write_str("more work does not take more time in these runs; use larger amounts of work"),
        }
    }
}

impl std::error::Error for WorkRateError {}

/// Fits the line. `work` and `time` are pairs in the order they were measured.
///
/// ```
/// use fathom_stats::work_rate::{Residuals, work_rate};
/// use fathom_stats::{Confidence, Sides};
/// let (work, time) = ([150.0, 50.0, 250.0, 100.0, 200.0], [324.0, 162.0, 572.0, 233.0, 417.0]);
/// let found = work_rate(&work, &time, Confidence::DEFAULT, Sides::Both, Residuals::MayDepend)?;
/// assert!((found.setup - 40.4).abs() < 1e-9 && (found.rate - 0.498008).abs() < 1e-6);
/// assert!(found.if_independent, "five runs cannot show it");
/// assert!(found.setup_needs.is_some(), "nor stalls, which the set-up time would feel");
/// # Ok::<(), fathom_stats::work_rate::WorkRateError>(())
/// ```
pub fn work_rate(
    work: &[f64],
    time: &[f64],
    confidence: Confidence,
    sides: Sides,
    dependence: Residuals,
) -> Result<WorkRate, WorkRateError> {
    let n = work.len().min(time.len());
    if n < 3 {
        return Err(WorkRateError::TooFew { n });
    }
    // In units of the largest, so that squares neither overflow nor vanish.
    let (work_unit, time_unit) = (largest(&work[..n]), largest(&time[..n]));
    let x: Vec<f64> = work[..n].iter().map(|w| w / work_unit).collect();
    let y: Vec<f64> = time[..n].iter().map(|t| t / time_unit).collect();
    let line = Fitted::line(&x, &y).ok_or(WorkRateError::SameWork)?;
    let is_judged = n >= SAMPLES_TO_JUDGE && dependence == Residuals::MayDepend;
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let is_in_order = dependence == Residuals::MayDepend && order::changes_slowly(&x);
    let of = |weights: &[f64]| Uncertainty::of(&line, weights, is_judged, Purpose::Interval);
    let unless_in_order = |known: Result<Uncertainty, UnknownInterval>| match known {
        Ok(_) if is_in_order => Err(UnknownInterval::AmountsInOrder),
        known => known,
    };
    let (slope, intercept) = (line.slope, line.intercept);
    let (of_slope, of_intercept) = (of(&line.slope_weights()), of(&line.intercept_weights()));
    let effective = match &of_slope {
        Ok(known) => n as f64 / known.tau,
        Err(UnknownInterval::TooDependent { effective, .. }) => *effective,
        Err(_) => n as f64,
    };
    let (of_slope, of_intercept) = (unless_in_order(of_slope), unless_in_order(of_intercept));
    let setup_needs = rare::needed_for_setup(&line.intercept_weights(), confidence.alpha());

    let per_slope = work_unit / time_unit;
    // One over the ends of the slope: Fieller's interval for one over the slope.
    let rate_end = |slope: f64| if slope > 0.0 { per_slope / slope } else { f64::INFINITY };
    if slope.is_nan() || slope <= 0.0 {
        let steepest = of_slope.ok().map(|known| slope + known.reach(tail).above);
        let steepest = steepest.filter(|steepest| *steepest > 0.0 && sides != Sides::Upper);
        return Err(WorkRateError::NoSlope { least: steepest.map(rate_end) });
    }
    let both = |lower: f64, upper: f64| Interval {
        lower: if sides == Sides::Upper { f64::NEG_INFINITY } else { lower },
        upper: if sides == Sides::Lower { f64::INFINITY } else { upper },
    };
    Ok(WorkRate {
        rate: per_slope / slope,
        rate_interval: of_slope.map_or(Interval::EVERYTHING, |known| {
            let reach = known.reach(tail);
            both(rate_end(slope + reach.above), rate_end(slope - reach.below))
        }),
        setup: intercept * time_unit,
        setup_interval: of_intercept.map_or(Interval::EVERYTHING, |known| {
            if setup_needs.is_some() {
                return Interval::EVERYTHING;
            }
            let reach = known.reach(tail);
            both((intercept - reach.below) * time_unit, (intercept + reach.above) * time_unit)
        }),
        setup_needs,
        squares: line.squares() * time_unit * time_unit,
        effective,
        curvature_p: curvature(&line, &x, &y, is_judged).filter(|_| !is_in_order),
        if_independent: n < SAMPLES_TO_JUDGE && dependence == Residuals::MayDepend,
        unknown: of_slope.err(),
    })
}

/// The p-value of a quadratic term in addition to the line; `None` with fewer than four runs or
/// three amounts of work.
fn curvature(line: &Fitted, x: &[f64], y: &[f64], is_judged: bool) -> Option<f64> {
    let (curve, weights) = line.with_square(x, y)?;
    let term: f64 = weights.iter().zip(y).map(|(w, y)| w * y).sum();
    Uncertainty::of(&curve, &weights, is_judged, Purpose::Test).ok()?.p_value(term)
}

fn largest(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}
