//! Ratios of quantiles, means and minima of two subjects: how much longer are the slow runs?
//!
//! The subjects ran in blocks of ABBA or BAAB by a fair coin, as in [`crate::paired`]. For a candidate
//! ratio the subject's runs are divided by it. If the candidate is true, each block's runs might as
//! well have been the other way round, so signs of fair coins give the distribution of how many of the
//! slow runs are the subject's: exact under drift, bursts and dependence. The interval holds all ratios
//! that are not rejected. See `docs/methods/tails.md` and `calibration/tails.md`.
//!
//! | function | answers |
//! | --- | --- |
//! | [`tail_ratio`] | the ratio of one statistic, from blocks |
//! | [`mean_ratio_by_coins`] | that of means, if the subjects differ by a factor only |
//! | [`tail_ratio_unpaired`] | the same from two results that were measured separately |
//! | [`tail_shift`] | the ratios of many quantiles at once, with intervals that hold together |
//! | [`fewest_tail_blocks`], [`TailRatio::blocks_to_clear`] | how many blocks it takes |

mod block_runs;
mod blocks_needed;
mod mean;
mod minimum;
mod p_value;
mod paired;
mod quantile;
mod rare_runs;
mod ratio_of;
mod result;
mod shift;
mod sign_law;
mod thinness;
mod unpaired;

pub use block_runs::BlockRuns;
pub use blocks_needed::fewest_tail_blocks;
pub use mean::mean_ratio_by_coins;
pub use paired::{TailLook, tail_ratio};
pub use ratio_of::RatioOf;
pub use result::{Shortage, TailRatio};
pub use shift::{ShiftAt, TailShift, shift_levels, tail_shift};
pub use unpaired::{UnpairedRuns, tail_ratio_unpaired};
