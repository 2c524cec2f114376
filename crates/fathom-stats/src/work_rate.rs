//! Work per second: a rate with the set-up time separated from it.
//!
//! Runs of different sizes take set-up + work / rate. A straight line through (work, time) has
//! the set-up as its intercept and the time per unit of work as its slope, so that a rate is not
//! spoilt by what every run pays once. (Pilot calls it work-per-second regression.)

use crate::dependence::{SAMPLES_TO_JUDGE, Thinness};
use crate::distribution::student_t;
use crate::{Confidence, Interval, Sides};

/// A rate, and the set-up time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkRate {
    /// Work per unit of time: one over the slope.
    pub rate: f64,
    /// The interval of the rate. Its upper end is infinite where the slope may be zero.
    pub rate_interval: Interval,
    /// Time that every run takes before any work.
    pub setup: f64,
    /// The interval of the set-up time.
    pub setup_interval: Interval,
    /// The sum of squared residuals.
    pub squares: f64,
    /// What the runs are worth, given how their residuals depend on each other.
    pub effective: f64,
    /// How surprising the residuals' curvature would be if time were a straight line in work.
    pub curvature_p: Option<f64>,
}

/// What is taken for granted about the residuals of neighbouring runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residuals {
    /// They may depend on each other; that is judged and allowed for.
    MayDepend,
    /// They are independent.
    Independent,
}

/// Why pairs of work and time give no rate.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkRateError {
    /// Two unknowns and a spread need three points.
    #[error("{n} runs are not enough data; at least 3 are needed")]
    TooFew {
        /// How many there are.
        n: usize,
    },
    /// Set-up and rate cannot be told apart.
    #[error(
        "all runs have the same amount of work, so set-up and rate cannot be separated; vary the amount"
    )]
    SameWork,
    /// More work takes no more time.
    #[error("more work does not take more time in these runs; use larger amounts of work")]
    NoSlope,
}

/// Fits the line. `work` and `time` are pairs in the order they were measured.
///
/// ```
/// use fathom_stats::work_rate::{Residuals, work_rate};
/// use fathom_stats::{Confidence, Sides};
/// let (work, time) = ([50.0, 100.0, 150.0, 200.0, 250.0], [162.0, 233.0, 324.0, 417.0, 572.0]);
/// let found = work_rate(&work, &time, Confidence::DEFAULT, Sides::Both, Residuals::MayDepend)?;
/// assert!((found.setup - 40.4).abs() < 1e-9 && (found.rate - 0.498008).abs() < 1e-6);
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
    let (work, time) = (&work[..n], &time[..n]);
    // In units of the largest, so that squares neither overflow nor vanish.
    let (work_unit, time_unit) = (largest(work), largest(time));
    let x: Vec<f64> = work.iter().map(|w| w / work_unit).collect();
    let y: Vec<f64> = time.iter().map(|t| t / time_unit).collect();
    let size = n as f64;
    let (x_mean, y_mean) = (mean(&x), mean(&y));
    let spread: f64 = x.iter().map(|x| (x - x_mean).powi(2)).sum();
    if spread <= size * f64::EPSILON * f64::EPSILON {
        return Err(WorkRateError::SameWork);
    }
    let slope = x.iter().zip(&y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum::<f64>() / spread;
    if slope.is_nan() || slope <= 0.0 {
        return Err(WorkRateError::NoSlope);
    }
    let intercept = y_mean - slope * x_mean;
    let residuals: Vec<f64> =
        x.iter().zip(&y).map(|(x, y)| y - y_mean - slope * (x - x_mean)).collect();
    let squares: f64 = residuals.iter().map(|r| r * r).sum();

    // Neighbours in time that err alike are worth less.
    let tau = if n < SAMPLES_TO_JUDGE || dependence == Residuals::Independent {
        1.0
    } else {
        Thinness::of(&residuals).map_or(1.0, |thinness| thinness.tau)
    };
    let effective = size / tau;
    let freedom = (effective - 2.0).max(1.0);
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let t = -student_t::quantile(freedom, tail);
    let variance = squares / (size - 2.0) * tau;
    let slope_half = t * (variance / spread).sqrt();
    let intercept_half = t * (variance * (1.0 / size + x_mean * x_mean / spread)).sqrt();

    let per_slope = work_unit / time_unit;
    // One over the ends of the slope: Fieller's interval for one over the slope.
    let rate_end = |slope: f64| if slope > 0.0 { per_slope / slope } else { f64::INFINITY };
    let both = |lower: f64, upper: f64| Interval {
        lower: if sides == Sides::Upper { f64::NEG_INFINITY } else { lower },
        upper: if sides == Sides::Lower { f64::INFINITY } else { upper },
    };
    Ok(WorkRate {
        rate: per_slope / slope,
        rate_interval: both(rate_end(slope + slope_half), rate_end(slope - slope_half)),
        setup: intercept * time_unit,
        setup_interval: both(
            (intercept - intercept_half) * time_unit,
            (intercept + intercept_half) * time_unit,
        ),
        squares: squares * time_unit * time_unit,
        effective,
        curvature_p: curvature(&x, &residuals, x_mean, spread, tau),
    })
}

/// The p-value of a quadratic term in addition to the line; `None` with fewer than four runs or
/// three amounts of work.
fn curvature(x: &[f64], residuals: &[f64], x_mean: f64, spread: f64, tau: f64) -> Option<f64> {
    let size = x.len() as f64;
    if x.len() < 4 {
        return None;
    }
    // What is left of the square of work after a line is fitted to it.
    let square: Vec<f64> = x.iter().map(|x| (x - x_mean).powi(2)).collect();
    let square_mean = mean(&square);
    let slope = x.iter().zip(&square).map(|(x, q)| (x - x_mean) * q).sum::<f64>() / spread;
    let bent: Vec<f64> =
        x.iter().zip(&square).map(|(x, q)| q - square_mean - slope * (x - x_mean)).collect();
    let bent_spread: f64 = bent.iter().map(|b| b * b).sum();
    if bent_spread <= 1e-18 * size {
        return None;
    }
    let term = bent.iter().zip(residuals).map(|(b, r)| b * r).sum::<f64>() / bent_spread;
    let left: f64 = residuals.iter().zip(&bent).map(|(r, b)| (r - term * b).powi(2)).sum();
    let error = (left / (size - 3.0) * tau / bent_spread).sqrt();
    if error <= 0.0 {
        return None;
    }
    let freedom = (size / tau - 3.0).max(1.0);
    Some(2.0 * student_t::cdf(freedom, -(term / error).abs()))
}

fn largest(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
