//! Which of many quantities differ between two subjects, with one error for all of them.
//!
//! The runs of both subjects come in blocks whose order a fair coin decides, as in [`crate::paired`]. If
//! nothing differs, the coin decides the sign of a block's differences, of all quantities at once. So the
//! joint law of all their statistics is known however they depend on each other: flip the signs. The
//! largest statistic under flips gives p-values and intervals that hold for all quantities together. See
//! `docs/methods/why.md` and `calibration/why.md`.

mod block_differences;
mod critical;
mod rule;
mod shares;
mod sign_flips;
mod step_down;
mod studentized;
mod together;

pub use block_differences::{BlockDifferences, DifferencesError};
pub use rule::JointRule;
pub use shares::{Share, shares};
pub use together::{JointDifference, JointDifferences, joint_differences};

/// A quantity that differs from zero in fewer blocks says too little about itself: six coins are the
/// fewest that can fall alike by chance in less than 5% of cases.
pub const FEWEST_SEEN: usize = 6;
