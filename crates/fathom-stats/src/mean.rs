//! Means: moments, intervals by t and z, proportions, and whether skewness spoils them.

mod harmonic;
mod interval;
mod moments;
mod proportion;
mod skewness;

pub use harmonic::{harmonic_mean, reciprocals};
pub use interval::{Reference, interval};
pub use moments::Moments;
pub use proportion::proportion;
pub use skewness::{SkewnessVerdict, skewness_verdict};
