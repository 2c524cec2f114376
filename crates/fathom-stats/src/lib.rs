//! Fathom's mathematics. Pure: no input or output, no clock, no global state; seeds are arguments.
//!
//! | module | answers |
//! | --- | --- |
//! | [`distribution`] | probabilities and quantiles of the normal, t, beta and binomial laws |
//! | [`quantile`] | estimates of and intervals for quantiles that hold for every distribution |
//! | [`band`] | the same for all quantiles at once, and for the ratio of two distributions |
//! | [`proportion`] | whether something is true of at least a share of all executions |
//! | [`mean`] | estimates of and intervals for means, and whether to trust them |
//! | [`bca`] | the BCa bootstrap for both |
//! | [`dependence`] | autocorrelation, and intervals that allow for it |
//! | [`steady_state`] | where a series settles |
//! | [`outliers`] | values that do not belong |
//! | [`multiple`] | what is left of many tests at once |
//! | [`paired`] | comparisons that hold under noise which changes with time |
//! | [`joint`] | which of many quantities differ, with one error for all of them |
//! | [`tails`] | ratios of quantiles, means and minima of two subjects |
//! | [`work_rate`] | work per second with the set-up separated |
//! | [`growth`] | which law a time follows as the input grows, and its exponent |
//!
//! Each method has a page in `docs/methods/`, vectors in `testdata/vectors/`, and its coverage in
//! `calibration/intervals.md`.

#[cfg(feature = "bands")]
pub mod band;
#[cfg(feature = "bootstrap")]
pub mod bca;
pub mod dependence;
pub mod distribution;
mod drawn;
pub mod growth;
mod interval;
#[cfg(feature = "joint")]
pub mod joint;
mod magnitude;
pub mod mean;
pub mod multiple;
pub mod outliers;
pub mod paired;
mod probability;
pub mod proportion;
pub mod quantile;
mod ranks;
mod ratio_interval;
pub mod steady_state;
pub mod tails;
pub mod work_rate;

pub use drawn::drawn_number;
pub use interval::{Interval, Sides};
pub use probability::{Confidence, LevelError, Probability};
pub use ratio_interval::{LogRatioInterval, RatioInterval};

/// The example in the README is one that works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
