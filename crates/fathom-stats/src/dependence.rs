//! Dependence: autocorrelation, subsessions, and intervals that allow for it.
//!
//! Samples that follow each other in time are alike, so n of them tell as much as fewer
//! independent ones would: the effective size. [`subsessions`] shows the dependence in the manner
//! of Ferrari; the intervals of [`mean_interval`] and [`quantile_ranks`] rest on the two-level
//! effective size of [`Thinness`], which covers where first-crossing subsessions do not.
//! See `docs/methods/dependence.md` and `calibration/dependence.md`.

mod alike;
mod autocorrelation;
mod interval;
mod kind;
mod subsession_interval;
mod subsessions;
mod thinness;

pub use alike::{Alike, is_evident};
pub use autocorrelation::{autocorrelation, correlogram};
pub(crate) use interval::independent_equivalent;
pub use interval::{
    Declined, MeanInterval, QuantileRanks, SAMPLES_TO_JUDGE, mean_interval, mean_interval_among,
    quantile_ranks, quantile_ranks_among,
};
pub use kind::DependenceKind;
pub use subsession_interval::{SubsessionInterval, subsession_coverage, subsession_interval};
pub use subsessions::{NEGLIGIBLE, Subsessions, first_negligible, first_within, subsessions};
pub use thinness::Thinness;
