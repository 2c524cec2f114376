//! When skewness makes a mean's interval doubtful.

use super::Moments;

/// Whether the t interval of the mean can be taken at its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkewnessVerdict {
    /// Nothing speaks against it.
    Fine,
    /// The sample is too skewed for its size: the interval may cover less often than it says.
    Doubtful,
}

/// Judges a sample's skewness against its size.
#[must_use]
pub fn skewness_verdict(moments: &Moments) -> SkewnessVerdict {
    let n = moments.n as f64;
    if moments.skewness.abs() > 6.0 * (1.0 / n).sqrt() { SkewnessVerdict::Doubtful } else { SkewnessVerdict::Fine }
}
