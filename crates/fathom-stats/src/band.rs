//! Bands: statements about all of a distribution at once.
//!
//! An interval for one quantile is wrong with probability 1 − C; among those of many quantiles some
//! are almost surely wrong. A [`Band`] has all of them at once with probability C, which is what a
//! picture of a distribution, or of the ratio of two ([`shift`]), has to show: a reader looks at the
//! most unusual place. See `docs/methods/bands.md` and `calibration/bands.md`.

mod distribution;
mod local_level;
mod order_statistics;
mod shift;
mod worth;

pub use distribution::Band;
pub use local_level::local_tail;
pub use order_statistics::within;
pub use shift::{Banded, Shift, shift};
pub use worth::worth;
