//! What of two subjects a comparison compares.

use super::ratio_rule::RatioRule;
use crate::{Statistic, StatisticError};
use fathom_stats::mean::Moments;
use fathom_stats::paired::fewest_blocks;
use fathom_stats::{Probability, quantile};
use std::fmt;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ComparedStatistic {
    /// The typical ratio of runs side by side: Hodges and Lehmann's centre of the blocks' log-ratios.
    /// Of saved results, the ratio of the medians.
    #[default]
    Median,
    /// The ratio of a quantile of all runs, `p50` included.
    Quantile(Probability),
    /// The ratio of the means.
    Mean,
    /// The ratio of the minima, if noise treats both alike.
    Minimum,
    /// The ratios of many quantiles, whose intervals hold together.
    Quantiles,
}

/// Text that names nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComparedStatisticError {
    /// Nothing of that name.
    Unknown(String),
    /// A percentile that is none, or a name of the wrong kind.
    NotEstimated(StatisticError),
    /// It can be estimated, and not compared.
    NotCompared(String),
    /// A largest value.
    Maximum,
}

impl fmt::Display for ComparedStatisticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const USE: &str = "Use median, mean, min, a percentile such as p90 or p99.9, or quantiles";
        match self {
            ComparedStatisticError::Unknown(text) => {
                write!(f, "unknown statistic \"{text}\". {USE}")
            }
            ComparedStatisticError::NotEstimated(error) => error.fmt(f),
            ComparedStatisticError::NotCompared(text) => {
                write!(f, "\"{text}\" cannot be compared. {USE}")
            }
            ComparedStatisticError::Maximum => f.write_str(
                "a maximum has no confidence interval. Use a high percentile such as p99 or p99.9",
            ),
        }
    }
}

impl std::error::Error for ComparedStatisticError {}

impl ComparedStatistic {
    /// Reads `median`, `mean`, `min`, `quantiles`, or a percentile: `p50`, `p90`, `p99.9`.
    ///
    /// ```
    /// use fathom_analyze::compare::ComparedStatistic;
    /// assert_eq!(ComparedStatistic::parse("median")?, ComparedStatistic::default());
    /// // The ratio of two medians is something else than the typical ratio of two runs.
    /// assert_ne!(ComparedStatistic::parse("p50")?, ComparedStatistic::default());
    /// assert!(ComparedStatistic::parse("p100").is_err());
    /// # Ok::<(), fathom_analyze::compare::ComparedStatisticError>(())
    /// ```
    pub fn parse(text: &str) -> Result<ComparedStatistic, ComparedStatisticError> {
        let name = text.trim().to_lowercase();
        match name.as_str() {
            "median" => return Ok(ComparedStatistic::Median),
            "min" | "minimum" => return Ok(ComparedStatistic::Minimum),
            "max" | "maximum" => return Err(ComparedStatisticError::Maximum),
            "quantiles" => return Ok(ComparedStatistic::Quantiles),
            _ => {}
        }
        match Statistic::parse(&name) {
            Ok(Statistic::Mean) => Ok(ComparedStatistic::Mean),
            Ok(Statistic::Quantile(p)) => Ok(ComparedStatistic::Quantile(p)),
            Ok(Statistic::HarmonicMean) => {
                Err(ComparedStatisticError::NotCompared(text.trim().to_string()))
            }
            Err(error) if is_a_try_at_a_percentile(&name) => {
                Err(ComparedStatisticError::NotEstimated(error))
            }
            Err(_) => Err(ComparedStatisticError::Unknown(text.trim().to_string())),
        }
    }

    /// What is estimated of each side next to it. A minimum has no interval of its own, and of many
    /// quantiles the middle one stands in the table.
    #[must_use]
    pub fn of_each_side(self) -> Statistic {
        match self {
            ComparedStatistic::Quantile(p) => Statistic::Quantile(p),
            ComparedStatistic::Mean => Statistic::Mean,
            ComparedStatistic::Median
            | ComparedStatistic::Minimum
            | ComparedStatistic::Quantiles => Statistic::MEDIAN,
        }
    }

    /// Its value of these samples; `None` without any, or where it is many values.
    ///
    /// ```
    /// use fathom_analyze::compare::ComparedStatistic;
    /// let runs = [3.0, 1.0, 2.0, 8.0];
    /// assert_eq!(ComparedStatistic::Mean.value(&runs), Some(3.5));
    /// assert_eq!(ComparedStatistic::Minimum.value(&runs), Some(1.0));
    /// assert_eq!(ComparedStatistic::Quantiles.value(&runs), None);
    /// ```
    #[must_use]
    pub fn value(self, samples: &[f64]) -> Option<f64> {
        let quantile = |p| quantile::of_unsorted(&mut samples.to_vec(), p);
        match self {
            ComparedStatistic::Median => quantile(Probability::HALF),
            ComparedStatistic::Quantile(p) => quantile(p),
            ComparedStatistic::Mean => Moments::of(samples).map(|moments| moments.mean),
            ComparedStatistic::Minimum => samples.iter().copied().reduce(f64::min),
            ComparedStatistic::Quantiles => None,
        }
    }

    /// Whether its value depends on how many calls are averaged in a sample: all but means.
    #[must_use]
    pub fn depends_on_batches(self) -> bool {
        !matches!(self, ComparedStatistic::Median | ComparedStatistic::Mean)
    }

    /// The fewest blocks that can give an interval which misses with probability `alpha`, with `of_each`
    /// runs of each subject in a block. Of many quantiles, an interval of the middle one.
    ///
    /// ```
    /// use fathom_analyze::compare::ComparedStatistic;
    /// let fewest = |name: &str| Ok(ComparedStatistic::parse(name)?.fewest_blocks(0.05, 2));
    /// assert_eq!(fewest("median")?, 6);
    /// assert_eq!((fewest("p90")?, fewest("p99")?), (15, 150));
    /// # Ok::<(), fathom_analyze::compare::ComparedStatisticError>(())
    /// ```
    #[must_use]
    pub fn fewest_blocks(self, alpha: f64, of_each: usize) -> usize {
        RatioRule::of(self, of_each, 0).fewest_blocks(alpha).max(fewest_blocks(alpha))
    }

    /// Whether it is compared by the log-ratios of blocks.
    #[must_use]
    pub fn is_median(self) -> bool {
        self == ComparedStatistic::Median
    }
}

/// Whether somebody meant a percentile, so that the error should be about percentiles.
fn is_a_try_at_a_percentile(name: &str) -> bool {
    let number = name.strip_prefix('p').unwrap_or(name);
    number.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-')
}

/// A percentile as it is written: `p99.9`, and `p50`, which is no other name of the median here.
#[must_use]
pub fn percentile(p: Probability) -> String {
    // 0.999 × 100 is 99.9 only up to rounding.
    format!("p{}", (p.get() * 1e12).round() / 1e10)
}

impl fmt::Display for ComparedStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComparedStatistic::Median => f.write_str("median"),
            ComparedStatistic::Quantile(p) => f.write_str(&percentile(*p)),
            ComparedStatistic::Mean => f.write_str("mean"),
            ComparedStatistic::Minimum => f.write_str("min"),
            ComparedStatistic::Quantiles => f.write_str("quantiles"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in ["median", "mean", "min", "quantiles", "p50", "p0.1", "p90", "p99", "p99.9"] {
            assert_eq!(ComparedStatistic::parse(name).unwrap().to_string(), name);
        }
        assert_eq!(ComparedStatistic::parse(" P99 ").unwrap().to_string(), "p99");
        assert_eq!(ComparedStatistic::parse("minimum").unwrap(), ComparedStatistic::Minimum);
    }

    #[test]
    fn errors_say_what_to_write() {
        for (text, hint) in [
            ("nonsense", "unknown statistic \"nonsense\". Use median, mean, min"),
            ("", "unknown statistic"),
            ("p", "unknown statistic"),
            ("pfoo", "unknown statistic"),
            ("99", "write a percentile as p90"),
            ("p100", "between p0 and p100"),
            ("p0", "between p0 and p100"),
            ("p-5", "number"),
            ("max", "p99"),
            ("harmonic-mean", "cannot be compared"),
        ] {
            let error = ComparedStatistic::parse(text).unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
