//! Which number of the two distributions is compared.

use crate::Probability;

/// The statistic whose ratio is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RatioOf {
    /// The quantile at this level.
    Quantile(Probability),
    /// The arithmetic mean.
    Mean,
    /// The shortest run. Its interval assumes that both subjects have the same shape of noise.
    Minimum,
}
