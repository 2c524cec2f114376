//! Means: moments, intervals by t and z, and whether skewness spoils them.

mod interval;
mod moments;
mod skewness;

pub use interval::{Reference, interval};
pub use moments::Moments;
pub use skewness::{SkewnessVerdict, skewness_verdict};
