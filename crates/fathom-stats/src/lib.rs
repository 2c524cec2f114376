//! Fathom's mathematics. Pure: no input or output, no clock, no global state; seeds are arguments.
//!
//! | module | answers |
//! | --- | --- |
//! | [`distribution`] | probabilities and quantiles of the normal, t, beta and binomial laws |
//! | [`quantile`] | estimates of and intervals for quantiles that hold for every distribution |
//! | [`mean`] | estimates of and intervals for means, and whether to trust them |
//! | [`bca`] | the BCa bootstrap for both |
//!
//! Each method has a page in `docs/methods/`, vectors in `testdata/vectors/`, and its coverage in
//! `calibration/intervals.md`.

pub mod bca;
pub mod distribution;
mod interval;
pub mod mean;
mod probability;
pub mod quantile;

pub use interval::{Interval, Sides};
pub use probability::{Confidence, LevelError, Probability};
