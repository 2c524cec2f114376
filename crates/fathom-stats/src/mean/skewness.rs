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

/// Judges a sample's skewness g against its size n.
///
/// By Edgeworth's expansion a two-sided 95% t interval loses about 0.25 γ²/n of its coverage, and
/// a sample from a heavy tail shows less skewness than its population has, so g² > n/100 is
/// doubtful. Below about 30 samples normal data reach that by chance (the standard deviation of g
/// is √(6/n)), so there the limit is 1.3 of those. How often it warns, and how often it should
/// have, is in `calibration/intervals.md`.
///
/// ```
/// use fathom_stats::mean::{Moments, SkewnessVerdict, skewness_verdict};
///
/// let mut values: Vec<f64> = (0..100).map(f64::from).collect();
/// let even = Moments::of(&values).ok_or("no values")?;
/// assert_eq!(skewness_verdict(&even), SkewnessVerdict::Fine);
/// values[99] = 100_000.0;
/// let skewed = Moments::of(&values).ok_or("no values")?;
/// assert_ne!(skewness_verdict(&skewed), SkewnessVerdict::Fine);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn skewness_verdict(moments: &Moments) -> SkewnessVerdict {
    let n = moments.n as f64;
    let limit = f64::max(0.1 * n.sqrt(), 1.3 * (6.0 / n).sqrt());
    if moments.skewness.abs() > limit { SkewnessVerdict::Doubtful } else { SkewnessVerdict::Fine }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_follows_the_size() {
        let doubtful = |n: usize, skewness: f64| {
            let moments = Moments { n, mean: 1.0, sd: 1.0, skewness };
            skewness_verdict(&moments) == SkewnessVerdict::Doubtful
        };
        // 1.3 √(6/10) = 1.007, 0.1 √1000 = 3.16, on either side of zero.
        assert!(!doubtful(10, 1.0) && doubtful(10, 1.01) && doubtful(10, -1.01));
        assert!(!doubtful(1000, 3.16) && doubtful(1000, 3.17));
    }
}
