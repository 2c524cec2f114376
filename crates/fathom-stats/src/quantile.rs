//! Quantiles: how they are estimated, and intervals that hold for every distribution.
//!
//! One definition for all: the **estimate** is Hyndman and Fan's type 7, the linear interpolation
//! that numpy and R use by default; **intervals** are pairs of order statistics ([`RankPair`]), so
//! they need no definition beyond "a value with probability p at or below it", and no assumption
//! beyond independent samples of one distribution.

mod estimate;
mod exact;
mod geometric_mean;
mod rank_law;
mod rank_pair;
pub mod sequence;
mod sign;
pub mod spa;

pub(crate) use estimate::QuantilePosition;
pub use estimate::{of_sorted, of_unsorted, ranks_of_estimate};
pub use exact::{exact, samples_needed};
pub(crate) use exact::{last_true, smallest};
pub use geometric_mean::{QuantileFactor, QuantileSample, geometric_mean};
pub use rank_pair::RankPair;
pub use sign::sign_test;
